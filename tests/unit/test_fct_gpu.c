/* The kernels of flux-corrected transport and what drives them, on the host (tests/unit/fake): the same flow as on the CPU, on
 * meshes of all kinds, with zones and without, by each way that fluxes come to cells, on any ranks. What is concurrent on a GPU is for
 * tests/gpu/check.   ranks: 1 2 3   timeout: 400 */
#include "test.h"

#include "case/case.h"
#include "solvers/unstructured/gpu_own.h"

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

/* Both sum the same numbers in the same order; a compiler may take a product and a sum in one. */
static void agree(const char *const *sets)
{
  double a[TRIAD_FCT_MOST_COLUMNS], b[TRIAD_FCT_MOST_COLUMNS], mine[2] = {0, 0}, all[2];
  one cpu = make(sets, "parallel.device=\"cpu\""), gpu = make(sets, "parallel.device=\"gpu\"");
  TRIAD_HOLDS(gpu.flow->gpu && !cpu.flow->gpu, "the device");
  advance(&cpu, STEPS);
  advance(&gpu, STEPS);
  for (int k = 0; k < TRIAD_FCT_FIELDS; k++)
    for (int64_t c = 0; c < cpu.flow->domain->n_cells; c++) {
      const double difference = fabs((double)(cpu.flow->u[k][c] - gpu.flow->u[k][c]));
      mine[0] = fmax(mine[0], isfinite(difference) ? difference : INFINITY);
      mine[1] = fmax(mine[1], fabs((double)cpu.flow->u[k][c]));
    }
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

/* What has no GPU part is refused by its key, and left to the CPU by "auto". */
static void refused(const char *set, const char *word)
{
  const char *const sets[] = {set, NULL}, *all[] = {set, "parallel.device=\"gpu\""};
  triad_needs needs;
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
