/* Forces, cooling and sponges of a gas on a GPU that is the host (tests/help/fake), against those of the same flow
 * on the CPU: the state and the series, with what the force has put in.   ranks: 1 2 3   timeout: 200 */
#include "compressible.h"
#include "families.h"

#include "solvers/compressible/state/flow.h"

#define COMMON \
  "[equations]\nsolver = \"compressible\"\nviscosity = 0.002\n[grid]\nn = [15, 13, 14]\nlength = [1.0, 0.9, " \
  "1.1]\n[time]\nend = 1\n" \
  "[initial]\nkind = \"formula\"\np = \"1+0.1*cos(2*pi*x)\"\nrho = \"1+0.2*sin(2*pi*z/1.1)\"\nu = " \
  "\"0.6*sin(2*pi*z/1.1)\"\n" \
  "v = \"0.5*cos(2*pi*x)\"\nw = \"0.3*sin(2*pi*y/0.9)\"\n"
#define SPONGE "[sponge]\nrate = \"40*max(0, x - 0.4)^2\"\nrho = \"1.1\"\nu = \"0.2\"\np = \"1+0.1*y\"\n"
static const char noise[] =
  COMMON "[forcing]\nkind = \"ornstein-uhlenbeck\"\nk_range = [1, 3]\namplitude = 2\ncorrelation_time = 0.1\n"
         "solenoidal = 0.7\ncooling = \"internal-energy\"\n";
static const char steady[] = COMMON "[forcing]\nkind = \"linear\"\nrate = 3\ncooling = \"internal-energy\"\n";
static const char sponge[] = COMMON SPONGE;
static const char both[] = COMMON SPONGE "[forcing]\nkind = \"linear\"\nrate = 3\n";

#define GPU "parallel.device=\"gpu\""
#define SAME "time.scheme=\"ssprk3\""

enum { STEPS = 8 };

typedef struct test_flow {
  triad_case *given;
  triad_gas_flow *flow;
} test_flow;

static test_flow make(const char *text, const char *device, const char *more)
{
  const char *const sets[] = {device, "parallel.transport=\"auto\"", more};
  test_flow f = {NULL, NULL};
  if (triad_case_parse(&f.given, "test", text, strlen(text), sets, 3) != TRIAD_OK)
    fail_msg("the test's case: %s", f.given ? triad_case_errors(f.given) : triad_message());
  TRIAD_CHECK(triad_gas_create(&f.flow, triad_test_now.context, f.given, NULL));
  TRIAD_CHECK(triad_gas_initial(f.flow, NULL));
  TRIAD_CHECK(triad_solver_compressible.settle(f.flow, NULL, NULL));
  return f;
}

static void drop(test_flow *f)
{
  triad_gas_destroy(&f->flow);
  triad_case_destroy(&f->given);
}

static void advance(test_flow *f)
{
  for (int i = 0; i < STEPS; i++) {
    triad_step step = {.cfl = 0.5, .land_on = INFINITY};
    TRIAD_CHECK(triad_gas_advance(f->flow, &step));
  }
}

static double apart(test_flow *a, test_flow *b)
{
  return test_gas_apart(a->flow->weno, b->flow->weno, &a->flow->blocks);
}

/* Steps of three stages of a few hundred operations each and a kick: rounding. */
static void agree(const char *text, const char *device)
{
  double a[64], b[64];
  test_flow cpu = make(text, "parallel.device=\"cpu\"", SAME), gpu = make(text, device, SAME);
  test_flow plain = make(COMMON, "parallel.device=\"cpu\"", SAME);
  TRIAD_HOLDS(gpu.flow->device && !cpu.flow->device, "the device");
  TRIAD_HOLDS(cpu.flow->n_columns <= 64, "columns");
  advance(&cpu);
  advance(&gpu);
  advance(&plain);
  TRIAD_NEAR(gpu.flow->at.t, cpu.flow->at.t, 1e-12, "the time");
  TRIAD_WITHIN(apart(&cpu, &gpu), 0, 5e-12, "the state");
  TRIAD_HOLDS(apart(&cpu, &plain) > 1e-3, "nothing acts");
  TRIAD_CHECK(triad_gas_measure(cpu.flow, a));
  TRIAD_CHECK(triad_gas_measure(gpu.flow, b));
  for (int i = 0; i < cpu.flow->n_columns;
       i++) /* sums of terms as large as the energy, or nothing; powers over a step */
    TRIAD_WITHIN(b[i], a[i], 1e-10 * (fabs(a[i]) + fabs(a[0])), cpu.flow->columns[i].name);
  drop(&cpu);
  drop(&gpu);
  drop(&plain);
}

TRIAD_TEST(noise_of_a_band_with_cooling) { agree(noise, GPU); }
TRIAD_TEST(a_force_along_the_velocity) { agree(steady, GPU); }
TRIAD_TEST(a_sponge) { agree(sponge, GPU); }
TRIAD_TEST(a_sponge_round_a_force) { agree(both, GPU); }
TRIAD_TEST(auto_takes_the_gpu) { agree(noise, "parallel.device=\"auto\""); }

static double column(const test_flow *f, const double *row, const char *name)
{
  for (int i = 0; i < f->flow->n_columns; i++)
    if (strcmp(f->flow->columns[i].name, name) == 0) return row[i];
  fail_msg("no column %s", name);
  return NAN;
}

/* Cooling keeps the mean of the internal energy, and the force the momentum: each point is rounded some times a
 * step. */
TRIAD_TEST(what_is_kept_is_kept)
{
  double before[64], after[64];
  test_flow f = make(noise, GPU, SAME);
  TRIAD_CHECK(triad_gas_measure(f.flow, before));
  advance(&f);
  TRIAD_CHECK(triad_gas_measure(f.flow, after));
  TRIAD_NEAR(column(&f, after, "energy") - column(&f, after, "kinetic_energy"),
             column(&f, before, "energy") - column(&f, before, "kinetic_energy"), 1e-13, "the internal energy");
  TRIAD_WITHIN(column(&f, after, "momentum_drift"), 0, 1e-13, "the momentum");
  TRIAD_HOLDS(column(&f, after, "injection") != 0 && column(&f, after, "cooling") != 0, "powers");
  drop(&f);
}

TRIAD_MAIN
