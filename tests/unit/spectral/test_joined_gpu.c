/* The update of modes and lines along z in one kernel, on a GPU that is the host (tests/help/fake): the bits of
 * three kernels. ranks: 1 2   timeout: 600 */
#include "flow.h"

#include "fake/device.h"
#include "solvers/spectral/step/gpu_stepper_internal.h"

#define COMMON \
  "[grid]\nn = [64, 32, 32]\nlength = [6.3, 3.5, 9.75]\n[initial]\nkind = \"random\"\nwavenumber = 3\nseed = 5\n" \
  "[time]\nend = 1\n[parallel]\nreproducible = true\ndevice = \"gpu\"\n[equations]\nviscosity = 0.02\n"
static const char hd[] = COMMON "solver = \"hd\"\nrotation = [0.3, 0.0, 1.0]\n";
static const char mhd[] = COMMON "solver = \"mhd\"\nresistivity = 0.02\nmean_field = [0.0, 0.3, 1.0]\n";

static const char boussinesq[] = COMMON "solver = \"boussinesq\"\nbuoyancy_frequency = 2.0\ndiffusivity = 0.03\n";

#define SHIFTED "grid.dealiasing=\"phase-shift\""
#define POWER "forcing.kind=\"constant-power\"", "forcing.power=0.1", "forcing.k_range=[0.5, 2.5]"
enum { STEPS = 4 };

static triad_gpu_stepper *stepper_of(const test_flow *f) { return triad_stepper_gpu(f->flow->stepper); }

/* Steps of several lengths; between them a budget, which has passes of its own, and a change of the state on the
 * host. */
static void take_steps(test_flow *f)
{
  double columns[TRIAD_MAX_COLUMNS];
  triad_step step = {.dt_max = 0.02, .land_on = INFINITY};
  for (int n = 0; n < STEPS; n++) {
    step.cfl = 0.4 + 0.1 * n;
    TRIAD_CHECK(triad_stepper_advance(f->flow->stepper, f->flow, &step));
    if (n == 1) TRIAD_CHECK(triad_budget_measure(f->flow, columns));
    if (n != 2) continue;
    TRIAD_CHECK(triad_state_write_all(f->flow->state, TRIAD_HOST));
    for (int64_t i = 0; i < f->flow->layout->modes; i++) f->flow->u[0][i].re *= 2;
  }
  TRIAD_CHECK(triad_state_read_all(f->flow->state, TRIAD_HOST));
}

static void check(const char *text, const char *const *sets)
{
  test_flow flow[2];
  for (int joined = 0; joined < 2; joined++) {
    flow[joined] = test_flow_make(test_together(), text, sets);
    TRIAD_EQUAL(stepper_of(&flow[joined])->can_join, 1, sets[0]);
    stepper_of(&flow[joined])->can_join = joined;
    take_steps(&flow[joined]);
  }
  TRIAD_HOLDS(flow[0].flow->at.t == flow[1].flow->at.t && flow[0].flow->at.t > 0, "%s: t = %.17g, not %.17g", sets[0],
              flow[1].flow->at.t, flow[0].flow->at.t);
  for (int f = 0; f < flow[0].flow->shape.n_fields; f++)
    TRIAD_HOLDS(memcmp(flow[0].flow->u[f], flow[1].flow->u[f],
                       (size_t)flow[0].flow->layout->modes * sizeof **flow[0].flow->u) == 0,
                "%s: field %d differs", sets[0], f);
  for (int i = 0; i < 2; i++) test_flow_free(&flow[i]);
}
#define CHECK(text, ...) check(text, (const char *[]){__VA_ARGS__, NULL})

TRIAD_TEST(joined_updates_keep_every_bit)
{
  CHECK(hd, "time.scheme=\"rk2\"");
  CHECK(hd, "time.scheme=\"rk4\"");
  CHECK(hd, "time.scheme=\"rk3\"", "grid.n=[64,32,64]");
  CHECK(boussinesq, "time.scheme=\"rk3\"");
}

TRIAD_TEST(joined_updates_on_grids_that_are_drawn_keep_every_bit)
{
  CHECK(hd, "time.scheme=\"rk2\"", SHIFTED);
  CHECK(boussinesq, "time.scheme=\"rk3\"", SHIFTED);
}

/* The fields that a force changes behind an update are those that the next pass begins with. */
TRIAD_TEST(joined_updates_of_forced_flows_keep_every_bit)
{
  CHECK(hd, "time.scheme=\"rk2\"", POWER);
  CHECK(hd, "time.scheme=\"rk3\"", POWER, SHIFTED);
}

/* By a rank alone. */
TRIAD_TEST(recorded_joined_updates_keep_every_bit)
{
  const int replays = fake_replays();
  CHECK(hd, "time.scheme=\"rk2\"");
  CHECK(boussinesq, "time.scheme=\"rk3\"");
  if (test_together()->comm.size == 1) TRIAD_HOLDS(fake_replays() > replays, "nothing was recorded");
}

static void check_apart(const char *text, const char *const *sets)
{
  test_flow f = test_flow_make(test_together(), text, sets);
  TRIAD_EQUAL(stepper_of(&f)->can_join, 0, sets[0]);
  test_flow_free(&f);
}
#define APART(text, ...) check_apart(text, (const char *[]){__VA_ARGS__, NULL})

TRIAD_TEST(flows_whose_results_others_read_are_not_joined)
{
  APART(hd, "equations.scalars=[0.01]");
  APART(hd, "forcing.kind=\"formula\"", "forcing.u=\"0.5*v\"");
  APART(hd, SHIFTED, "grid.shifts=\"exact\"");
  APART(hd, "grid.n=[64,32,9]");
  APART(mhd, "time.scheme=\"rk2\"");
}

/* The stand-in has two multiprocessors: 44 columns in lanes of 16 are fewer than eight blocks. */
TRIAD_TEST(few_columns_are_not_joined) { APART(hd, "grid.n=[32,8,32]"); }
TRIAD_MAIN
