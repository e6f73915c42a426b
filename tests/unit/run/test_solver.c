/* The run knows a solver by solvers/solver.h alone: a family of its own, numbers that decay, without a
 * transform, a GPU, spectra or slices, is checked, run, stopped, resumed and timed by the program's own code, and its
 * checkpoints and fields are written by it. It stands in
 * for the list of families (solvers/list.h), which is not linked here.   ranks: 1 3 quick: 1 */
#include "folder.h"
#include "test.h"
#include "families.h"

#include "run/bench/bench.h"
#include "run/check.h"
#include "run/run.h"
#include "store/fields/fieldfile.h"
#include "solvers/solver.h"

enum { NUMBERS = 5, BAD_STEP = 7 };

static const triad_field_info number = {"number", "a number that decays", "1", TRIAD_SCALAR};

/* du/dt = -(i + 1) u at point i of a line along z, dealt to ranks, solved exactly. */
typedef struct decay {
  triad_context *context;
  triad_partition part;
  triad_space space;
  triad_state *state;
  triad_instant at;
  double u[NUMBERS]; /* at this rank's points */
} decay;

/* What the run has asked for. */
static struct {
  int flows, values, kept, started, resumed, blow_up, located, conserves;
  double values_t[32];
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
  static const int64_t n[3] = {1, 1, NUMBERS};
  static const int periodic[3] = {0, 0, 0};
  static const double length[3] = {1, 1, NUMBERS};
  const triad_comm *comm = &context->comm;
  decay *d = *flow = calloc(1, sizeof *d);
  if (!d) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "numbers");
  seen.flows++;
  d->context = context;
  TRIAD_TRY(triad_partition_init(&d->part, n, periodic, 0, comm->rank, comm->size, NULL));
  triad_space_box(&d->space, &d->part, length);
  TRIAD_TRY(triad_state_create(&d->state, context->memory, &d->space, &number, 1));
  triad_state_attach(d->state, 0, TRIAD_HOST, d->u);
  return TRIAD_OK;
}

static void destroy(void **flow)
{
  decay *d = *flow;
  if (!d) return;
  seen.flows--;
  triad_state_destroy(&d->state);
  free(d);
  *flow = NULL;
}

static void describe(const void *flow, triad_log *log) { (void)flow, (void)log; }

static void columns(const void *flow, triad_series_info *info)
{
  static const triad_column_info energy = {"energy", "1", .formula = "sum u^2 / 2"};
  (void)flow;
  *info = (triad_series_info){"hd", 1, &energy};
}

static triad_state *state(void *flow) { return ((decay *)flow)->state; }

static triad_instant *instant(void *flow) { return &((decay *)flow)->at; }

static int keep(const void *flow, triad_notes *notes)
{
  (void)flow;
  seen.kept++;
  return triad_notes_set_real(notes, "kept", 42);
}

static int initial(void *flow, triad_log *log)
{
  decay *d = flow;
  (void)log;
  for (int i = 0; i < NUMBERS; i++) d->u[i] = 1;
  return TRIAD_OK;
}

static int settle(void *flow, const triad_manifest *resumed, triad_log *log)
{
  double kept = 0;
  (void)flow, (void)log;
  seen.started += resumed == NULL;
  seen.resumed += resumed != NULL;
  if (!resumed) return TRIAD_OK;
  TRIAD_CHECK(triad_notes_real(resumed->notes, "kept", &kept));
  TRIAD_NEAR(kept, 42, 0, "what the family keeps");
  return TRIAD_OK;
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
  for (int64_t i = 0; i < d->part.local[2]; i++) d->u[i] *= exp(-(double)(d->part.begin[2] + i + 1) * dt);
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

static int measure(void *flow, double *numbers)
{
  const decay *d = flow;
  double mine = 0;
  for (int64_t i = 0; i < d->part.local[2]; i++) mine += d->u[i] * d->u[i] / 2;
  return TRIAD_MPI(MPI_Allreduce(&mine, numbers, 1, MPI_DOUBLE, MPI_SUM, d->context->comm.mpi));
}

/* Which it does not: the energy falls as sum exp(-2 (i + 1) t)/2. */
static int conserved(const void *flow, const double *first, triad_conserved *list)
{
  (void)flow;
  list[0] = (triad_conserved){0, first[0], 0.01, "numbers that do not decay"};
  return seen.conserves;
}

static void values_info(const void *flow, triad_values_info *info)
{
  *info = (triad_values_info){1, &number, ((const decay *)flow)->space};
}

static int values(void *flow, int which, void *out)
{
  const decay *d = flow;
  TRIAD_EQUAL(which, 0, "the field asked for");
  memcpy(out, d->u, (size_t)d->part.local[2] * sizeof *d->u);
  if (seen.values < 32) seen.values_t[seen.values] = d->at.t;
  seen.values++;
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

static const triad_blowup_part blowup = {.locate = locate};

static const triad_solver toy = {.check = check,
                                 .create = create,
                                 .destroy = destroy,
                                 .describe = describe,
                                 .columns = columns,
                                 .state = state,
                                 .instant = instant,
                                 .keep = keep,
                                 .initial = initial,
                                 .settle = settle,
                                 .advance = advance,
                                 .blowup = &blowup,
                                 .measure = measure,
                                 .conserved = conserved,
                                 .values_info = values_info,
                                 .values = values,
                                 .device = device,
                                 .costs = costs,
                                 .phases = phases};

int triad_solver_find(const triad_solver **out, const triad_case *given)
{
  *out = triad_case_is(given, "equations.solver", "hd") /* a word that the schema knows */ ? &toy : NULL;
  return *out ? TRIAD_OK : TRIAD_ERR_FEATURE;
}

const triad_solver *triad_solver_family(int i) { return i == 0 ? &toy : NULL; }

/* ---- what the program makes of it ---- */

#define BASE \
  "[equations]\nsolver = \"hd\"\n[grid]\nn = [8, 8, 8]\n[initial]\nkind = \"rest\"\n[time]\nend = 1.0\ncfl = 0.3\n" \
  "[output]\nfields_interval = 0.25\nspectra_interval = 0.07\nslices_interval = 0.03\nseries_interval = 0.5\n" \
  "checkpoint_interval = 0.4\n"

static triad_case *make(const char *set)
{
  triad_case *c = NULL;
  TRIAD_CHECK(triad_case_parse(&c, "test", BASE, strlen(BASE), &set, 1));
  return c;
}

/* The toy run in `dir`; last: the row of series.csv that stands last, on rank 0. */
static int run_in(const char *dir, const triad_case *given, double last[4])
{
  char path[TRIAD_PATH], line[256];
  volatile sig_atomic_t request = TRIAD_REQUEST_NONE;
  triad_run_options options = {.dir = dir, .request = &request};
  if (seen.stop_at_third) seen.stop_at_third = &request;
  int st = triad_run(triad_test_now.context, given, &options);
  TRIAD_CHECK(triad_disk_path(path, "%s/series.csv", dir));
  FILE *f = triad_test_comm()->rank == 0 ? fopen(path, "r") : NULL;
  while (f && fgets(line, sizeof line, f))
    (void)sscanf(line, "%lf,%lf,%lf,%lf", &last[0], &last[1], &last[2], &last[3]);
  if (f) (void)fclose(f);
  return st;
}

static int run(const triad_case *given, double last[4])
{
  char dir[TRIAD_PATH];
  folder_make(dir);
  int st = run_in(dir, given, last);
  folder_delete(dir);
  return st;
}

/* The numbers of an HDF5 file, which all ranks read. */
static void numbers_of(const char *dir, const char *name, double out[NUMBERS])
{
  char path[TRIAD_PATH];
  TRIAD_CHECK(triad_disk_path(path, "%s/%s", dir, name));
  TRIAD_CHECK(triad_fieldfile_read(path, "number", 0, NUMBERS, out));
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
  TRIAD_EQUAL(seen.values, 5, "sets of fields, at 0, 0.25, .. 1");
  for (int i = 0; i < 5; i++) TRIAD_NEAR(seen.values_t[i], 0.25 * i, 0, "the time that a step landed on");
  TRIAD_EQUAL(seen.kept, 3, "checkpoints at 0.4, 0.8 and the end");
  TRIAD_EQUAL(seen.started, 1, "starts");
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
  TRIAD_EQUAL(seen.kept, 1, "checkpoints");
  TRIAD_EQUAL(seen.flows, 0, "flows left");
  triad_case_destroy(&c);
}

TRIAD_TEST(any_solver_resumes_with_the_numbers_it_stopped_with_and_its_files_hold_them)
{
  triad_case *c = make("output.fields_interval=1");
  char dir[TRIAD_PATH];
  double last[4] = {0}, numbers[NUMBERS];
  volatile sig_atomic_t here;
  memset(&seen, 0, sizeof seen);
  seen.stop_at_third = &here;
  folder_make(dir);
  TRIAD_EQUAL(run_in(dir, c, last), TRIAD_STOPPED, "stopped as asked");
  /* asked in the third step, heard in the fourth; each is of 0.3/5 */
  numbers_of(dir, "checkpoints/step-00000004/points.h5", numbers);
  for (int i = 0; i < NUMBERS; i++) TRIAD_NEAR(numbers[i], exp(-0.24 * (i + 1)), 1e-14, "in the checkpoint");
  seen.stop_at_third = NULL;
  TRIAD_CHECK(run_in(dir, c, last));
  TRIAD_EQUAL(seen.started, 1, "starts");
  TRIAD_EQUAL(seen.resumed, 1, "resumptions");
  /* the steps to 0.4, 0.8 and 1 are those of an unbroken run: 7, 7 and 4 */
  numbers_of(dir, "fields/fields-00000018.h5", numbers);
  for (int i = 0; i < NUMBERS; i++) TRIAD_NEAR(numbers[i], exp(-1.0 * (i + 1)), 1e-14, "in the file of fields");
  TRIAD_EQUAL(seen.flows, 0, "flows left");
  folder_delete(dir);
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

/* Rows at every step, of 0.06 and once of 0.05. After steps 2 to 6 the energy is 0.516, 0.386, 0.295, 0.231, 0.191
 * of what it was. */
static triad_case *losing(const char *limit)
{
  const char *set[] = {"output.series_interval=0", "output.fields_interval=0", limit};
  triad_case *c = NULL;
  TRIAD_CHECK(triad_case_parse(&c, "test", BASE, strlen(BASE), set, 3));
  memset(&seen, 0, sizeof seen);
  seen.conserves = 1;
  return c;
}

TRIAD_TEST(run_ends_at_the_first_row_that_has_lost_more_than_the_limit_of_what_is_conserved)
{
  static const struct {
    const char *limit;
    int status;
    double step;
  } expect[] = {{"time.drift_limit=0.5", TRIAD_ERR_BLOWUP, 3},
                {"time.drift_limit=0.8", TRIAD_ERR_BLOWUP, 6},
                {"time.drift_limit=1", TRIAD_OK, 18},
                {"time.drift_limit=0", TRIAD_OK, 18}};
  for (int i = 0; i < 4; i++) {
    double last[4] = {0};
    triad_case *c = losing(expect[i].limit);
    TRIAD_EQUAL(run(c, last), expect[i].status, expect[i].limit);
    if (triad_test_comm()->rank == 0) TRIAD_NEAR(last[0], expect[i].step, 0, expect[i].limit);
    TRIAD_EQUAL(seen.located, 0, "nothing is said to be no number");
    TRIAD_EQUAL(seen.flows, 0, "flows left");
    triad_case_destroy(&c);
  }
}

TRIAD_TEST(run_that_is_resumed_compares_with_the_row_that_it_began_with)
{
  char dir[TRIAD_PATH];
  double last[4] = {0};
  volatile sig_atomic_t here;
  triad_case *c = losing("time.drift_limit=0.8");
  seen.stop_at_third = &here;
  folder_make(dir);
  TRIAD_EQUAL(run_in(dir, c, last), TRIAD_STOPPED, "stopped as asked, after step 4");
  seen.stop_at_third = NULL;
  TRIAD_EQUAL(run_in(dir, c, last), TRIAD_ERR_BLOWUP, "status");
  if (triad_test_comm()->rank == 0) TRIAD_NEAR(last[0], 6, 0, "the step at which an unbroken run ends");
  folder_delete(dir);
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
  TRIAD_FAILS(triad_check(c, 1, 1, &n), TRIAD_ERR_FEATURE, "no GPU support");
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
  for (int i = 0; i < TRIAD_MOST_PHASES; i++) all += r.phases.s[i];
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
