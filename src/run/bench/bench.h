/* `triad bench`: the time of a step, compared with the bandwidth limit of its bytes and with the library's transform of
 * the same grid. */
#ifndef TRIAD_RUN_BENCH_BENCH_H
#define TRIAD_RUN_BENCH_BENCH_H

#include "case/case.h"
#include "base/clock.h"
#include "base/log.h"
#include "parallel/context.h"
#include "solvers/solver.h"

enum { TRIAD_BENCH_STARTS = 8 };

typedef struct triad_bench_options {
  int steps;     /* timed, after the warm-up */
  int reference; /* time the library's own transform too */
  int at_once;   /* > 1: also time this many concurrent flows; on one rank */
  triad_log *log;
} triad_bench_options;

typedef struct triad_bench_result {
  int nstreams;
  int64_t chunks;
  char transport[16];
  const char *lines[3];        /* who transforms lines along x, y, z, as parallel.lines has it; NULL: nobody does */
  double median_s, q1_s, q3_s; /* wall-clock time of a step [s], slowest rank */
  double processor_s;          /* processor time of a step, all threads of a rank, mean over steps and ranks [s] */
  const triad_phase_list *phase_list; /* the solver's phases, and the slots of `phases` */
  triad_phases phases;                /* median-like split: means over steps, averaged over ranks and threads [s] */
  int transforms, stages;             /* as triad_costs of solvers/solver.h has them */
  int64_t cells;
  /* of a linear solver in a step: how many, all their iterations, their time [s]; or 0 */
  double solves, iterations, solve_s;
  double iteration_bytes; /* that one of them moves, all ranks */
  int solve_overlaps;     /* 1: cells are computed while others are communicated between ranks */
  /* a step, parts timed separately, averaged over ranks (solvers/solver.h); all 0: not available */
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
  double checks_s;                 /* additional work of `triad run` per step (triad_bench_checks) */
} triad_bench_result;

/* Steps of the case as a run takes them, timed one by one after a warm-up. Collective; the result is the same on all
 * ranks. */
int triad_bench(triad_context *context, const triad_case *given, const triad_bench_options *options,
                triad_bench_result *result);

#endif
