/* The output files of a running flow: which are due, and how write errors are handled.
 *
 * A disk that is full, over quota or temporarily unavailable does not end a run: unwritten output stays pending, the
 * last valid checkpoint stays, the flow continues, and rank 0 asks for a retry every output.retry_interval until
 * output.retry_limit has passed. Rows of the series are buffered; spectra, slices and fields are then written for the
 * time of the successful retry. */
#ifndef TRIAD_RUN_OUTPUTS_H
#define TRIAD_RUN_OUTPUTS_H

#include "solvers/box/files.h"
#include "run/conserved.h"
#include "run/limits.h"
#include "run/means/means.h"
#include "run/output_costs.h"
#include "run/output_kinds.h"
#include "run/stop_requests.h"

#include <math.h>

/* ---- series.csv: `#` comment lines with units and formulae, a header row, then a row a line at full precision ---- */

typedef struct triad_series triad_series;

/* Set the log for a message when a deleted file is created again. */
void triad_series_log(triad_series *series, triad_log *log);

/* Keep a row; write the rows that are kept, in one write where the disk takes it. A row stays until it is written. On
 * rank 0; elsewhere nothing happens. flush: TRIAD_ERR_IO. add: TRIAD_ERR_MEMORY. Collective. */
int triad_series_add(triad_series *series, const triad_instant *at, const double *columns);
int triad_series_flush(triad_series *series);

/* ---- probes.csv: the state at places that the case names, rows like those of a series; probes.h5 with
 * ---- output.probes_format = "h5" (probes.c) ---- */

typedef struct triad_probe_rows triad_probe_rows;

/* Keep a row of the state as it is; write those that are kept; see to it that they are on the disk, probes.h5 too.
 * As in a series. Collective. */
int triad_probe_rows_add(triad_probe_rows *rows, const triad_instant *at);
int triad_probe_rows_flush(triad_probe_rows *rows);
int triad_probe_rows_sync(triad_probe_rows *rows);

/* ---- all files of a run ---- */

typedef struct triad_outputs {
  triad_simulation sim;
  const char *dir;
  triad_log *log;
  triad_stop_requests *stop;
  triad_series_info info;
  double *columns; /* [info.n] as last measured */
  int measured;    /* are they of the state as it is? */
  int n_added;     /* columns behind the solver's, which hooks->measure fills */
  triad_series *series;
  triad_probe_rows *probes;
  triad_means *means;
  triad_limits *limits;             /* of the columns */
  triad_conservation *conservation; /* of columns that must not change; NULL: none */
  int drifted;                      /* one has: the run is over      */
  triad_notes *notes;
  const triad_run_hooks *hooks;
  int64_t saved_step; /* of the newest checkpoint, -1 for none */
  int outdated;       /* it has no longer what the state is, though the step may be the same */
  int wrote;          /* a checkpoint in this start             */
  unsigned pending;   /* files that could not be written */
  double retry_interval, retry_limit;
  double interval[TRIAD_OUTPUT_N]; /* of each kind */
  triad_output_costs costs;
  double awaited;  /* s since the last write began, in which another kind waited for slices */
  int particles;   /* there are some: rows of the start and the end whatever the interval */
  int last_slices; /* planes are written at the end whatever the interval */
} triad_outputs;

/* What the case says of files; the rest is set by the caller. Not collective. */
void triad_outputs_read(triad_outputs *outputs, const triad_case *given);

/* Whose files they are; what its solver does not write is never due. Not collective. */
void triad_outputs_of(triad_outputs *outputs, const triad_simulation *sim);

/* Write the files that are due after the step that began at time `before`; all kinds at the first visit and at the end,
 * where it waits for an unavailable disk. Returns failures other than of the disk at once, those of the disk after
 * retry_limit. Collective. */
int triad_outputs_due(triad_outputs *outputs, const triad_instant *at, double before, int first, int last);

/* Write a checkpoint now, and pending output. *saved: 1 if the checkpoint is valid. Collective. */
int triad_outputs_save(triad_outputs *outputs, const triad_instant *at, int *saved);

/* TRIAD_ERR_IO, said with its reason: retry_limit has passed and files still could not be written. Not collective. */
int triad_outputs_give_up(const triad_outputs *outputs, const triad_instant *at);

/* Called when the run resumes from a checkpoint: write slices of its step, which follow the checkpoint and which a
 * crash may have prevented. Collective. */
int triad_outputs_resumed(triad_outputs *outputs, const triad_instant *at);

/* The next time that a step must not step over; which key of the case sets it, NULL where none does. Not collective. */
double triad_outputs_landing(const triad_outputs *outputs, double t);
const char *triad_outputs_landing_key(const triad_outputs *outputs, double t);

/* ---- when files are due: at multiples of an interval of time, counted from t = 0, so that a restart needs no memory
 * ---- */

/* How many whole intervals t has seen; the slack takes in a t that missed a multiple by rounding. */
static inline double triad_intervals(double interval, double t) { return floor(t / interval + 1e-9); }

/* The next multiple after t; infinity without an interval. */
static inline double triad_next(double interval, double t)
{
  return interval > 0 ? (triad_intervals(interval, t) + 1) * interval : INFINITY;
}

/* Was a multiple reached by the step from `before` to `t`? */
static inline int triad_due(double interval, double before, double t)
{
  return interval > 0 && triad_intervals(interval, t) > triad_intervals(interval, before);
}

#endif
