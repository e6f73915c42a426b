/* The kernels of flux-corrected transport and what drives them, on the host (tests/unit/fake): the same flow as on the CPU, on
 * meshes of all kinds, with zones and without, by each way that fluxes come to cells, on any ranks; zones of bricks by the kernels that
 * read nothing of faces. What is concurrent on a GPU is for tests/gpu/check.   ranks: 1 2 3   timeout: 400 */
#include "test.h"

#include "case/case.h"
#include "parallel/host/gpus.h"
#include "run/check.h"
#include "solvers/unstructured/gpu_own.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char common[] =
    "[equations]\nsolver = \"fct\"\n[grid]\nkind = \"hybrid\"\nn = [10, 6, 6]\nlength = [1, 0.7, 0.6]\nshake = 0.2\n"
    "[initial]\nkind = \"blast\"\nenergy = 5\nradius = 0.3\ncentre = [0.5, 0.4, 0.3]\nvelocity = [0.5, 0.2, 0]\n"
    "[boundaries]\npatches = [\"xmin: inflow, pressure=1, density=1, u=0.5, v=0.2\", \"xmax: outflow\", "
    "\"ymin: farfield, pressure=1\", \"zmin: pressure, pressure=1\"]\n[time]\nend = 1\n";

enum { SETS = 12, STEPS = 4 };

typedef struct one {
  triad_case *given;
  triad_fct_flow *flow;
} one;

static one make(const char *const *sets, const char *device)
{
  one o;
  const char *all[SETS + 2];
  int n = 0;
  for (; sets[n]; n++) all[n] = sets[n];
  all[n++] = device;
  int st = triad_case_parse(&o.given, "test", common, strlen(common), all, n);
  if (st != TRIAD_OK) fail_msg("the test's case: %s", o.given ? triad_case_errors(o.given) : triad_message());
  TRIAD_CHECK(triad_fct_create((void **)&o.flow, triad_test_now.context, o.given, NULL));
  TRIAD_CHECK(triad_fct_initial(o.flow, NULL));
  TRIAD_CHECK(triad_fct_settle(o.flow, NULL, NULL));
  return o;
}

static void drop(one *o)
{
  triad_fct_destroy((void **)&o->flow);
  triad_case_destroy(&o->given);
}

static void advance(one *o, int steps)
{
  for (int i = 0; i < steps; i++) {
    triad_step step = {.cfl = 0.5, .dt_max = 1, .land_on = INFINITY};
    TRIAD_CHECK(triad_fct_advance(o->flow, &step));
  }
  TRIAD_CHECK(triad_state_read_all(o->flow->state, TRIAD_HOST));
}

/* Where cells of the whole mesh are among a rank's, -1: not. To be freed. */
static int32_t *places(const triad_fct_domain *d)
{
  int64_t all = 0;
  for (int64_t c = 0; c < d->n_cells; c++) all = d->global[c] >= all ? d->global[c] + 1 : all;
  int32_t *at = malloc((size_t)(all + 1) * sizeof *at);
  for (int64_t i = 0; i <= all; i++) at[i] = -1;
  for (int64_t c = 0; c < d->n_cells; c++) at[d->global[c]] = (int32_t)c;
  return at;
}

/* Both sum the same numbers in the same order; a compiler may take a product and a sum in one. */
static void agree(const char *const *sets)
{
  double a[TRIAD_FCT_MOST_COLUMNS], b[TRIAD_FCT_MOST_COLUMNS], mine[2] = {0, 0}, all[2];
  one cpu = make(sets, "parallel.device=\"cpu\""), gpu = make(sets, "parallel.device=\"gpu\"");
  TRIAD_HOLDS(gpu.flow->gpu && !cpu.flow->gpu, "the device");
  advance(&cpu, STEPS);
  advance(&gpu, STEPS);
  int32_t *at = places(gpu.flow->domain); /* sides that a CPU joins give its bricks another order */
  TRIAD_HOLDS(cpu.flow->domain->n_cells == gpu.flow->domain->n_cells, "a rank's cells");
  for (int k = 0; k < TRIAD_FCT_FIELDS; k++)
    for (int64_t c = 0; c < cpu.flow->domain->n_cells; c++) {
      const double difference = fabs((double)(cpu.flow->u[k][c] - gpu.flow->u[k][at[cpu.flow->domain->global[c]]]));
      mine[0] = fmax(mine[0], isfinite(difference) ? difference : INFINITY);
      mine[1] = fmax(mine[1], fabs((double)cpu.flow->u[k][c]));
    }
  free(at);
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_MAX, triad_test_comm()->mpi)));
  TRIAD_HOLDS(all[1] > 2, "nothing moves");
  TRIAD_WITHIN(all[0] / all[1], 0, 1e-12, "the state");
  TRIAD_NEAR(gpu.flow->at.t, cpu.flow->at.t, 1e-12, "the time");
  TRIAD_CHECK(triad_fct_measure(cpu.flow, a));
  TRIAD_CHECK(triad_fct_measure(gpu.flow, b));
  for (int i = 0; i < cpu.flow->n_columns; i++)
    TRIAD_WITHIN(b[i], a[i], strstr(cpu.flow->columns[i].name, "limite") ? 1e-5 : 1e-11 * (1 + fabs(a[i])),
                 cpu.flow->columns[i].name);
  drop(&cpu);
  drop(&gpu);
}

#define AGREE(...) agree((const char *const[]){__VA_ARGS__, NULL})

TRIAD_TEST(zones_and_lists) { AGREE("grid.structured=\"auto\""); }
TRIAD_TEST(lists_alone) { AGREE("grid.structured=\"none\"", "equations.low_order=\"hllc\""); }
TRIAD_TEST(a_box_of_hexahedra) { AGREE("grid.kind=\"hexes\"", "grid.n=[9,8,7]", "equations.high_order=\"central\""); }
TRIAD_TEST(tetrahedra_in_the_coalescing_order) { AGREE("grid.kind=\"tets\"", "grid.n=[5,4,3]", "grid.numbering=\"coalesced\""); }

/* Faces of which a GPU has no numbers; some, where others between cells have. */
static void has_bare_faces(int some, const char *const *sets)
{
  one gpu = make(sets, "parallel.device=\"gpu\"");
  const triad_fct_domain *d = gpu.flow->domain;
  TRIAD_HOLDS(gpu.flow->gpu->by_corners, "geometry of all");
  TRIAD_HOLDS(d->n_pointed > 0 && (d->n_pointed < d->n_inner) == some, "%lld of %lld faces by corners", (long long)d->n_pointed, (long long)d->n_inner);
  TRIAD_HOLDS(gpu.flow->gpu->corner && (gpu.flow->gpu->view.kept_words != NULL) == some, "what kernels have of them");
  drop(&gpu);
}

#define BARE(some, ...)                                                                                                \
  do {                                                                                                                 \
    has_bare_faces(some, (const char *const[]){"grid.faces=\"corners\"", __VA_ARGS__, NULL});                          \
    AGREE("grid.faces=\"corners\"", __VA_ARGS__);                                                                      \
  } while (0)

TRIAD_TEST(faces_of_tetrahedra_by_corners)
{
  BARE(0, "grid.kind=\"tets\"", "grid.n=[5,4,3]", "equations.low_order=\"hllc\"");
  BARE(0, "grid.kind=\"tets\"", "grid.n=[5,4,3]", "equations.gradients=\"limited\"");
  BARE(0, "grid.kind=\"tets\"", "grid.n=[5,4,3]", "equations.high_order=\"central\"", "grid.loops=\"colours\"");
}

/* On several ranks planes leave some of them one kind of cells, or of so few cells layers that are too thin for zones. */
#define ALONG "grid.partition=\"curve\""

TRIAD_TEST(faces_of_tetrahedra_among_others)
{
  BARE(1, ALONG, "grid.kind=\"tets\"", "grid.n=[6,5,2]", "boundaries.patches=[\"ymin: periodic\",\"ymax: periodic\",\"zmin: periodic\",\"zmax: periodic\"]");
  BARE(1, ALONG, "grid.structured=\"none\"", "equations.gradients=\"limited\"");
  BARE(1, ALONG, "grid.shake=0", "equations.gradients=\"near\"");
}

/* Geometry where there is room for that of all ranks, who may share a GPU, and all of them alike. */
static int goes_by_corners(const char *faces, const char *available)
{
  const char *const sets[] = {"grid.kind=\"tets\"", "grid.n=[5,4,3]", faces, NULL};
  TRIAD_EQUAL(available ? setenv("TRIAD_FAKE_GPU_FREE", available, 1) : unsetenv("TRIAD_FAKE_GPU_FREE"), 0, "the environment");
  one gpu = make(sets, "parallel.device=\"gpu\"");
  (void)unsetenv("TRIAD_FAKE_GPU_FREE");
  const triad_fct_view *v = &gpu.flow->gpu->view;
  const int by = gpu.flow->gpu->by_corners;
  TRIAD_HOLDS(by == (v->corner != NULL) && by == (v->n_pointed > 0) && by == triad_fct_gpu_steps->by_corners(gpu.flow), "what kernels have");
  drop(&gpu);
  return by;
}

TRIAD_TEST(geometry_of_faces_is_kept_where_there_is_room)
{
  TRIAD_EQUAL(goes_by_corners("grid.faces=\"auto\"", NULL), 0, "much room");
  TRIAD_EQUAL(goes_by_corners("grid.faces=\"auto\"", "1000000"), 1, "little room");
  TRIAD_EQUAL(goes_by_corners("grid.faces=\"kept\"", "1000000"), 0, "what is asked for");
  TRIAD_EQUAL(goes_by_corners("grid.faces=\"corners\"", NULL), 1, "what is asked for");
}

/* Of a flow of tetrahedra that may take `share` of the GPU: does it go by corners? *peak: what it has taken. */
static int goes_by_corners_in(const char *faces, int64_t share, int64_t *peak)
{
  const char *const sets[] = {"grid.kind=\"tets\"", "grid.n=[5,4,3]", faces, NULL};
  triad_gpus_set_share(share);
  one gpu = make(sets, "parallel.device=\"gpu\"");
  triad_gpus_set_share(0);
  const int by = gpu.flow->gpu->by_corners;
  *peak = triad_device_peak(gpu.flow->device);
  drop(&gpu);
  return by;
}

/* Whatever the GPU has free, of which the first of several runs sees all. */
TRIAD_TEST(a_run_beside_others_keeps_geometry_within_its_share)
{
  int64_t kept, corners, peak;
  (void)goes_by_corners_in("grid.faces=\"kept\"", 0, &kept);
  (void)goes_by_corners_in("grid.faces=\"corners\"", 0, &corners);
  TRIAD_HOLDS(corners < kept, "%lld bytes by corners, %lld with geometry", (long long)corners, (long long)kept);
  TRIAD_EQUAL(goes_by_corners_in("grid.faces=\"auto\"", kept, &peak), 0, "a share that is just enough");
  TRIAD_EQUAL(peak, kept, "bytes");
  TRIAD_EQUAL(goes_by_corners_in("grid.faces=\"auto\"", corners, &peak), 1, "a share that is not");
  TRIAD_EQUAL(peak, corners, "bytes");
}

TRIAD_TEST(as_many_runs_as_share_a_gpu_fit)
{
  for (int sharers = 1; sharers <= 3; sharers++)
    for (int runs = 1; runs <= 64; runs *= 4) {
      int64_t each = 0;
      int fits = 0;
      TRIAD_CHECK(triad_resources_share(0, sharers, runs, &each));
      TRIAD_CHECK(triad_resources_runs(0, sharers, each, &fits));
      TRIAD_EQUAL(fits, runs, "runs that take their share each");
    }
}

/* What check tells of a GPU is what is taken there; corners take as much less as is counted: four numbers a cell and a point for nine a face. */
TRIAD_TEST(what_corners_take_is_told_before)
{
  static const char *const faces[] = {"grid.faces=\"kept\"", "grid.faces=\"corners\""};
  double taken[2], less = 0;
  if (triad_test_comm()->size > 1) TRIAD_SKIP("ghosts are counted as of a cube");
  for (int i = 0; i < 2; i++) {
    const char *const sets[] = {"grid.kind=\"tets\"", "grid.n=[16,16,16]", "grid.numbering=\"rcm\"", faces[i], NULL};
    triad_needs needs = {0};
    one gpu = make(sets, "parallel.device=\"gpu\"");
    memset(&needs, 0, sizeof needs);
    TRIAD_CHECK(triad_fct_check(gpu.given, 1, 1, &needs));
    taken[i] = (double)triad_device_peak(gpu.flow->device);
    TRIAD_NEAR((double)needs.gpu.total, taken[i], 0.03, "bytes of a GPU");
    const triad_fct_domain *d = gpu.flow->domain;
    less = TRIAD_FCT_GEOMETRY * (double)sizeof(triad_real) * (double)d->n_pointed - 16 * (double)d->n_cells - 32 * (double)d->mesh->n_points;
    drop(&gpu);
  }
  TRIAD_NEAR(taken[0] - taken[1], less, 0.01, "bytes that corners take less");
}

TRIAD_TEST(pyramids_by_colours) { AGREE("grid.kind=\"pyramids\"", "grid.n=[5,4,3]", "grid.loops=\"colours\""); }
TRIAD_TEST(zones_and_lists_by_colours) { AGREE("grid.loops=\"colours\"", "equations.limited=[\"density\"]"); }
TRIAD_TEST(zones_and_lists_by_atomics) { AGREE("grid.loops=\"atomics\""); }
TRIAD_TEST(zones_and_lists_with_limited_gradients) { AGREE("equations.gradients=\"limited\""); }
TRIAD_TEST(polyhedra) { AGREE("grid.kind=\"polyhedra\"", "grid.n=[5,4,3]"); }
TRIAD_TEST(the_low_order_flux_alone) { AGREE("equations.transport=\"low\""); }
TRIAD_TEST(no_limiter) { AGREE("equations.transport=\"high\"", "initial.kind=\"wave\"", "initial.pressure=3"); }

TRIAD_TEST(joined_patches)
{
  AGREE("boundaries.patches=[\"xmin: periodic\",\"xmax: periodic\",\"zmin: total, pressure=3, temperature=1\"]", "grid.kind=\"prisms\"");
}

/* ---- zones of bricks ---- */

/* How many zones a flow has, and how many of them are bricks, on all ranks. */
static void count_boxes(const char *const *sets, int64_t out[2])
{
  int64_t mine[2] = {0, 0};
  one gpu = make(sets, "parallel.device=\"gpu\"");
  mine[0] = gpu.flow->domain->n_zones;
  mine[1] = gpu.flow->domain->n_boxes;
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(mine, out, 2, MPI_INT64_T, MPI_SUM, triad_test_comm()->mpi)));
  drop(&gpu);
}

static void agree_of_bricks(int bricks, const char *const *sets)
{
  int64_t n[2];
  count_boxes(sets, n);
  TRIAD_HOLDS(n[0] > 0, "no zone");
  TRIAD_EQUAL(n[1], bricks ? n[0] : 0, "zones of bricks");
  agree(sets);
}

#define BRICKS(...) agree_of_bricks(1, (const char *const[]){"grid.shake=0", __VA_ARGS__, NULL})

TRIAD_TEST(bricks) { BRICKS("grid.kind=\"hexes\"", "grid.n=[12,9,8]"); }
TRIAD_TEST(bricks_of_many_tiles_and_slabs)
{
  if (triad_test_comm()->size > 1) TRIAD_SKIP("cut among ranks, such boxes have no long zones");
  BRICKS("grid.kind=\"hexes\"", "grid.n=[70,6,5]");
  BRICKS("grid.kind=\"hexes\"", "grid.n=[5,6,70]");
}
/* How many sides of zones of bricks are of outer faces, on one rank; the others are of seams, with peeled cells of the mesh of cells. */
static int outer_sides(const char *const *sets, int64_t peeled)
{
  one gpu = make(sets, "parallel.device=\"gpu\"");
  const triad_fct_domain *d = gpu.flow->domain;
  int64_t seams = 0;
  int n = 0;
  for (int z = 0; z < d->n_boxes; z++)
    for (int s = 0; s < TRIAD_FCT_ZONE_SIDES; s++) {
      const int64_t faces = d->zone[z].cells / d->zone[z].n[s >> 1];
      int64_t outer = 0;
      for (int64_t i = 0; i < faces; i++) outer += d->box[z].outer[s][i] >= d->n_inner;
      TRIAD_HOLDS(outer == 0 || outer == faces, "a side of two kinds");
      seams += faces - outer;
      n += outer > 0;
    }
  TRIAD_EQUAL(d->n_seams, seams, "seams");
  if (peeled >= 0) TRIAD_EQUAL(d->n_cells - d->n_bricks, peeled, "cells that go by lists");
  TRIAD_EQUAL(d->n_slots, d->n_faces, "faces that are kept");
  drop(&gpu);
  return n;
}

#define HEXES "grid.shake=0", "grid.kind=\"hexes\"", "grid.n=[12,9,8]"

TRIAD_TEST(sides_of_outer_faces_need_no_lists)
{
  if (triad_test_comm()->size > 1) TRIAD_SKIP("ranks cut the box");
  TRIAD_EQUAL(outer_sides((const char *const[]){HEXES, NULL}, 0), 6, "sides");
  TRIAD_EQUAL(outer_sides((const char *const[]){HEXES, "boundaries.patches=[\"ymin: periodic\",\"ymax: periodic\"]", NULL}, (int64_t)12 * 8 * 2), 4,
              "sides of a box whose others are joined");
  const int beside = outer_sides((const char *const[]){"grid.shake=0", NULL}, -1);
  TRIAD_HOLDS(beside > 0 && beside < 6, "%d sides beside tetrahedra", beside);
}

TRIAD_TEST(bricks_with_joined_sides)
{
  BRICKS(HEXES, "boundaries.patches=[\"xmin: periodic\",\"xmax: periodic\",\"zmin: total, pressure=3, temperature=1\"]");
  BRICKS(HEXES, "boundaries.patches=[\"ymin: periodic\",\"ymax: periodic\"]");
}
TRIAD_TEST(bricks_beside_tetrahedra) { BRICKS(ALONG, "equations.low_order=\"hllc\""); }
TRIAD_TEST(bricks_by_colours) { BRICKS(ALONG, "grid.loops=\"colours\"", "equations.limited=[\"density\"]"); }
TRIAD_TEST(bricks_without_a_limiter)
{
  BRICKS(ALONG, "equations.transport=\"high\"", "initial.kind=\"wave\"", "initial.pressure=3", "grid.kind=\"hexes\"");
}

/* Stages kept of some layers at a time: windows of three layers and those that are kept, which go through the zone in slabs. */
TRIAD_TEST(bricks_in_windows)
{
  if (triad_test_comm()->size > 1) TRIAD_SKIP("ranks cut the box");
  one whole = make((const char *const[]){"grid.shake=0", "grid.kind=\"hexes\"", "grid.n=[6,7,20]", NULL}, "parallel.device=\"gpu\"");
  const char *const layers[] = {"3", "4", "12", "16"};
  TRIAD_EQUAL(whole.flow->gpu->window, 6 * 7 * 20, "all layers of a zone that is small");
  advance(&whole, STEPS);
  for (int i = 0; i < 4; i++) {
    char key[32];
    (void)snprintf(key, sizeof key, "grid.layers=%s", layers[i]);
    one some = make((const char *const[]){"grid.shake=0", "grid.kind=\"hexes\"", "grid.n=[6,7,20]", key, NULL}, "parallel.device=\"gpu\"");
    TRIAD_EQUAL(some.flow->gpu->window, 6 * 7 * (atoi(layers[i]) + 3), "cells of a window");
    advance(&some, STEPS);
    for (int k = 0; k < TRIAD_FCT_FIELDS; k++)
      TRIAD_HOLDS(memcmp(whole.flow->u[k], some.flow->u[k], (size_t)some.flow->domain->n_cells * sizeof(triad_real)) == 0,
                  "other bits by windows of %s layers", layers[i]);
    TRIAD_EQUAL(some.flow->limited, whole.flow->limited, "faces that are limited");
    TRIAD_EQUAL(memcmp(some.flow->crossed, whole.flow->crossed, sizeof some.flow->crossed), 0, "what has crossed the patches");
    drop(&some);
  }
  drop(&whole);
  BRICKS("grid.kind=\"hexes\"", "grid.n=[6,7,20]", "grid.layers=3");
  BRICKS("grid.kind=\"hexes\"", "grid.n=[6,7,20]", "grid.layers=5", "equations.low_order=\"hllc\"", "grid.loops=\"colours\"");
  BRICKS("equations.transport=\"high\"", "initial.kind=\"wave\"", "initial.pressure=3", "grid.kind=\"hexes\"", "grid.n=[6,7,20]",
         "grid.layers=3");
}

/* The same of zones with seams, whose limits come to twins window by window. */
TRIAD_TEST(bricks_with_seams_in_windows)
{
  BRICKS("grid.kind=\"hexes\"", "grid.n=[12,11,20]", "grid.layers=3", "boundaries.patches=[\"zmin: periodic\",\"zmax: periodic\"]");
  BRICKS("grid.kind=\"hexes\"", "grid.n=[12,11,20]", "grid.layers=4",
         "boundaries.patches=[\"xmin: periodic\",\"xmax: periodic\",\"ymin: periodic\",\"ymax: periodic\",\"zmin: periodic\",\"zmax: periodic\"]");
  BRICKS("grid.n=[24,10,12]", "grid.layers=3", "equations.low_order=\"hllc\"");
  BRICKS("grid.n=[24,10,12]", "grid.layers=3", "grid.loops=\"atomics\"", "equations.limited=[\"density\"]");
}

/* The state on this rank by the mesh's numbers, 0 elsewhere. */
static double *state_of(const one *o, int64_t cells)
{
  const triad_fct_domain *d = o->flow->domain;
  double *state = calloc((size_t)(TRIAD_FCT_FIELDS * cells), sizeof *state);
  for (int k = 0; k < TRIAD_FCT_FIELDS; k++)
    for (int64_t c = 0; c < d->n_cells; c++) state[k * cells + d->global[c]] = (double)o->flow->u[k][c];
  return state;
}

/* The CPU's loops of bricks against those of lists, cell by cell of the mesh. Centres lie so that no face
 * is a plane of symmetry, where the sign of a rounding may decide what is cut. */
static void agree_with_lists(const char *const *sets)
{
  const char *all[SETS] = {"grid.kind=\"hexes\"", "grid.shake=0", "grid.n=[12,11,10]", "initial.centre=[0.51,0.37,0.23]"}, *lists[SETS];
  int n = 4;
  for (; sets[n - 4]; n++) all[n] = sets[n - 4];
  memcpy(lists, all, sizeof all);
  lists[n] = "grid.structured=\"none\"";
  one flow[2] = {make(all, "parallel.device=\"cpu\""), make(lists, "parallel.device=\"cpu\"")};
  const int64_t cells = flow[0].flow->mesh->all_cells;
  double found[2] = {0, 0}, most[2], *state[2], a[TRIAD_FCT_MOST_COLUMNS], b[TRIAD_FCT_MOST_COLUMNS];
  int64_t bricks[2] = {flow[0].flow->domain->n_bricks, flow[1].flow->domain->n_bricks};
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, bricks, 2, MPI_INT64_T, MPI_SUM, triad_test_comm()->mpi)));
  TRIAD_HOLDS(bricks[0] > 0 && bricks[1] == 0, "the loops");
  for (int i = 0; i < 2; i++) {
    advance(&flow[i], 4 * STEPS);
    state[i] = state_of(&flow[i], cells);
  }
  for (int64_t i = 0; i < TRIAD_FCT_FIELDS * cells; i++) {
    const double difference = fabs(state[0][i] - state[1][i]);
    found[0] = fmax(found[0], isfinite(difference) ? difference : INFINITY);
    found[1] = fmax(found[1], fabs(state[0][i]));
  }
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(found, most, 2, MPI_DOUBLE, MPI_MAX, triad_test_comm()->mpi)));
  TRIAD_HOLDS(most[1] > 2, "nothing moves");
  TRIAD_WITHIN(most[0] / most[1], 0, 1e-12, "the state");
  for (int i = 0; i < 2; i++) free(state[i]);
  TRIAD_CHECK(triad_fct_measure(flow[0].flow, a));
  TRIAD_CHECK(triad_fct_measure(flow[1].flow, b));
  for (int i = 0; i < flow[0].flow->n_columns; i++)
    TRIAD_WITHIN(a[i], b[i], strstr(flow[0].flow->columns[i].name, "limite") ? 1e-5 : 1e-11 * (1 + fabs(b[i])), flow[0].flow->columns[i].name);
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
  AS_LISTS("boundaries.patches=[\"xmin: periodic\",\"xmax: periodic\",\"ymin: periodic\",\"ymax: periodic\",\"zmin: periodic\",\"zmax: periodic\"]",
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
  one cpu = make(central, "parallel.device=\"cpu\""), gpu = make(sets, "parallel.device=\"gpu\"");
  const triad_fct_domain *kept = cpu.flow->domain, *bare = gpu.flow->domain;
  TRIAD_HOLDS(bare->n_bricks == bare->n_cells && bare->n_slots == bare->n_faces && kept->n_bricks == 0, "faces that are kept");
  int64_t faces = 0;
  TRIAD_CHECK(triad_fct_refresh(gpu.flow));
  for (int64_t c = 0; c < kept->n_cells; c++) {
    triad_real mine[5][3], theirs[5][3], sign;
    const triad_fct_zone *zone;
    int sides;
    const int64_t at = triad_fct_domain_place(kept, c, &zone, &sides);
    for (int s = 0; s < sides; s++, faces++) {
      const int64_t f = triad_fct_face_at(&cpu.flow->view, zone, at, s, &sign);
      const triad_fct_face a = triad_fct_domain_face(kept, f), b = triad_fct_domain_face(bare, f < kept->n_faces ? f : f + 1);
      TRIAD_NEAR((double)b.area, (double)a.area, 1e-13, "a face's area");
      for (int k = 0; k < 3; k++) {
        TRIAD_WITHIN((double)b.n[k], (double)a.n[k], 1e-14, "its normal");
        for (int side = 0; side < 2; side++) TRIAD_WITHIN((double)b.from[side][k], (double)a.from[side][k], 1e-14, "where it is");
      }
    }
    triad_fct_gradient(cpu.flow, c, mine);
    triad_fct_gradient(gpu.flow, c, theirs);
    for (int k = 0; k < 5; k++)
      for (int a = 0; a < 3; a++) TRIAD_WITHIN((double)theirs[k][a], (double)mine[k][a], 1e-9 * fabs((double)mine[k][a]) + 1e-9, "a gradient");
  }
  TRIAD_EQUAL(faces, 6 * kept->n_cells, "faces of cells");
  drop(&cpu);
  drop(&gpu);
}

TRIAD_TEST(cells_that_are_no_bricks_go_by_their_faces)
{
  agree_of_bricks(0, (const char *const[]){ALONG, "grid.shake=0.001", "grid.kind=\"hexes\"", NULL});
}

/* Layers of lengths of their own along each axis, and a first cell whose sides lie so that the zone's axes are y, -x, z. */
enum { LX = 8, LY = 7, LZ = 6, POINTS = (LX + 1) * (LY + 1) * (LZ + 1) };

static int point(int i, int j, int k) { return 1 + i + (LX + 1) * (j + (LY + 1) * k); }

/* The sides of all cells that lie outside, as quadrilaterals 1, 2, .. of patch `all`; NULL: how many. */
static int write_sides(FILE *f, int n)
{
  static const int lattice[3] = {LX, LY, LZ};
  for (int a = 0; a < 3; a++)
    for (int end = 0; end < 2; end++)
      for (int j = 0; j < lattice[(a + 1) % 3]; j++)
        for (int k = 0; k < lattice[(a + 2) % 3]; k++, n++) {
          static const int round[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
          if (f) (void)fprintf(f, "%d 3 2 1 1", n);
          for (int corner = 0; corner < 4 && f; corner++) {
            int at[3];
            at[a] = end ? lattice[a] : 0;
            at[(a + 1) % 3] = j + round[corner][0];
            at[(a + 2) % 3] = k + round[corner][1];
            (void)fprintf(f, " %d", point(at[0], at[1], at[2]));
          }
          if (f) (void)fprintf(f, "\n");
        }
  return n;
}

static void write_layers(const char *path)
{
  FILE *f = fopen(path, "w");
  TRIAD_HOLDS(f, "%s", path);
  (void)fprintf(f, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"all\"\n3 2 \"gas\"\n$EndPhysicalNames\n");
  (void)fprintf(f, "$Nodes\n%d\n", POINTS);
  for (int k = 0; k <= LZ; k++)
    for (int j = 0; j <= LY; j++)
      for (int i = 0; i <= LX; i++)
        (void)fprintf(f, "%d %.17g %.17g %.17g\n", point(i, j, k), 0.11 * i + 0.003 * i * i, 0.13 * j - 0.004 * j * j,
                      0.12 * k + 0.005 * (k % 2));
  const int sides = write_sides(NULL, 1);
  (void)fprintf(f, "$EndNodes\n$Elements\n%d\n", sides - 1 + LX * LY * LZ);
  int n = write_sides(f, 1);
  for (int k = 0; k < LZ; k++)
    for (int j = 0; j < LY; j++)
      for (int i = 0; i < LX; i++, n++) {
        (void)fprintf(f, "%d 5 2 2 1", n);
        for (int up = 0; up < 2; up++)
          (void)fprintf(f, " %d %d %d %d", point(i + 1, j, k + up), point(i + 1, j + 1, k + up), point(i, j + 1, k + up),
                        point(i, j, k + up));
        (void)fprintf(f, "\n");
      }
  (void)fprintf(f, "$EndElements\n");
  TRIAD_EQUAL(fclose(f), 0, "the mesh is written");
}

TRIAD_TEST(bricks_of_many_lengths_whose_axes_are_turned)
{
  char path[64], file[96];
  (void)snprintf(path, sizeof path, "/tmp/test_fct_gpu-%d.msh", (int)getpid());
  write_layers(path);
  (void)snprintf(file, sizeof file, "grid.file=\"%s\"", path);
  const char *const sets[] = {file, "boundaries.patches=[\"all: farfield, pressure=1\"]", NULL};
  if (triad_test_comm()->size == 1) {
    one gpu = make(sets, "parallel.device=\"gpu\"");
    const triad_fct_box *box = gpu.flow->gpu->box;
    TRIAD_HOLDS(box && box->layer[0], "no bricks");
    TRIAD_EQUAL(box->axis[0], 1, "x goes along the second axis");
    TRIAD_NEAR((double)box->sign[0], -1, 0, "against it");
    TRIAD_EQUAL(box->axis[1], 0, "y goes along the first axis");
    drop(&gpu);
  }
  agree_of_bricks(1, sets);
  (void)unlink(path);
}

/* What has no GPU part is refused by its key, and left to the CPU by "auto". */
static void refused(const char *set, const char *word)
{
  const char *const sets[] = {set, NULL}, *all[] = {set, "parallel.device=\"gpu\""};
  triad_needs needs = {0};
  one o;
  TRIAD_CHECK(triad_case_parse(&o.given, "test", common, strlen(common), all, 2));
  memset(&needs, 0, sizeof needs);
  TRIAD_FAILS(triad_fct_check(o.given, triad_test_comm()->size, 1, &needs), TRIAD_ERR_FEATURE, word);
  triad_case_destroy(&o.given);
  o = make(sets, "parallel.device=\"auto\"");
  TRIAD_HOLDS(!o.flow->gpu, "a GPU that cannot");
  drop(&o);
}

TRIAD_TEST(what_a_gpu_cannot_is_refused)
{
  refused("equations.viscosity=0.01", "equations.viscosity");
  refused("equations.prelimit=true", "equations.prelimit");
  refused("equations.limited=[\"components\"]", "components");
  refused("output.means=true", "output.means");
}

TRIAD_MAIN
