/* What the time loop, `triad bench` and `triad case --check` know of a family of solvers: one const struct, registered
 * by one line in list.h. It hides the grid, the fields and the precision; run.c and series.c see no more than this.
 *
 * A flow is whatever the family makes of a case. Functions that return a status are collective, print why they failed,
 * and return the same on all ranks, unless they say otherwise. */
#ifndef TRIAD_SOLVERS_SOLVER_H
#define TRIAD_SOLVERS_SOLVER_H

#include "base/log.h"
#include "case/part.h"
#include "solvers/bench.h"
#include "solvers/check.h"
#include "store/manifest.h"
#include "solvers/info.h"

/* What a step is asked for, and what it came to. */
typedef struct triad_step {
  /* given */
  double dt;      /* fixed step, or 0: */
  double cfl;     /* dt = cfl / the fastest rate of the flow */
  double dt_max;  /* 0: none */
  double land_on; /* a time not to be stepped over, infinity: none; with fixed dt only the end of the run */
  int request;    /* this rank's wish (a signal, say), shared by the reduction that finds dt */
  /* returned */
  int requested;  /* the largest of all ranks' */
  double advection_rate; /* at the start of the step [1/time]: dt times it is the Courant number */
} triad_step;

/* Where a flow is. */
typedef struct triad_instant {
  int64_t step; /* steps taken */
  double t, dt; /* time, and length of the last step (0 before the first) */
} triad_instant;

/* What a series line has after step, t and dt; the first column is the energy. */
typedef struct triad_series_info {
  const char *solver;
  int n;
  const triad_column_info *columns;
} triad_series_info;

typedef struct triad_solver {
  const triad_case_part *part; /* what the family adds to a case: its solvers, keys, rules, quantities */

  /* Does the family have this solver? */
  int (*has)(const char *solver);

  /* As solvers/check.h has it: not collective. */
  int (*check)(const triad_case *given, int size, int threads, triad_needs *needs);
  int (*bench)(triad_context *context, const triad_case *given, const triad_bench_options *options,
               triad_bench_result *result);

  /* What can carry the exchange between these ranks' GPUs, names[TRIAD_BENCH_TRANSPORTS]; NULL: the family has no use
   * for triad tune. */
  int (*transports)(triad_context *context, const char **names, int *n);

  /* The flow of a case, at rest at t = 0; run_dir: where a run keeps what its libraries have learned. */
  int (*create)(void **flow, triad_context *context, const triad_case *given, const char *run_dir);
  void (*destroy)(void **flow);
  /* Tell what will be computed, on what. */
  void (*describe)(const void *flow, triad_log *log);
  void (*columns)(const void *flow, triad_series_info *info);
  triad_instant (*moment)(const void *flow);

  /* The state: from [initial]; from a checkpoint of the same solver, in `folder`; on by a step. advance returns
   * TRIAD_ERR_BLOWUP when a value at the start of the step was not finite; the state is then what it was. */
  int (*initial)(void *flow, triad_log *log);
  int (*restore)(void *flow, const char *folder, const triad_manifest *about, triad_log *log);
  int (*advance)(void *flow, triad_step *step);

  /* After a blow-up: one line that tells where values are bad. */
  int (*locate)(void *flow, char *text, size_t size);

  /* The numbers of a series line. */
  int (*measure)(void *flow, double *columns);

  /* Files of the state as it is; columns: as measured just now. slices NULL: the family has none. */
  int (*spectra)(void *flow, const char *run_dir, const double *columns, const triad_notes *notes);
  int (*fields)(void *flow, const char *run_dir, const triad_notes *notes);
  int (*slices)(void *flow, const char *run_dir, const triad_notes *notes);
  int (*checkpoint)(void *flow, const char *run_dir, const triad_notes *notes);
} triad_solver;

/* The driver of a case, by its solver and precision. TRIAD_ERR_FEATURE. Not collective. */
int triad_solver_find(const triad_solver **out, const triad_case *given);

#endif
