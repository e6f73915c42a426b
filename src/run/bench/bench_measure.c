/* Measure copy bandwidth and memory, and compute medians and quantiles of step times, for any solver. */
#include "run/bench/bench_measure.h"
#include "run/bench/bench.h"
#include "run/progress.h"

#include "run/outputs.h"

#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { COPY_DOUBLES = 4 << 20 /* 32 MiB a thread and side: beyond the caches */, COPIES = 5, TIMES = 2000 };

int triad_bench_copies(triad_context *context, double *bandwidth)
{
  triad_memory *m = context->memory;
  double *from = NULL, *to = NULL, best = INFINITY;
  int64_t n = (int64_t)COPY_DOUBLES * context->threads;
  int st = TRIAD_ALLOC(m, "copy bandwidth", n, &from);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m, "copy bandwidth", n, &to);
  st = triad_agree(&context->comm, st);
  for (int i = 0; st == TRIAD_OK && i < COPIES; i++) {
    st = TRIAD_MPI(MPI_Barrier(context->comm.mpi));
    double begin = triad_now(), took, slowest;
#pragma omp parallel num_threads(context->threads)
    {
      int64_t part = COPY_DOUBLES, t = omp_get_thread_num();
      memcpy(to + t * part, from + t * part, (size_t)part * sizeof *to);
    }
    took = triad_now() - begin;
    if (st == TRIAD_OK) st = TRIAD_MPI(MPI_Allreduce(&took, &slowest, 1, MPI_DOUBLE, MPI_MAX, context->comm.mpi));
    if (st == TRIAD_OK) best = fmin(best, slowest);
  }
  TRIAD_FREE(m, &from);
  TRIAD_FREE(m, &to);
  *bandwidth = 2.0 * sizeof(double) * (double)n * context->comm.size / best;
  return st;
}

int triad_bench_memory(const triad_comm *comm, double *all, double *largest)
{
  struct rusage usage;
  (void)getrusage(RUSAGE_SELF, &usage);
  double mine = (double)usage.ru_maxrss * 1024;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&mine, all, 1, MPI_DOUBLE, MPI_SUM, comm->mpi)));
  return TRIAD_MPI(MPI_Allreduce(&mine, largest, 1, MPI_DOUBLE, MPI_MAX, comm->mpi));
}

int triad_bench_advance(const triad_solver *solver, void *flow, const triad_case *given)
{
  triad_step step = {.dt = triad_case_real(given, "time.dt"),
                     .cfl = triad_case_real(given, "time.cfl"),
                     .dt_max = triad_case_real(given, "time.dt_max"),
                     .land_on = INFINITY};
  if (step.dt <= 0 && step.dt_max <= 0) step.dt_max = 1; /* a flow at rest has no rate of its own */
  int st = solver->advance(flow, &step);
  if (st != TRIAD_ERR_BLOWUP) return st;
  return TRIAD_FAIL(st, "step %" PRId64 ": the solution is no longer finite: use a smaller time.dt or time.cfl",
                    solver->instant(flow)->step + 1);
}

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The value a fraction p of the way through n sorted ones. */
static double quantile(const double *sorted, int n, double p)
{
  double at = p * (n - 1);
  int i = (int)at;
  return i + 1 < n ? sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

double triad_bench_median(double *list, int n)
{
  qsort(list, (size_t)n, sizeof *list, compare);
  return quantile(list, n, 0.5);
}

void triad_bench_summarise(const triad_bench_options *o, double *times, double *references, triad_bench_result *r)
{
  qsort(times, (size_t)o->steps, sizeof *times, compare);
  r->median_s = quantile(times, o->steps, 0.5);
  r->q1_s = quantile(times, o->steps, 0.25);
  r->q3_s = quantile(times, o->steps, 0.75);
  r->reference_s = o->reference ? triad_bench_median(references, o->steps) : 0;
  r->floor_s = r->bytes / r->copy_bandwidth;
  r->fraction = r->floor_s / r->median_s;
}

int triad_bench_checks(const triad_comm *comm, const triad_case *given, double *seconds)
{
  volatile sig_atomic_t request = TRIAD_REQUEST_NONE;
  triad_run_options options = {.dir = "/tmp", .request = &request, .walltime = 3600, .began = triad_now()};
  triad_stop_requests stop = {.options = &options,
                              .root = comm->rank == 0,
                              .ends = options.began + 3600,
                              .retry = INFINITY,
                              .retry_ends = INFINITY,
                              .stop_file = "/nowhere/stop"};
  triad_progress progress = {.end = triad_case_real(given, "time.end")};
  triad_outputs outputs = {.stop = &stop, .saved_step = -1};
  triad_watchdog *watch;
  triad_log *log;
  triad_log_options quiet = triad_log_defaults(comm->rank);
  quiet.level = TRIAD_LOG_ERROR;
  TRIAD_TRY(triad_watchdog_create(&watch, comm->rank, 600));
  int st = triad_log_create(&log, &quiet);
  triad_outputs_read(&outputs, given);
  double begin = triad_now();
  for (int i = 0; st == TRIAD_OK && i < TIMES; i++) {
    triad_instant at = {i, 1e-12 * i, 1e-12};
    (void)triad_outputs_landing(&outputs, at.t);
    (void)triad_stop_requests_now(&stop);
    triad_watchdog_begin(watch, TRIAD_WATCHDOG_STEP, "computing");
    triad_watchdog_end(watch);
    triad_progress_show(&progress, log, &at, 1, 1, 0);
  }
  *seconds = (triad_now() - begin) / TIMES;
  triad_log_destroy(&log);
  triad_watchdog_destroy(&watch);
  return st;
}
