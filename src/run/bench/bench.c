/* Time the steps of a flow, alternating with a reference transform, and measure phases, copies and memory. */
#include "run/bench/bench.h"
#include "run/bench/bench_measure.h"
#include "run/bench/bench_turns.h"

#include "fft/lines/reference.h"
#include "parallel/device_library.h"
#include "solvers/box/files.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { WARM_UP = 2, APART = 3 /* steps on a GPU that phases are timed in */, PAIRS = 10 };

/* The library's transform, in both precisions. */
static const struct {
  int (*create)(triad_reference **out, triad_context *context, triad_device *device, const triad_grid *grid);
  void (*destroy)(triad_reference **reference, triad_context *context);
  int (*time)(triad_reference *reference, triad_context *context, double *seconds);
} library[] = {{triad_reference_create, triad_reference_destroy, triad_reference_time},
               {triadf_reference_create, triadf_reference_destroy, triadf_reference_time}};

typedef struct bench {
  triad_context *context;
  const triad_case *given;
  const triad_bench_options *options;
  const triad_solver *solver;
  void *flow;
  triad_device *device; /* NULL: the CPU */
  int offload;
  double *times, *references; /* [steps] */
  triad_bench_result *result;
} bench;

static int timed_step(const bench *b, double *slowest)
{
  const triad_comm *comm = &b->context->comm;
  TRIAD_TRY(TRIAD_MPI(MPI_Barrier(comm->mpi)));
  double begin = triad_now();
  TRIAD_TRY(triad_bench_advance(b->solver, b->flow, b->given));
  double took = triad_now() - begin;
  return TRIAD_MPI(MPI_Allreduce(&took, slowest, 1, MPI_DOUBLE, MPI_MAX, comm->mpi));
}

/* Of the timed steps; of a state that passes through a GPU the bytes are those of the busier way over the bus. */
static int share_costs(const bench *b)
{
  triad_bench_result *r = b->result;
  const triad_costs cost = b->solver->costs(b->flow);
  int steps = b->options->steps;
  double mine[6] = {cost.bytes,          cost.sent_bytes,      cost.flops,
                    cost.bus_in / steps, cost.bus_out / steps, cost.iteration_bytes};
  double all[6], slowest;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine, all, 6, MPI_DOUBLE, MPI_SUM, b->context->comm.mpi)));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&cost.solve_s, &slowest, 1, MPI_DOUBLE, MPI_MAX, b->context->comm.mpi)));
  r->start_parts = cost.start_parts < TRIAD_BENCH_STARTS ? cost.start_parts : TRIAD_BENCH_STARTS;
  for (int i = 0; i < r->start_parts; i++) {
    r->start[i].name = cost.start[i].name;
    TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&cost.start[i].s, &r->start[i].s, 1, MPI_DOUBLE, MPI_MAX, b->context->comm.mpi)));
  }
  r->solves = cost.solves / steps;
  r->iterations = cost.iterations / steps;
  r->solve_s = slowest / steps;
  r->solve_overlaps = cost.overlaps;
  r->iteration_bytes = all[5];
  r->over_bus = b->offload;
  r->bytes = b->offload ? fmax(all[3], all[4]) : all[0];
  r->sent_bytes = all[1];
  r->flops = all[2];
  r->transforms = cost.transforms;
  r->cells = cost.cells;
  r->stages = cost.stages;
  r->nstreams = cost.nstreams;
  r->chunks = cost.chunks;
  (void)snprintf(r->transport, sizeof r->transport, "%s", cost.transport);
  return TRIAD_OK;
}

/* Seconds of the median step. On a CPU each phase has its share of all timed steps, so that one slow step moves no
 * phase but as far as it moves the median; on a GPU they are of steps apart, which may be longer. */
static int share_phases(const bench *b)
{
  triad_bench_result *r = b->result;
  triad_phases mine = b->solver->phases(b->flow), all;
  const triad_comm *comm = &b->context->comm;
  double accounted = 0, total = APART * r->median_s, scale = 1.0 / APART;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine.s, all.s, TRIAD_MOST_PHASES, MPI_DOUBLE, MPI_SUM, comm->mpi)));
  for (int i = 0; i < TRIAD_MOST_PHASES; i++) accounted += all.s[i] /= comm->size;
  if (!b->device) {
    total = 0;
    for (int i = 0; i < b->options->steps; i++) total += b->times[i];
    scale = r->median_s / fmax(total, accounted);
  }
  all.s[TRIAD_PHASE_REST] += fmax(0, total - accounted);
  for (int i = 0; i < TRIAD_MOST_PHASES; i++) r->phases.s[i] = scale * all.s[i];
  return TRIAD_OK;
}

/* Steps on a GPU overlap what they do, and so do iterations on ranks: phases and parts are timed in a few more steps
 * that do one thing after the other. */
static int time_apart(const bench *b)
{
  double took;
  if (b->solver->apart) b->solver->apart(b->flow, 1);
  TRIAD_TRY(timed_step(b, &took));
  (void)b->solver->phases(b->flow);
  (void)b->solver->costs(b->flow);
  for (int i = 0; i < APART; i++) TRIAD_TRY(timed_step(b, &took));
  if (b->solver->apart) b->solver->apart(b->flow, 0);
  const triad_costs apart = b->solver->costs(b->flow);
  const triad_comm *comm = &b->context->comm;
  double *part = b->result->solve_part_s;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(apart.solve_part_s, part, TRIAD_SOLVE_PARTS, MPI_DOUBLE, MPI_SUM, comm->mpi)));
  for (int i = 0; i < TRIAD_SOLVE_PARTS; i++) part[i] /= comm->size * (double)APART;
  return TRIAD_OK;
}

/* The GPU memory of the rank that uses the most; copies of all ranks at once, on the GPU. This precedes the allocation
 * of memory for the reference: afterwards copies in the same memory measured a tenth slower. */
static int measure_device(const bench *b)
{
  const triad_comm *comm = &b->context->comm;
  double peak = (double)triad_device_peak(b->device), mine = 0;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&peak, &b->result->device_peak_bytes, 1, MPI_DOUBLE, MPI_MAX, comm->mpi)));
  if (b->offload) return TRIAD_OK;
  TRIAD_TRY(triad_agree(comm, triad_device_copy_bandwidth(b->device, &mine)));
  return TRIAD_MPI(MPI_Allreduce(&mine, &b->result->copy_bandwidth, 1, MPI_DOUBLE, MPI_SUM, comm->mpi));
}

/* How fast the bus is, all ranks at once; or the copies of the CPU. */
static int measure_host(const bench *b)
{
  const triad_comm *comm = &b->context->comm;
  double mine = 0;
  if (!b->device) return triad_bench_copies(b->context, &b->result->copy_bandwidth);
  if (!b->offload) return TRIAD_OK;
  TRIAD_TRY(triad_agree(comm, triad_device_bus_bandwidth(b->device, &mine)));
  return TRIAD_MPI(MPI_Allreduce(&mine, &b->result->copy_bandwidth, 1, MPI_DOUBLE, MPI_SUM, comm->mpi));
}

static int make_reference(const bench *b, int single, triad_reference **reference)
{
  triad_grid grid;
  *reference = NULL;
  if (!b->options->reference) return TRIAD_OK;
  if (!b->solver->reference)
    return TRIAD_FAIL(TRIAD_ERR_FEATURE, "--reference: solver %s has no transform to compare with: remove it",
                      triad_case_word(b->given, "equations.solver"));
  if (b->device && !triad_device_transforms())
    return TRIAD_FAIL(TRIAD_ERR_FEATURE, "--reference: this build has no library of transforms for GPUs: remove it");
  TRIAD_TRY(b->solver->reference(b->flow, &grid));
  return library[single].create(reference, b->context, b->device, &grid);
}

/* Of this process, all its threads [s]: what others do on the machine is not in it. */
static double processor_time(void)
{
  struct timespec t;
  return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) == 0 ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec : 0;
}

static int run_steps(const bench *b)
{
  int single = triad_case_is(b->given, "precision", "single"), n = b->options->steps;
  triad_reference *reference;
  char text[80];
  for (int i = 0; i < WARM_UP; i++) TRIAD_TRY(timed_step(b, &b->times[0]));
  TRIAD_TRY(triad_bench_memory(&b->context->comm, &b->result->peak_bytes, &b->result->largest_rank_bytes));
  if (b->device) TRIAD_TRY(measure_device(b));
  TRIAD_TRY(make_reference(b, single, &reference));
  (void)b->solver->phases(b->flow);
  (void)b->solver->costs(b->flow);
  int st = TRIAD_OK;
  double mine = 0, all = 0;
  for (int i = 0; st == TRIAD_OK && i < n; i++) {
    mine -= processor_time();
    st = timed_step(b, &b->times[i]);
    mine += processor_time();
    /* alternate, so that changes of the machine's load affect both */
    if (st == TRIAD_OK && reference) st = library[single].time(reference, b->context, &b->references[i]);
    (void)snprintf(text, sizeof text, "bench: step %d/%d  %.4g ms", i + 1, n, 1e3 * b->times[i]);
    triad_log_progress(b->options->log, text, i + 1 == n);
  }
  library[single].destroy(&reference, b->context);
  if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, b->context->comm.mpi));
  b->result->processor_s = all / (n * b->context->comm.size);
  return st;
}

/* Time the transform alone, alternating with the library's. */
static int time_pair(const bench *b)
{
  double own[PAIRS], theirs[PAIRS];
  if (!b->device || b->offload || !b->options->reference || !b->solver->transform || b->context->comm.size > 1)
    return TRIAD_OK;
  TRIAD_TRY(b->solver->transform->pair(b->flow, PAIRS, own, theirs));
  b->result->pair_s = triad_bench_median(own, PAIRS);
  b->result->pair_reference_s = triad_bench_median(theirs, PAIRS);
  return TRIAD_OK;
}

static int measure(bench *b)
{
  triad_bench_result *r = b->result;
  const triad_solver *s = b->solver;
  r->phase_list = triad_solver_phases(s);
  b->device = s->device ? s->device(b->flow, &b->offload) : NULL;
  (void)snprintf(r->device, sizeof r->device, "%s%s", b->offload ? "offload to " : "",
                 b->device ? triad_device_name(b->device) : "cpu");
  const triad_simulation sim = {b->context, b->given, s, b->flow};
  char source[TRIAD_PATH];
  TRIAD_TRY(triad_simulation_start(&sim, b->options->log, source));
  TRIAD_TRY(run_steps(b));
  if (s->transform) s->transform->lines(b->flow, r->lines);
  TRIAD_TRY(measure_host(b));
  TRIAD_TRY(share_costs(b));
  if (b->device) TRIAD_TRY(time_apart(b)); /* phases are those of these steps */
  TRIAD_TRY(time_pair(b));
  triad_bench_summarise(b->options, b->times, b->references, r);
  TRIAD_TRY(share_phases(b));
  if (!b->device && s->apart && r->iteration_bytes > 0) TRIAD_TRY(time_apart(b));
  if (b->options->at_once > 1) TRIAD_TRY(triad_bench_turns(b->context, b->given, b->options, &r->at_once_s));
  return triad_agree(&b->context->comm, triad_bench_checks(&b->context->comm, b->given, &r->checks_s));
}

int triad_bench(triad_context *context, const triad_case *given, const triad_bench_options *options,
                triad_bench_result *result)
{
  bench b = {.context = context, .given = given, .options = options, .result = result};
  memset(result, 0, sizeof *result);
  int st = triad_solver_find(&b.solver, given);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(context->memory, "bench", options->steps, &b.times);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(context->memory, "bench", options->steps, &b.references);
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK) st = b.solver->create(&b.flow, context, given, NULL);
  if (st == TRIAD_OK) st = measure(&b);
  if (b.solver) b.solver->destroy(&b.flow);
  TRIAD_FREE(context->memory, &b.times);
  TRIAD_FREE(context->memory, &b.references);
  return st;
}
