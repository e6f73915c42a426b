/* What every solver's steps share: their length, landing on output times, when outputs are due, the device they are
 * taken on, and the plan of files.   ranks: 1 2 quick: 1 */
#include "test.h"
#include "families.h"

#include "base/random.h"
#include "run/check.h"
#include "run/outputs.h"
#include "solvers/device_choice.h"
#include "solvers/step.h"

#include <float.h>

static double draw(uint64_t i) { return (double)(triad_random_bits(i, 0, 0, 0, 0).v[0] >> 8) / (1 << 24); }

/* ---- length ---- */

TRIAD_TEST(step_is_the_shortest_that_a_process_allows_and_says_which)
{
  triad_step step = {.cfl = 0.5, .land_on = INFINITY};
  triad_step_limits limits = {0};
  triad_step_limit(&limits, "advection", 0.3);
  triad_step_limit(&limits, "waves", 0.2);
  triad_step_limit(&limits, "forcing", INFINITY);
  TRIAD_NEAR(triad_step_length(&step, 1.5, &limits), 0.2, 0, "the smallest of all");
  TRIAD_HOLDS(strcmp(step.limit, "waves") == 0, "limited by %s, not by waves", step.limit);
  step.dt_max = 0.1;
  TRIAD_NEAR(triad_step_length(&step, 1.5, &limits), 0.1, 0, "dt_max");
  TRIAD_HOLDS(strcmp(step.limit, "time.dt_max") == 0, "limited by %s, not by time.dt_max", step.limit);
  step.dt = 7;
  TRIAD_NEAR(triad_step_length(&step, 1.5, &limits), 7, 0, "a fixed step heeds none");
}

/* Take steps of at most `longest` from t to land_on: they end there exactly, none is longer, and the ones before it are
 * shorter by half at most, and then only the last two. */
static void land(double t, double land_on, double longest)
{
  triad_step step = {.cfl = 1, .land_on = land_on};
  triad_instant at = {.step = 3, .t = t};
  int64_t short_ones = 0, taken = 0;
  for (; at.t < land_on && taken < 10000; taken++) {
    triad_step_limits limits = {0};
    triad_step_limit(&limits, "advection", longest);
    double left = land_on - at.t, dt = triad_step_length(&step, at.t, &limits);
    triad_step_done(&at, &step, dt);
    short_ones += dt < longest * (1 - 1e-12);
    TRIAD_HOLDS(dt <= longest * (1 + 1e-9), "a step of %.17g, %.17g allowed", dt, longest);
    TRIAD_HOLDS(dt >= longest / 2 * (1 - 1e-9) || left < longest, "a step of %g with %g left, %g allowed", dt, left,
                longest);
  }
  TRIAD_NEAR(at.t, land_on, 0, "lands exactly");
  TRIAD_EQUAL(at.step, 3 + taken, "steps counted");
  TRIAD_HOLDS(short_ones <= 2, "%lld steps were cut", (long long)short_ones);
}

TRIAD_TEST(steps_land_exactly_and_leave_no_sliver)
{
  for (uint64_t i = 0; i < 200; i++) land(10 * draw(i), 11 + draw(i + 1000), 0.001 + 0.3 * draw(i + 2000));
  land(0, 0.9, 0.1); /* a multiple but for rounding */
}

/* n fixed steps of end / n: as many, none a sliver, each at its multiple; and an output every 10 of them. */
static void take_fixed(double dt, int64_t n)
{
  triad_step step = {.dt = dt, .land_on = (double)n * dt};
  const triad_step_limits none = {0};
  triad_instant at = {.step = 0};
  int64_t late = 0, off = 0;
  while (at.t < step.land_on && at.step < 2 * n) {
    const double before = at.t;
    triad_step_done(&at, &step, triad_step_length(&step, before, &none));
    off += fabs(at.t - (double)at.step * dt) > DBL_EPSILON * at.t;
    late += triad_due(10 * dt, before, at.t) != (at.step % 10 == 0);
  }
  TRIAD_HOLDS(
    at.step == n && off == 0 && late == 0,
    "dt = %g: %lld steps, expected %lld; %lld times are no multiple of it, %lld outputs at another step than theirs",
    dt, (long long)at.step, (long long)n, (long long)off, (long long)late);
}

TRIAD_TEST(fixed_steps_are_as_many_as_divide_the_end_and_outputs_come_at_their_multiples)
{
  take_fixed(1e-5, 100000);
  take_fixed(1e-3, 100000);
  take_fixed(0.1, 3);
  take_fixed(1.0 / 3, 30000);
  take_fixed(1e-6, 1000000);
}

TRIAD_TEST(fixed_step_from_a_time_that_is_no_multiple_adds_itself)
{
  triad_step step = {.dt = 0.1, .land_on = INFINITY};
  triad_instant at = {.t = 0.25};
  triad_step_done(&at, &step, 0.1);
  TRIAD_NEAR(at.t, 0.35, 1e-15, "t + dt");
  at.t = 1e20;
  triad_step_done(&at, &step, 0.1);
  TRIAD_NEAR(at.t, 1e20, 0, "a step that moves t no more");
}

TRIAD_TEST(flow_without_any_rate_goes_to_the_next_mark_at_once)
{
  const triad_step_limits none = {0};
  triad_step step = {.cfl = 0.5, .land_on = 2};
  TRIAD_NEAR(triad_step_length(&step, 0.5, &none), 1.5, 0, "all that is left");
}

/* ---- outputs ---- */

/* Whatever steps led there, a multiple of the interval in (before, t] makes an output due: as many as there are
 * multiples. */
TRIAD_TEST(each_multiple_of_an_interval_is_due_once)
{
  for (uint64_t i = 0; i < 50; i++) {
    double interval = 0.05 + draw(i), t = 0, end = 20 * interval;
    int due = 0;
    for (uint64_t k = 0; t < end - 1e-6 * interval; k++) {
      double next = fmin(fmin(t + interval * draw(100 * i + k), triad_next(interval, t)), end);
      TRIAD_HOLDS(triad_next(interval, t) > t, "the next multiple after %g is %g", t, triad_next(interval, t));
      due += triad_due(interval, t, next);
      t = next;
    }
    TRIAD_EQUAL(due, 20, "outputs due in 20 intervals");
  }
  TRIAD_EQUAL(triad_due(0, 0, 100), 0, "without an interval");
}

/* ---- devices ---- */

#define BASE "[equations]\nsolver = \"hd\"\n[grid]\nn = [8, 8, 8]\n[initial]\nkind = \"abc\"\n[time]\nend = 1.0\n"

static triad_case *make(const char *set1, const char *set2)
{
  triad_case *c = NULL;
  const char *sets[] = {set1, set2};
  TRIAD_CHECK(triad_case_parse(&c, "test", BASE, strlen(BASE), sets, 2));
  return c;
}

static void refused(const triad_device_support *support, const char *device, const char *transport, const char *part)
{
  triad_case *c = make(device, transport);
  TRIAD_FAILS(triad_device_check(support, c), TRIAD_ERR_FEATURE, part);
  triad_case_destroy(&c);
}

TRIAD_TEST(solver_without_a_gpu_part_takes_the_cpu_or_is_refused)
{
  const triad_device_support plain = {.kinds = 0};
  triad_device *device = NULL;
  int offload;
  refused(&plain, "parallel.device=\"gpu\"", "parallel.transport=\"auto\"", "no GPU support");
  refused(&plain, "parallel.device=\"offload\"", "parallel.transport=\"auto\"", "no GPU support");
  refused(&plain, "parallel.device=\"auto\"", "parallel.transport=\"nccl\"", "no GPU support");
  refused(&plain, "parallel.device=\"cpu\"", "parallel.transport=\"nccl\"", "parallel.device is \"cpu\"");
  triad_case *c = make("parallel.device=\"auto\"", "parallel.transport=\"mpi\"");
  TRIAD_CHECK(triad_device_check(&plain, c));
  TRIAD_CHECK(triad_device_choose(&device, &offload, &plain, (triad_context *)triad_test_context(), c));
  TRIAD_HOLDS(device == NULL && !offload, "\"auto\" is the CPU");
  TRIAD_EQUAL(triad_device_expected(&plain, c), 0, "a GPU is expected");
  triad_case_destroy(&c);
}

static const char *never(const triad_case *given)
{
  (void)given;
  return "this case has odd lines";
}

TRIAD_TEST(device_that_was_asked_for_by_name_is_never_replaced)
{
  const triad_device_support all = {.kinds = TRIAD_TAKES_GPU, .refusal = never};
  const char *why = !triad_device_built()       ? "no CUDA support"
                    : triad_device_count() == 0 ? "no GPU is available"
                                                : "odd lines";
  triad_device *device = NULL;
  int offload;
  refused(&all, "parallel.device=\"gpu\"", "parallel.transport=\"auto\"", why);
  refused(&all, "parallel.device=\"auto\"", "parallel.transport=\"nccl\"", why);
  refused(&all, "parallel.device=\"offload\"", "parallel.transport=\"auto\"", "is not available in solver");
  triad_case *c = make("parallel.device=\"gpu\"", "parallel.transport=\"auto\"");
  triad_context *context = (triad_context *)triad_test_context();
  TRIAD_FAILS(triad_device_choose(&device, &offload, &all, context, c), TRIAD_ERR_FEATURE, "");
  TRIAD_HOLDS(device == NULL, "no device is left behind");
  triad_case_destroy(&c);
}

/* ---- files ---- */

/* time.end = 1: an interval of 0.25 gives outputs at 0, 0.25, .. 1; three checkpoints are kept, and a fourth stands
 * while the oldest goes. */
TRIAD_TEST(plan_of_files_counts_what_intervals_give)
{
  triad_needs n;
  triad_case *c = make("output.checkpoint_interval=0.25", "output.keep=3");
  TRIAD_CHECK(triad_check(c, 1, 1, &n));
  TRIAD_NEAR(n.checkpoints, 5, 0, "checkpoints");
  TRIAD_NEAR(n.fields, 0, 0, "sets of fields without an interval");
  double rest = n.total_bytes - 4 * (double)n.checkpoint_bytes;
  triad_case_destroy(&c);
  c = make("output.checkpoint_interval=0", "output.keep=3");
  TRIAD_CHECK(triad_check(c, 1, 1, &n));
  TRIAD_NEAR(n.checkpoints, 1, 0, "that of the end");
  TRIAD_NEAR(n.total_bytes - (double)n.checkpoint_bytes, rest, 1e-14, "bytes of the other files");
  double without = n.total_bytes;
  triad_case_destroy(&c);
  c = make("output.checkpoint_interval=0", "output.fields_interval=0.5");
  TRIAD_CHECK(triad_check(c, 1, 1, &n));
  TRIAD_NEAR(n.fields, 3, 0, "sets of fields");
  TRIAD_NEAR(n.fields_bytes, 3 * 8 * 8 * 8 * 8, 0, "u, v, w of 8^3 points in double");
  TRIAD_NEAR(n.total_bytes - without, 3 * 3 * 8 * 8 * 8 * 8, 1e-14, "bytes that they add");
  triad_case_destroy(&c);
  c = make("time.max_steps=2", "output.fields_interval=1e-3");
  TRIAD_CHECK(triad_check(c, 1, 1, &n));
  TRIAD_NEAR(n.fields, 3, 0, "one a step, and that of the start, though 1001 would fit before time.end");
  triad_case_destroy(&c);
}

TRIAD_MAIN
