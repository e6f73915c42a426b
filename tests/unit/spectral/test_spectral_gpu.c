/* Spectral flows on a GPU that is the host (tests/help/fake), and through it, against those on the CPU: steps,
 * numbers of the series, transfers, with truncation and with phase shifts. Several GPUs: test_pass_gpu.c. ranks: 1
 * timeout: 600 */
#include "spectral_gpu.h"

#include "fake/device.h"
#include "parallel/fibers.h"
#include "solvers/device_choice.h"
#include "solvers/spectral/equations/velocity.h"
#include "solvers/spectral/force/force_internal.h"
#include "solvers/spectral/force/plain/force_work.h"
#include "solvers/spectral/measure/transfer.h"
#include "solvers/spectral/probes/probes.h"
#include "solvers/spectral/step/gpu_stepper.h"

#define COMMON \
  "[grid]\nn = [32, 8, 9]\nlength = [6.3, 3.5, 9.75]\n[initial]\nkind = \"random\"\nwavenumber = 3\nseed = 5\n" \
  "[time]\nend = 1\n[parallel]\nreproducible = true\n[equations]\nviscosity = 0.02\n"
static const char hd[] = COMMON "solver = \"hd\"\nrotation = [0.3, 0.0, 1.0]\nscalars = [0.01, 0.02]\n"
                                "scalar_gradients = [0.0, 0.5, 1.0, 1.0, 0.0, 0.0]\n";
static const char boussinesq[] = COMMON "solver = \"boussinesq\"\nbuoyancy_frequency = 2.0\ndiffusivity = 0.03\n";
static const char mhd[] = COMMON "solver = \"mhd\"\nresistivity = 0.02\nmean_field = [0.0, 0.3, 1.0]\n";

#define SHIFTED "grid.dealiasing=\"phase-shift\""
#define EXACT "grid.shifts=\"exact\""
enum { STEPS = 3 };

/* Three steps of up to four stages: each rounds by some eps log2 n of the fields, and flows part no further in so
 * short a time. */
static const double limit = 1e-13;

static void check_columns(const test_flow flow[2], const char *what)
{
  double x[TRIAD_MAX_COLUMNS], y[TRIAD_MAX_COLUMNS];
  TRIAD_CHECK(triad_budget_measure(flow[0].flow, x));
  TRIAD_CHECK(triad_budget_measure(flow[1].flow, y));
  test_columns_agree(flow, x, y, what); /* of a viscous flow in motion no column is empty */
}

static void check_where(const triad_flow *flow, const char *words, const char *what)
{
  char told[512] = "";
  (void)triad_gpu_stepper_formulas(triad_stepper_gpu(flow->stepper), told, sizeof told);
  TRIAD_HOLDS(strstr(told, words) != NULL, "%s: \"%s\", not \"%s\"", what, told, words);
}

/* A flow on the CPU and the same on a device. sets: up to six, NULL behind them; words: of what the log tells of
 * formulas, NULL: no matter. */
static void check(const char *text, const char *device, const char *words, const char *const *sets)
{
  const char *all[8];
  test_flow flow[2];
  int n = 0;
  for (; sets[n]; n++) all[n] = sets[n];
  all[n + 1] = NULL;
  for (int i = 0; i < 2; i++) {
    all[n] = i ? device : "parallel.device=\"cpu\"";
    flow[i] = test_flow_make(test_together(), text, all);
    if (i && words) check_where(flow[i].flow, words, sets[1]);
    for (int s = 0; s < STEPS; s++) {
      TRIAD_CHECK(triad_work_begin(flow[i].flow));
      test_advance(flow[i].flow, 0.01, 1);
      TRIAD_CHECK(triad_work_count(flow[i].flow));
    }
    TRIAD_CHECK(triad_state_read_all(flow[i].flow->state, TRIAD_HOST));
  }
  TRIAD_HOLDS((flow[0].flow->forcing != NULL) == (fabs(flow[0].flow->work) > 0), "%s: work of %g", sets[0],
              flow[0].flow->work);
  const double off = test_distance(flow[1].flow, flow[0].flow, 1);
  TRIAD_HOLDS(off <= limit, "%s, %s: fields differ by %.3g", device, sets[0], off);
  check_columns(flow, sets[0]);
  (void)test_transfers_agree(flow, 0, sets[0]);
  for (int i = 0; i < 2; i++) test_flow_free(&flow[i]);
}

#define CHECK(text, device, ...) \
  check(text, "parallel.device=\"" device "\"", NULL, (const char *[]){__VA_ARGS__, NULL})
#define CHECK_AT(words, text, ...) check(text, "parallel.device=\"gpu\"", words, (const char *[]){__VA_ARGS__, NULL})

TRIAD_TEST(flows_with_truncation)
{
  CHECK(hd, "gpu", "time.scheme=\"rk2\"");
  CHECK(boussinesq, "gpu", "time.scheme=\"rk3\"");
  CHECK(mhd, "gpu", "time.scheme=\"rk2\"");
  CHECK(mhd, "gpu", "time.scheme=\"rk4\"", "equations.hall=0.1");
}

/* Rows of probes from sums on the GPU beside those of the host, of the same state: sums of some hundred waves in
 * another order. */
static void check_probes(const char *text, const char *const *sets)
{
  enum { MOST = 512 };
  double by_gpu[MOST], by_host[MOST], most = 0;
  triad_probes *probes;
  triad_places_info info;
  test_flow f = test_flow_make(test_together(), text, sets);
  TRIAD_CHECK(triad_probes_create(&probes, f.flow));
  triad_probes_info(probes, &info);
  TRIAD_HOLDS(info.n > 1 && info.n * info.n_fields <= MOST && f.flow->device, "places, on a GPU");
  for (int row = 0; row < 2; row++) {
    triad_device *const device = f.flow->device;
    test_advance(f.flow, 0.01, STEPS);
    TRIAD_CHECK(triad_probes_values(probes, by_gpu));
    f.flow->device = NULL;
    TRIAD_CHECK(triad_probes_values(probes, by_host));
    f.flow->device = device;
    for (int64_t i = 0; i < info.n * info.n_fields; i++) most = fmax(most, fabs(by_host[i]));
    for (int64_t i = 0; i < info.n * info.n_fields; i++)
      TRIAD_HOLDS(fabs(by_gpu[i] - by_host[i]) <= 1e-13 * most, "%s at place %d is %.17g, by the host %.17g",
                  info.fields[i % info.n_fields].name, (int)(i / info.n_fields), by_gpu[i], by_host[i]);
  }
  TRIAD_HOLDS(most > 0, "nothing moves");
  triad_probes_destroy(&probes);
  test_flow_free(&f);
}

#define PLACES "output.probes=[\"[0.3, 1.1, 9.2]\", \"lattice 2 3 5\", \"[6.2, 0, 0]\"]"
TRIAD_TEST(probes)
{
  static const char own[] =
    COMMON "solver = \"hd\"\nscalars = [0.01]\n[output]\nprobes_quantities = [\"mine\"]\n"
           "[[output.quantities]]\nname = \"mine\"\nformula = \"u*dx(u) + v*dy(w) - dz(u)*dz(v)\"\n";
  check_probes(own, (const char *const[]){"time.scheme=\"rk2\"", "parallel.device=\"gpu\"", PLACES, NULL});
  check_probes(mhd, (const char *const[]){"time.scheme=\"rk3\"", "parallel.device=\"gpu\"", SHIFTED, PLACES, NULL});
}

TRIAD_TEST(flows_on_grids_that_are_drawn)
{
  CHECK(hd, "gpu", "time.scheme=\"rk2\"", SHIFTED, "output.aliasing=true");
  CHECK(boussinesq, "gpu", "time.scheme=\"rk3\"", SHIFTED, "output.aliasing=true");
  CHECK(mhd, "gpu", "time.scheme=\"rk4\"", SHIFTED);
  CHECK(mhd, "gpu", "time.scheme=\"rk2\"", SHIFTED, "equations.hall=0.1", "equations.scalars=[0.02]",
        "output.aliasing=true");
}

TRIAD_TEST(flows_on_two_grids)
{
  CHECK(hd, "gpu", "time.scheme=\"rk4\"", SHIFTED, EXACT, "output.aliasing=true");
  CHECK(mhd, "gpu", "time.scheme=\"rk2\"", SHIFTED, EXACT, "equations.hall=0.1");
}

#define WAVES "forcing.kind=\"formula\"", "forcing.u=\"0.3*sin(2*pi*z/9.75 - 30*t) + cos(9*t)*cos(2*pi*y/3.5)\""

TRIAD_TEST(forces_of_points_times_forces_of_time)
{
  CHECK(hd, "gpu", "time.scheme=\"rk4\"", WAVES, "forcing.scalars=[\"\", \"exp(t)*cos(2*pi*x/6.3)\"]");
  CHECK(hd, "gpu", "time.scheme=\"rk2\"", WAVES, SHIFTED);
  CHECK(boussinesq, "gpu", "time.scheme=\"rk3\"", WAVES, "forcing.theta=\"0.2*cos(2*pi*x/6.3 + 20*t)\"");
  CHECK(mhd, "offload", "time.scheme=\"rk3\"", WAVES, "forcing.by=\"t*sin(2*pi*x/6.3)\"");
}

TRIAD_TEST(forces_that_are_steady_or_along_the_field)
{
  CHECK(hd, "gpu", "time.scheme=\"rk2\"", "forcing.kind=\"abc\"", "grid.length=[6.0,6.0,6.0]");
  CHECK(hd, "offload", "time.scheme=\"rk2\"", "forcing.kind=\"abc\"", "grid.length=[6.0,6.0,6.0]");
  CHECK(boussinesq, "gpu", "time.scheme=\"rk3\"", "forcing.kind=\"taylor-green\"");
  CHECK(hd, "gpu", "time.scheme=\"rk2\"", "forcing.kind=\"linear\"", "forcing.rate=0.3");
  CHECK(mhd, "gpu", "time.scheme=\"rk4\"", "forcing.kind=\"linear\"", "forcing.field=\"magnetic\"");
  CHECK(mhd, "offload", "time.scheme=\"rk4\"", "forcing.kind=\"linear\"", "forcing.field=\"magnetic\"");
}

#define FORMULA "forcing.kind=\"formula\""

/* Of so many modes that they lie on the GPU as fields do, beside what is of fields and at points. */
TRIAD_TEST(forces_of_many_modes)
{
#define SPOT "exp(-(x-3)^2 - 9*(y-2)^2 - (z-5)^2)"
  const char *sets[] = {"parallel.device=\"gpu\"", "forcing.kind=\"formula\"", "forcing.v=\"" SPOT "\"", NULL};
  test_flow f = test_flow_make(test_together(), hd, sets);
  TRIAD_HOLDS(f.flow->forcing->formulas.fills, "%lld modes", (long long)f.flow->forcing->count);
  test_flow_free(&f);
  CHECK(hd, "gpu", "time.scheme=\"rk4\"", "forcing.kind=\"formula\"", "forcing.u=\"" SPOT "\"",
        "forcing.v=\"cos(20*t)*" SPOT " + 0.2*u\"", "forcing.scalars=[\"t*" SPOT "\", \"\"]");
  CHECK(mhd, "gpu", "time.scheme=\"rk3\"", "forcing.kind=\"formula\"", "forcing.bx=\"" SPOT "\"",
        "forcing.w=\"u*v - t*" SPOT "\"");
  CHECK(hd, "gpu", "time.scheme=\"rk2\"", "forcing.kind=\"formula\"", "forcing.u=\"" SPOT "*t\"", SHIFTED);
}

TRIAD_TEST(forces_of_fields_times_what_is_of_time)
{
  CHECK(hd, "gpu", "time.scheme=\"rk4\"", FORMULA, "forcing.u=\"0.5*v*cos(20*t) - 0.3*u + cos(2*pi*z/9.75)*t\"",
        "forcing.scalars=[\"w - v*t\"]");
  CHECK(hd, "gpu", "time.scheme=\"rk2\"", FORMULA, "forcing.u=\"0.5*v\"", SHIFTED);
  CHECK(boussinesq, "gpu", "time.scheme=\"rk3\"", FORMULA, "forcing.w=\"0.4*theta\"", "forcing.theta=\"-0.2*w*t\"");
}

/* ---- what of a force is not a sum of products ---- */

#define SOME \
  FORMULA, "forcing.u=\"sin(x*t*9 + z) + u*v\"", "forcing.w=\"if(y > 1, exp(-w^2), noise(4)) - 0.1*w\"", \
    "forcing.scalars=[\"tanh(u*x)\", \"0.2*v\"]"
#define MANY \
  FORMULA, "forcing.u=\"exp(-w^2) + exp(-v^2) + tanh(u)\"", "forcing.v=\"sin(u)*cos(v)*exp(-x*w)\"", \
    "forcing.w=\"erf(u) + log(1 + v^2) + sqrt(2 + w)\""

/* By lines along x that are compiled with them, of fields in registers, in shared memory and of one that is carried. */
TRIAD_TEST(forces_at_points_within_lines_along_x)
{
  CHECK_AT("within", hd, "time.scheme=\"rk4\"", SOME);
  CHECK_AT("within", hd, "time.scheme=\"rk2\"", FORMULA, "forcing.v=\"cos(z + 3*t*y)*u\"",
           "grid.truncation=\"sphere\"");
  /* a row of 40 points is a line of 20 numbers, one of 32 a half of a line of 32 */
  CHECK_AT("within", hd, "time.scheme=\"rk2\"", FORMULA, "grid.n=[40,8,9]", "forcing.u=\"cos(x*z + 3*t*y)*v\"",
           "forcing.w=\"0.3*v*w - sin(x*y)\"");
  CHECK_AT("within", boussinesq, "time.scheme=\"rk3\"", FORMULA, "forcing.theta=\"max(theta, -0.1)*cos(2*pi*x/6.3)\"",
           "forcing.v=\"0.1*t*v\"");
  CHECK_AT("within", mhd, "time.scheme=\"rk2\"", FORMULA, "forcing.bz=\"bx*by - abs(u)\"",
           "forcing.u=\"by*bz*sin(y + z*t)\"");
}

/* By a kernel of their own: of many functions, of a set whose pass is in pieces, of a carried field among several. */
TRIAD_TEST(forces_at_points_in_a_pass_of_their_own)
{
  CHECK_AT("a separate pass", hd, "time.scheme=\"rk2\"", MANY);
  CHECK_AT("a separate pass", boussinesq, "time.scheme=\"rk2\"", FORMULA,
           "forcing.theta=\"0.3*theta*theta - cos(x*y*t)\"", "equations.scalars=[0.02]");
  CHECK_AT("a separate pass", mhd, "time.scheme=\"rk2\"", FORMULA, "forcing.bz=\"bx*by - abs(u)\"",
           "equations.hall=0.1", "equations.scalars=[0.02]", "forcing.scalars=[\"u*bz\"]");
}

TRIAD_TEST(forces_at_points_by_the_host)
{
  TRIAD_EQUAL(setenv("TRIAD_NVRTC", "none", 1), 0, "setenv");
  CHECK_AT("on the host", hd, "time.scheme=\"rk4\"", SOME);
  TRIAD_EQUAL(unsetenv("TRIAD_NVRTC"), 0, "unsetenv");
}

/* Of a fluid at rest the first step follows from the largest |f| alone: of one component, and of several. */
TRIAD_TEST(what_forces_push_a_fluid_at_rest_with_limits_its_step)
{
  static const char *const of_one[] = {"forcing.u=\"2*exp(cos(2*pi*(y + x*z)/3.5)) + 0.1*u*v\"", "forcing.v=\"\"",
                                       "forcing.w=\"\""};
  static const char *const of_three[] = {"forcing.u=\"cos(x*y) + u*v\"", "forcing.v=\"3*sin(y*z) - w*w\"",
                                         "forcing.w=\"x*z*0.1 + u*u\""};
  for (int i = 0; i < 2; i++) {
    const char *const *f = i ? of_three : of_one;
    double t[2];
    for (int gpu = 0; gpu < 2; gpu++) {
      const char *sets[] = {gpu ? "parallel.device=\"gpu\"" : "parallel.device=\"cpu\"",
                            "initial.kind=\"rest\"",
                            FORMULA,
                            f[0],
                            f[1],
                            f[2],
                            NULL};
      triad_step step = {.cfl = 0.5, .land_on = INFINITY};
      test_flow flow = test_flow_make(test_together(), hd, sets);
      TRIAD_CHECK(triad_stepper_advance(flow.flow->stepper, flow.flow, &step));
      t[gpu] = flow.flow->at.t;
      test_flow_free(&flow);
    }
    TRIAD_HOLDS(t[0] > 0 && fabs(t[1] - t[0]) <= 4e-15 * t[0], "a step of %.17g, on the CPU %.17g", t[1], t[0]);
  }
}

/* functions enough for a separate pass */
#define OTHER "forcing.v=\"exp(u) + exp(v) + exp(w) + sin(u) + sin(v) + sin(w) + cos(u) + cos(v)\""

/* The step ends with 65 and tells the first point, whichever way it was worked out. */
TRIAD_TEST(a_value_that_is_none_is_told_with_its_place)
{
  for (int host = 0; host < 3; host++) { /* 2: in a pass of its own */
    const char *sets[] = {"parallel.device=\"gpu\"", FORMULA, "forcing.u=\"sqrt(0*u + 1 - step(y - 1.3)*2)\"",
                          "forcing.v=\"\"", NULL};
    triad_step step = {.dt = 0.01, .land_on = INFINITY};
    if (host == 1) TRIAD_EQUAL(setenv("TRIAD_NVRTC", "none", 1), 0, "setenv");
    if (host == 2) sets[3] = OTHER;
    test_flow f = test_flow_make(test_together(), hd, sets);
    TRIAD_FAILS(triad_stepper_advance(f.flow->stepper, f.flow, &step), TRIAD_ERR_CASE,
                "forcing.u is not a number at x = 0, y = 1.3125, z = 0, t = 0");
    test_flow_free(&f);
    TRIAD_EQUAL(unsetenv("TRIAD_NVRTC"), 0, "unsetenv");
  }
}

TRIAD_TEST(flows_that_pass_through)
{
  CHECK(hd, "offload", "time.scheme=\"rk3\"");
  CHECK(hd, "offload", "time.scheme=\"rk3\"", SHIFTED, "output.aliasing=true");
  CHECK(mhd, "offload", "time.scheme=\"rk2\"", SHIFTED, EXACT, "equations.hall=0.1");
}

/* ---- launches that are recorded ---- */

enum { SETS = 2 };
static const char *const recorded_sets[SETS][6] = {
  {"grid.n=[32,32,32]", "parallel.device=\"gpu\"", "time.scheme=\"rk2\""},
  {"grid.n=[32,32,32]", "parallel.device=\"gpu\"", "time.scheme=\"rk3\"", "equations.hall=0.1"}};

static int steps_of_all_lengths(void *self, int number)
{
  test_flow *f = (test_flow *)self + number;
  double columns[TRIAD_MAX_COLUMNS];
  triad_step step = {.dt_max = 0.02, .land_on = INFINITY};
  for (int n = 0; n < STEPS; n++) {
    step.cfl = 0.4 + 0.1 * n;
    TRIAD_TRY(triad_stepper_advance(f->flow->stepper, f->flow, &step));
    if (n == 0) TRIAD_TRY(triad_budget_measure(f->flow, columns)); /* which has passes of its own */
  }
  return triad_state_read_all(f->flow->state, TRIAD_HOST);
}

/* They find tau, b and e in the GPU's memory, and NaN where others have them; and their peaks in the host's: the
 * same bits. */
TRIAD_TEST(steps_that_are_recorded_by_turns_are_those_that_are_not)
{
  test_flow off[SETS], on[SETS];
  const int replays = fake_replays();
  TRIAD_EQUAL(setenv("TRIAD_GPU_GRAPHS", "off", 1), 0, "setenv");
  for (int i = 0; i < SETS; i++) off[i] = test_flow_make(test_together(), i ? mhd : hd, recorded_sets[i]);
  TRIAD_EQUAL(unsetenv("TRIAD_GPU_GRAPHS"), 0, "unsetenv");
  for (int i = 0; i < SETS; i++) on[i] = test_flow_make(test_together(), i ? mhd : hd, recorded_sets[i]);
  for (int i = 0; i < SETS; i++) TRIAD_CHECK(steps_of_all_lengths(off, i));
  TRIAD_EQUAL(fake_replays(), replays, "nothing was recorded");
  TRIAD_CHECK(triad_fibers_run(SETS, steps_of_all_lengths, NULL, on));
  TRIAD_EQUAL(fake_replays() - replays, SETS * 2 * (STEPS - 1), "two launches in each step but the first");
  for (int i = 0; i < SETS; i++) {
    TRIAD_HOLDS(on[i].flow->at.t == off[i].flow->at.t, "flow %d: t = %.17g, not %.17g", i, on[i].flow->at.t,
                off[i].flow->at.t);
    for (int f = 0; f < on[i].flow->shape.n_fields; f++)
      TRIAD_HOLDS(
        memcmp(on[i].flow->u[f], off[i].flow->u[f], (size_t)on[i].flow->layout->modes * sizeof **on[i].flow->u) == 0,
        "flow %d, field %d differs", i, f);
    test_flow_free(&on[i]);
    test_flow_free(&off[i]);
  }
}

/* ---- several flows in one process ---- */

enum { FLOWS = 4 };

/* What a work steps, and who has had the last turn. */
typedef struct together {
  test_flow flow[FLOWS];
  int last, changes;
} together;

static void one_step(together *t, int i, triad_step *step, int *st)
{
  if (*st == TRIAD_OK) *st = triad_stepper_advance(t->flow[i].flow->stepper, t->flow[i].flow, step);
  t->changes += t->last != i;
  t->last = i;
}

static int take_steps(void *self, int number)
{
  together *t = self;
  double columns[TRIAD_MAX_COLUMNS];
  triad_step step = {.cfl = 0.3 + 0.1 * number, .dt_max = 0.02, .land_on = INFINITY};
  int st = TRIAD_OK;
  for (int i = 0; i < STEPS; i++) {
    one_step(t, number, &step, &st);
    if (st == TRIAD_OK) st = triad_budget_measure(t->flow[number].flow, columns);
  }
  return st == TRIAD_OK ? triad_state_read_all(t->flow[number].flow->state, TRIAD_HOST) : st;
}

static void make_flows(together *t)
{
  static const char *const sets[FLOWS][4] = {
    {"parallel.device=\"gpu\"", "time.scheme=\"rk2\""},
    {"parallel.device=\"gpu\"", "time.scheme=\"rk3\"", SHIFTED},
    {"parallel.device=\"gpu\"", "time.scheme=\"rk4\"", "equations.hall=0.1"},
    {"parallel.device=\"gpu\"", FORMULA, "forcing.u=\"sin(x*t*9 + z) + u*v\""}};
  static const char *const text[FLOWS] = {hd, boussinesq, mhd, hd};
  *t = (together){.last = -1};
  for (int i = 0; i < FLOWS; i++) t->flow[i] = test_flow_make(test_together(), text[i], sets[i]);
}

/* The same kernels in the same order for each flow: not a bit may change. */
TRIAD_TEST(flows_by_turns_are_those_alone)
{
  together alone, turns;
  make_flows(&alone);
  make_flows(&turns);
  for (int i = 0; i < FLOWS; i++) TRIAD_CHECK(take_steps(&alone, i));
  TRIAD_CHECK(triad_fibers_run(FLOWS, take_steps, NULL, &turns));
  TRIAD_HOLDS(turns.changes > FLOWS, "%d changes of turns: all went one after the other", turns.changes);
  for (int i = 0; i < FLOWS; i++) {
    const triad_flow *a = alone.flow[i].flow, *b = turns.flow[i].flow;
    TRIAD_HOLDS(a->at.t == b->at.t && a->at.t > 0, "flow %d: t = %.17g, alone %.17g", i, b->at.t, a->at.t);
    for (int f = 0; f < a->shape.n_fields; f++)
      TRIAD_HOLDS(memcmp(a->u[f], b->u[f], (size_t)a->layout->modes * sizeof *a->u[f]) == 0,
                  "flow %d, field %d differs", i, f);
  }
  for (int i = 0; i < FLOWS; i++) {
    test_flow_free(&alone.flow[i]);
    test_flow_free(&turns.flow[i]);
  }
}

/* As many formulas at points as kernels take go to a GPU, one more leaves the flow to the CPU, unless a GPU was
 * asked for by name. */
TRIAD_TEST(more_formulas_than_kernels_take_are_for_the_cpu)
{
  for (int n = TRIAD_FORCE_KERNELS_TAKE; n <= TRIAD_FORCE_KERNELS_TAKE + 1; n++) {
    char scalars[600] = "equations.scalars=[", formulas[600] = "forcing.scalars=[";
    const int fits = n == TRIAD_FORCE_KERNELS_TAKE;
    for (int i = 0; i < n; i++) {
      strcat(scalars, i > 0 ? ", 0.01" : "0.01");
      strcat(formulas, i > 0 ? ", \"u*x\"" : "\"u*x\"");
    }
    strcat(scalars, "]");
    strcat(formulas, "]");
    const char *sets[] = {FORMULA, scalars, formulas, "equations.scalar_gradients=[]", "parallel.device=\"auto\"",
                          NULL};
    test_flow f = test_flow_make(test_together(), hd, sets);
    TRIAD_HOLDS(!f.flow->device == !fits, "%d formulas are on the %s", n, f.flow->device ? "GPU" : "CPU");
    if (fits) check_where(f.flow, "on the GPU", "as many as kernels take");
    test_flow_free(&f);
    triad_case *given = NULL;
    sets[4] = "parallel.device=\"gpu\"";
    TRIAD_CHECK(triad_case_parse(&given, "test", hd, strlen(hd), sets, 5));
    TRIAD_EQUAL(triad_device_check(triad_solver_spectral.devices, given), fits ? TRIAD_OK : TRIAD_ERR_FEATURE,
                "a GPU by name");
    triad_case_destroy(&given);
  }
}

/* AMD GPUs have no library of transforms: an axis without kernels is refused, with the reason. */
static int library = 1;
int __wrap_triad_device_transforms(void);
int __wrap_triad_device_transforms(void) { return library; }

TRIAD_TEST(without_a_library_of_transforms_every_axis_needs_kernels)
{
  static const char *const grid[] = {"grid.n=[32,64,32]", "grid.n=[32,17,32]", "grid.n=[32,32,34]"};
  for (int i = 0; i < 3; i++) {
    triad_case *given = NULL;
    const char *sets[] = {grid[i], "parallel.device=\"gpu\""};
    TRIAD_CHECK(triad_case_parse(&given, "test", hd, strlen(hd), sets, 2));
    library = 0;
    const int st = triad_device_check(triad_solver_spectral.devices, given);
    TRIAD_EQUAL(st, i == 0 ? TRIAD_OK : TRIAD_ERR_FEATURE, grid[i]);
    if (i > 0) TRIAD_HOLDS(strstr(triad_message(), "16 to 4096 points"), "%s", triad_message());
    library = 1;
    TRIAD_CHECK(triad_device_check(triad_solver_spectral.devices, given));
    triad_message_clear();
    triad_case_destroy(&given);
  }
}

TRIAD_MAIN
