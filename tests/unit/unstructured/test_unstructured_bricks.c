/* Zones of bricks on the CPU: the same flow as by the lists of faces that are kept, and faces that are reckoned
 * where none are kept, as on a GPU (here the host: tests/help/fake).   ranks: 1 2 3   timeout: 400 */
#include "unstructured_gpu.h"
#include "solvers/unstructured/measure/budget.h"
#include "solvers/unstructured/state/domain_rows.h"

/* The state on this rank by the mesh's numbers, 0 elsewhere. */
static double *state_of(const test_mesh *o, int64_t cells)
{
  const triad_unstructured_domain *d = o->flow->domain;
  double *state = calloc((size_t)(TRIAD_UNSTRUCTURED_FIELDS * cells), sizeof *state);
  for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++)
    for (int64_t c = 0; c < d->n_cells; c++) state[k * cells + d->global[c]] = (double)o->flow->u[k][c];
  return state;
}

/* The CPU's loops of bricks against those of lists, cell by cell of the mesh. Centres lie so that no face
 * is a plane of symmetry, where the sign of a rounding may decide what is cut. */
static void agree_with_lists(const char *const *sets)
{
  const char *all[SETS] = {"grid.kind=\"hexes\"", "grid.shake=0", "grid.n=[12,11,10]",
                           "initial.centre=[0.51,0.37,0.23]"},
             *lists[SETS];
  int n = 4;
  for (; sets[n - 4]; n++) all[n] = sets[n - 4];
  memcpy(lists, all, sizeof all);
  lists[n] = "grid.structured=\"none\"";
  test_mesh flow[2] = {make(all, "parallel.device=\"cpu\""), make(lists, "parallel.device=\"cpu\"")};
  const int64_t cells = flow[0].flow->mesh->all_cells;
  double found[2] = {0, 0}, most[2], *state[2], a[TRIAD_UNSTRUCTURED_MAX_COLUMNS], b[TRIAD_UNSTRUCTURED_MAX_COLUMNS];
  int64_t bricks[2] = {flow[0].flow->domain->n_bricks, flow[1].flow->domain->n_bricks};
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, bricks, 2, MPI_INT64_T, MPI_SUM, triad_test_comm()->mpi)));
  TRIAD_HOLDS(bricks[0] > 0 && bricks[1] == 0, "the loops");
  for (int i = 0; i < 2; i++) {
    advance(&flow[i], 4 * STEPS);
    state[i] = state_of(&flow[i], cells);
  }
  for (int64_t i = 0; i < TRIAD_UNSTRUCTURED_FIELDS * cells; i++) {
    const double difference = fabs(state[0][i] - state[1][i]);
    found[0] = fmax(found[0], isfinite(difference) ? difference : INFINITY);
    found[1] = fmax(found[1], fabs(state[0][i]));
  }
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(found, most, 2, MPI_DOUBLE, MPI_MAX, triad_test_comm()->mpi)));
  TRIAD_HOLDS(most[1] > 2, "nothing moves");
  TRIAD_WITHIN(most[0] / most[1], 0, 1e-12, "the state");
  for (int i = 0; i < 2; i++) free(state[i]);
  TRIAD_CHECK(triad_unstructured_measure(flow[0].flow, a));
  TRIAD_CHECK(triad_unstructured_measure(flow[1].flow, b));
  for (int i = 0; i < flow[0].flow->n_columns; i++)
    TRIAD_WITHIN(a[i], b[i], strstr(flow[0].flow->columns[i].name, "limite") ? 1e-5 : 1e-11 * (1 + fabs(b[i])),
                 flow[0].flow->columns[i].name);
  for (int i = 0; i < 2; i++) drop(&flow[i]);
}

#define AS_LISTS(...) agree_with_lists((const char *const[]){__VA_ARGS__, NULL})

TRIAD_TEST(bricks_on_the_cpu_as_lists)
{
  AS_LISTS("equations.low_order=\"hllc\"");
  AS_LISTS("equations.low_order=\"rusanov\"", "grid.loops=\"colours\"");
  AS_LISTS("equations.limited=[\"density\"]");
  AS_LISTS("equations.transport=\"high\"", "initial.kind=\"wave\"", "initial.pressure=3");
  AS_LISTS("boundaries.patches=[\"xmin: total, pressure=3, temperature=1\", \"zmax: outflow\"]");
}

/* Across seams, of a box whose sides are joined, and beside pyramids and tetrahedra. */
TRIAD_TEST(bricks_with_seams_on_the_cpu_as_lists)
{
  AS_LISTS("boundaries.patches=[\"xmin: periodic\",\"xmax: periodic\"]");
  AS_LISTS("boundaries.patches=[\"xmin: periodic\",\"xmax: periodic\",\"ymin: periodic\",\"ymax: periodic\",\"zmin: "
           "periodic\",\"zmax: periodic\"]",
           "equations.low_order=\"hllc\"");
  AS_LISTS("grid.kind=\"hybrid\"");
  AS_LISTS("grid.kind=\"hybrid\"", "grid.loops=\"colours\"", "equations.limited=[\"density\"]");
  AS_LISTS("grid.kind=\"hybrid\"", "equations.transport=\"high\"", "initial.kind=\"wave\"", "initial.pressure=3");
}

/* Nothing is kept of faces within zones, and what is reckoned is what would be. */
TRIAD_TEST(faces_of_bricks_are_reckoned)
{
  if (triad_test_comm()->size > 1) TRIAD_SKIP("ranks cut the box");
  const char *const sets[] = {HEXES, NULL};
  const char *const central[] = {HEXES, "equations.high_order=\"central\"", NULL}; /* whose loops read faces */
  test_mesh cpu = make(central, "parallel.device=\"cpu\""), gpu = make(sets, "parallel.device=\"gpu\"");
  const triad_unstructured_domain *kept = cpu.flow->domain, *bare = gpu.flow->domain;
  TRIAD_HOLDS(bare->n_bricks == bare->n_cells && bare->n_slots == bare->n_faces && kept->n_bricks == 0,
              "faces that are kept");
  int64_t faces = 0;
  TRIAD_CHECK(triad_unstructured_refresh(gpu.flow));
  for (int64_t c = 0; c < kept->n_cells; c++) {
    triad_real mine[5][3], theirs[5][3], sign;
    const triad_mesh_zone *zone;
    int sides;
    const int64_t at = triad_unstructured_domain_place(kept, c, &zone, &sides);
    for (int s = 0; s < sides; s++, faces++) {
      const int64_t f = triad_unstructured_face_at(&cpu.flow->view, zone, at, s, &sign);
      const triad_unstructured_face a = triad_unstructured_domain_face(kept, f),
                                    b = triad_unstructured_domain_face(bare, f < kept->n_faces ? f : f + 1);
      TRIAD_NEAR((double)b.area, (double)a.area, 1e-13, "a face's area");
      for (int k = 0; k < 3; k++) {
        TRIAD_WITHIN((double)b.n[k], (double)a.n[k], 1e-14, "its normal");
        for (int side = 0; side < 2; side++)
          TRIAD_WITHIN((double)b.from[side][k], (double)a.from[side][k], 1e-14, "where it is");
      }
    }
    triad_unstructured_gradient(cpu.flow, c, mine);
    triad_unstructured_gradient(gpu.flow, c, theirs);
    for (int k = 0; k < 5; k++)
      for (int a = 0; a < 3; a++)
        TRIAD_WITHIN((double)theirs[k][a], (double)mine[k][a], 1e-9 * fabs((double)mine[k][a]) + 1e-9, "a gradient");
  }
  TRIAD_EQUAL(faces, 6 * kept->n_cells, "faces of cells");
  drop(&cpu);
  drop(&gpu);
}

TRIAD_MAIN
