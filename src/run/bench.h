/* `triad bench`: what a step costs, next to what its bytes allow and to the plain library transform of the same
 * grid. */
#ifndef TRIAD_RUN_BENCH_H
#define TRIAD_RUN_BENCH_H

#include "case/case.h"
#include "base/clock.h"
#include "base/log.h"
#include "parallel/context.h"
#include "solvers/solver.h"

enum { TRIAD_BENCH_STARTS = 8 };

typedef struct triad_bench_options {
  int steps;     /* timed, after the warm-up */
  int reference; /* time the library's own transform too */
  int at_once;   /* > 1: then so many flows too, by turns; on one rank */
  triad_log *log;
} triad_bench_options;

typedef struct triad_bench_result {
  int nstreams;
  int64_t chunks;
  char transport[16];
  double median_s, q1_s, q3_s; /* wall-clock time of a step [s], slowest rank */
  double processor_s;          /* processor time of a step, all threads of a rank, mean over steps and ranks [s] */
  triad_phases phases;         /* median-like split: means over steps, averaged over ranks and threads [s] */
  int transforms, stages;      /* as triad_costs of solvers/solver.h has them */
  int64_t cells;
  /* of a linear solver in a step: how many, all their iterations, their time [s]; or 0 */
  double solves, iterations, solve_s;
  double iteration_bytes; /* that one of them moves, all ranks */
  int solve_overlaps;     /* are cells worked at in it while others travel between ranks? */
  /* a step, timed apart, averaged over ranks (solvers/solver.h); all 0: not told */
  double solve_part_s[TRIAD_SOLVE_PARTS];
  double bytes, sent_bytes, flops; /* a step, all ranks */
  int start_parts;                 /* of the start: what each took on the slowest rank, solvers/solver.h */
  triad_start_part start[TRIAD_BENCH_STARTS];
  double copy_bandwidth; /* all ranks and threads copying at once, read + write [bytes/s] */
  int over_bus; /* 1: bytes are those of the busier way over the bus, and copy_bandwidth is the bus's each way */
  double floor_s, fraction;        /* bytes / copy_bandwidth, and floor_s / median_s */
  double peak_bytes;               /* resident memory at its highest, all ranks */
  double largest_rank_bytes;       /* of the rank that has most */
  char device[256];                /* "cpu", or the GPU's name */
  double device_peak_bytes;        /* GPU memory at its highest */
  double reference_s;              /* median of one real-to-complex 3-D transform on one core; 0 without */
  double pair_s, pair_reference_s; /* three fields there and back, and by the library; 0 without */
  double at_once_s;                /* wall-clock time over all steps of all options->at_once flows [s]; 0 without */
  double checks_s;                 /* what `triad run` does in a step besides it (triad_bench_checks) */
} triad_bench_result;

/* Steps of the case as a run takes them, timed one by one after a warm-up. Collective; the result is the same on all
 * ranks. */
int triad_bench(triad_context *context, const triad_case *given, const triad_bench_options *options,
                triad_bench_result *result);

/* bench_turns.c: options->at_once flows of the case take options->steps steps each, after a warm-up, by turns in
 * this thread (parallel/fibers.h), as runs of a sweep do, and write nothing: wall-clock time a step of one of them
 * [s], from when all have warmed up to when the last has ended. On one rank. */
int triad_bench_turns(triad_context *context, const triad_case *given, const triad_bench_options *options,
                      double *seconds);

/* ---- bench_measure.c: what is measured whatever the solver: copies, memory, the middle of a list of times ---- */

/* A step of a flow of the case, which lands on nothing; a solution that is not finite any more is told. Collective. */
int triad_bench_advance(const triad_solver *solver, void *flow, const triad_case *given);

/* Copy bandwidth of all ranks and threads at once, read + write [bytes/s]: the best of some copies of 32 MiB a thread.
 * Collective. */
int triad_bench_copies(triad_context *context, double *bandwidth);

/* Resident memory at its highest, of all ranks and of the rank that has most [bytes]. Collective. */
int triad_bench_memory(const triad_comm *comm, double *all, double *largest);

/* Seconds a step of what `triad run` does in it besides computing, mean of many, on this rank: stop requests, the
 * watchdog, what is due, progress. That values are finite and that all ranks heed a request is part of the reduction
 * which finds dt, and costs nothing more. TRIAD_ERR_MEMORY. Not collective. */
int triad_bench_checks(const triad_comm *comm, const triad_case *given, double *seconds);

/* The middle of a list, which it sorts. Not collective. */
double triad_bench_median(double *list, int n);

/* Median and quartiles of times[options->steps], the median of references (with options->reference), and the floor,
 * which follows from r->bytes and r->copy_bandwidth. Sorts both lists. Not collective. */
void triad_bench_summarise(const triad_bench_options *options, double *times, double *references,
                           triad_bench_result *r);

#endif
