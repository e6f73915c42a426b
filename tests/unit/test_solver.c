/* The run knows a solver by solvers/solver.h alone: a family of its own, numbers that decay, without a grid, a
 * transform, a GPU, spectra or slices, is checked, run, stopped and timed by the program's own code. It stands in
 * for the list of families (solvers/list.h), which is not linked here.   ranks: 1 3 */
#include "folder.h"
#include "test.h"

#include "run/bench.h"
#include "run/check.h"
#include "run/run.h"
#include "solvers/solver.h"

enum { NUMBERS = 5, BAD_STEP = 7 };

/* du/dt = -(i + 1) u on each rank, solved exactly. */
typedef struct decay {
  triad_context *context;
  triad_instant at;
  double u[NUMBERS];
} decay;

/* What the run has asked for. */
static struct {
  int flows, fields, checkpoints, blow_up, located;
  double fields_t[32];
  volatile sig_atomic_t *stop_at_third; /* set when the third step is taken; NULL: never */
} seen;

static int check(const triad_case *given, int size, int threads, triad_needs *needs)
{
  (void)given, (void)size, (void)threads;
  triad_needs_add(&needs->rank, "state", "all numbers", NUMBERS * 8);
  needs->checkpoint_bytes = needs->fields_bytes = 1000;
  needs->spectra_bytes = needs->slices_bytes = 1000000; /* which the family cannot write */
  needs->columns = 1;
  return TRIAD_OK;
}

static int create(void **flow, triad_context *context, const triad_case *given, const char *run_dir)
{
  (void)given, (void)run_dir;
  decay *d = *flow = calloc(1, sizeof *d);
  if (d) d->context = context;
  seen.flows += d != NULL;
  return d ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "numbers");
}

static void destroy(void **flow)
{
  seen.flows -= *flow != NULL;
  free(*flow);
  *flow = NULL;
}

static void describe(const void *flow, triad_log *log) { (void)flow, (void)log; }

static void columns(const void *flow, triad_series_info *info)
{
  static const triad_column_info energy = {"energy", "1", "sum u^2 / 2"};
  (void)flow;
  *info = (triad_series_info){"hd", 1, &energy};
}

static triad_instant instant(const void *flow) { return ((const decay *)flow)->at; }

static int initial(void *flow, triad_log *log)
{
  decay *d = flow;
  (void)log;
  d->at = (triad_instant){0};
  for (int i = 0; i < NUMBERS; i++) d->u[i] = 1;
  return TRIAD_OK;
}

static int restore(void *flow, const char *folder, const triad_manifest *about, triad_log *log)
{
  (void)flow, (void)folder, (void)about, (void)log;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "no checkpoint was written");
}

static int advance(void *flow, triad_step *step)
{
  decay *d = flow;
  triad_step_limits limits = {0};
  if (seen.blow_up && d->at.step == BAD_STEP) return TRIAD_ERR_BLOWUP;
  if (seen.stop_at_third && d->at.step == 2 && d->context->comm.rank == d->context->comm.size - 1)
    *seen.stop_at_third = TRIAD_REQUEST_STOP;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&step->request, &step->requested, 1, MPI_INT, MPI_MAX, d->context->comm.mpi)));
  triad_step_limit(&limits, "decay", step->cfl / NUMBERS);
  double dt = triad_step_length(step, d->at.t, &limits);
  for (int i = 0; i < NUMBERS; i++) d->u[i] *= exp(-(i + 1) * dt);
  triad_step_done(&d->at, step, dt);
  return TRIAD_OK;
}

static int locate(void *flow, char *text, size_t size)
{
  (void)flow;
  seen.located++;
  (void)snprintf(text, size, "everywhere");
  return TRIAD_OK;
}

static int measure(void *flow, double *values)
{
  const decay *d = flow;
  values[0] = 0;
  for (int i = 0; i < NUMBERS; i++) values[0] += d->u[i] * d->u[i] / 2;
  return TRIAD_OK;
}

static int fields(void *flow, const char *run_dir, const triad_notes *notes)
{
  (void)run_dir, (void)notes;
  if (seen.fields < 32) seen.fields_t[seen.fields] = ((decay *)flow)->at.t;
  seen.fields++;
  return TRIAD_OK;
}

static int checkpoint(void *flow, const char *run_dir, const triad_notes *notes)
{
  (void)flow, (void)run_dir, (void)notes;
  seen.checkpoints++;
  return TRIAD_OK;
}

static triad_device *device(const void *flow, int *offload)
{
  (void)flow;
  *offload = 0;
  return NULL;
}

static triad_costs costs(void *flow)
{
  (void)flow;
  return (triad_costs){.bytes = 16.0 * NUMBERS, .flops = NUMBERS, .cells = NUMBERS, .stages = 1, .transport = "none"};
}

static triad_phases phases(void *flow)
{
  (void)flow;
  return (triad_phases){{0}};
}

static const triad_solver toy = {.check = check, .create = create, .destroy = destroy, .describe = describe,
                                 .columns = columns, .instant = instant, .initial = initial, .restore = restore,
                                 .advance = advance, .locate = locate, .measure = measure, .fields = fields,
                                 .checkpoint = checkpoint, .device = device, .costs = costs, .phases = phases};

int triad_solver_find(const triad_solver **out, const triad_case *given)
{
  *out = triad_case_is(given, "equations.solver", "hd") /* a word that the schema knows */ ? &toy : NULL;
  return *out ? TRIAD_OK : TRIAD_ERR_FEATURE;
}

const triad_solver *triad_solver_family(int i) { return i == 0 ? &toy : NULL; }

/* ---- what the program makes of it ---- */

#define BASE                                                                                                       \
  "[equations]\nsolver = \"hd\"\n[grid]\nn = [8, 8, 8]\n[initial]\nkind = \"rest\"\n[time]\nend = 1.0\ncfl = 0.3\n" \
  "[output]\nfields_interval = 0.25\nspectra_interval = 0.07\nslices_interval = 0.03\nseries_interval = 0.5\n"     \
  "checkpoint_interval = 0.4\n"

static triad_case *make(const char *set)
{
  triad_case *c = NULL;
  TRIAD_CHECK(triad_case_parse(&c, "test", BASE, strlen(BASE), &set, 1));
  return c;
}

/* The toy run in a folder of its own; last: the row of series.csv that stands last, on rank 0. */
static int run(const triad_case *given, double last[4])
{
  char dir[TRIAD_PATH], path[TRIAD_PATH], line[256];
  volatile sig_atomic_t request = TRIAD_REQUEST_NONE;
  triad_run_options options = {.dir = dir, .request = &request};
  folder_make(dir);
  if (seen.stop_at_third) seen.stop_at_third = &request;
  int st = triad_run(triad_test_now.context, given, &options);
  TRIAD_CHECK(triad_disk_path(path, "%s/series.csv", dir));
  FILE *f = triad_test_comm()->rank == 0 ? fopen(path, "r") : NULL;
  while (f && fgets(line, sizeof line, f))
    (void)sscanf(line, "%lf,%lf,%lf,%lf", &last[0], &last[1], &last[2], &last[3]);
  if (f) (void)fclose(f);
  folder_delete(dir);
  return st;
}

TRIAD_TEST(run_takes_any_solver_to_its_end)
{
  triad_case *c = make("output.retry_limit=0");
  double last[4] = {0}, energy = 0;
  memset(&seen, 0, sizeof seen);
  TRIAD_CHECK(run(c, last));
  for (int i = 0; i < NUMBERS; i++) energy += exp(-2.0 * (i + 1)) / 2;
  if (triad_test_comm()->rank == 0) {
    TRIAD_NEAR(last[1], 1, 0, "the end");
    TRIAD_NEAR(last[3], energy, 1e-14, "sum exp(-2 (i + 1) t)/2 in series.csv");
  }
  TRIAD_EQUAL(seen.fields, 5, "sets of fields, at 0, 0.25, .. 1");
  for (int i = 0; i < 5; i++) TRIAD_NEAR(seen.fields_t[i], 0.25 * i, 0, "the time that a step landed on");
  TRIAD_EQUAL(seen.checkpoints, 3, "checkpoints at 0.4, 0.8 and the end");
  TRIAD_EQUAL(seen.flows, 0, "flows left");
  triad_case_destroy(&c);
}

TRIAD_TEST(what_a_solver_does_not_write_cuts_no_step)
{
  triad_case *c = make("output.fields_interval=0");
  double last[4] = {0};
  memset(&seen, 0, sizeof seen);
  TRIAD_CHECK(run(c, last));
  /* dt = 0.3/5 = 0.06 and marks at 0.4, 0.8 and 1: 7 steps to each of two, of which the last two share what is left,
   * and 4 */
  if (triad_test_comm()->rank == 0) TRIAD_NEAR(last[0], 7 + 7 + 4, 0, "steps");
  triad_case_destroy(&c);
}

TRIAD_TEST(request_of_one_rank_stops_any_solver_with_a_checkpoint)
{
  triad_case *c = make("output.retry_limit=0");
  double last[4] = {0};
  volatile sig_atomic_t here;
  memset(&seen, 0, sizeof seen);
  seen.stop_at_third = &here;
  TRIAD_EQUAL(run(c, last), TRIAD_STOPPED, "stopped as asked");
  TRIAD_EQUAL(seen.checkpoints, 1, "checkpoints");
  TRIAD_EQUAL(seen.flows, 0, "flows left");
  triad_case_destroy(&c);
}

TRIAD_TEST(blow_up_of_any_solver_is_told_and_returned)
{
  triad_case *c = make("output.retry_limit=0");
  double last[4] = {0};
  memset(&seen, 0, sizeof seen);
  seen.blow_up = 1;
  TRIAD_EQUAL(run(c, last), TRIAD_ERR_BLOWUP, "status");
  TRIAD_EQUAL(seen.located, 1, "times it was asked where");
  TRIAD_EQUAL(seen.flows, 0, "flows left");
  triad_case_destroy(&c);
}

TRIAD_TEST(check_plans_only_what_the_solver_writes)
{
  triad_case *c = make("output.keep=2");
  triad_needs n;
  TRIAD_CHECK(triad_check(c, 2, 1, &n));
  TRIAD_NEAR(n.spectra + n.slices, 0, 0, "files it cannot write");
  TRIAD_NEAR(n.fields, 5, 0, "sets of fields");
  /* all three checkpoints, the third before the first goes, and rows at 0, 0.5, 1 of four numbers in 20 bytes */
  TRIAD_NEAR(n.total_bytes, 5 * 1000 + 3 * 1000 + 3 * 4 * 20, 0, "bytes in all");
  triad_case_destroy(&c);
  c = make("parallel.transport=\"nccl\"");
  TRIAD_FAILS(triad_check(c, 1, 1, &n), TRIAD_ERR_FEATURE, "no GPU part");
  triad_case_destroy(&c);
}

TRIAD_TEST(bench_times_any_solver)
{
  triad_case *c = make("output.keep=2");
  triad_bench_result r;
  triad_bench_options options = {.steps = 5};
  memset(&seen, 0, sizeof seen);
  TRIAD_CHECK(triad_bench(triad_test_now.context, c, &options, &r));
  double all = 0;
  for (int i = 0; i < TRIAD_PHASES; i++) all += r.phases.s[i];
  TRIAD_NEAR(all, r.median_s, 1e-12, "phases add up to the step");
  TRIAD_NEAR(r.bytes, 16.0 * NUMBERS * triad_test_comm()->size, 0, "bytes of all ranks");
  TRIAD_HOLDS(r.q1_s > 0 && r.q1_s <= r.median_s && r.median_s <= r.q3_s, "%g, %g, %g", r.q1_s, r.median_s, r.q3_s);
  options.reference = 1;
  hush();
  TRIAD_FAILS(triad_bench(triad_test_now.context, c, &options, &r), TRIAD_ERR_FEATURE, "");
  speak();
  TRIAD_EQUAL(seen.flows, 0, "flows left");
  triad_case_destroy(&c);
}

TRIAD_MAIN
