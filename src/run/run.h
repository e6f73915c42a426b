/* The time loop of `triad run`: start or resume, advance, write what is due, stop in good order. */
#ifndef TRIAD_RUN_RUN_H
#define TRIAD_RUN_RUN_H

#include "case/case.h"
#include "base/log.h"
#include "solvers/files.h"
#include "solvers/solver.h"

#include <signal.h>

/* What may be asked of a running loop; the larger wins. SET: to take another case. GIVE_UP: files could not be written for too long. */
enum { TRIAD_REQUEST_NONE, TRIAD_REQUEST_SAVE, TRIAD_REQUEST_SET, TRIAD_REQUEST_STOP, TRIAD_REQUEST_GIVE_UP };

/* What the command does at the turns of a run; each may be NULL. found: the checkpoint that it goes on from, NULL where
 * it starts. Collective, and may refuse, but for saved and ended. */
typedef struct triad_run_hooks {
  void *who;
  int (*consider)(void *who, const triad_manifest *found); /* before the flow is made; nothing has been written */
  /* The flow stands at its instant, and nothing has been written but the log and plans; source: the folder of the
   * checkpoint that a start has read, "" where none; finished: nothing is left to do, and no flow was made. */
  int (*begin)(void *who, const triad_manifest *found, const char *source, const triad_instant *at, int finished);
  /* `triad set` asks for another case at this instant, whose checkpoint stands, or could not be written (saved 0). *given
   * becomes the case that the run goes on with, from that checkpoint, as it would after a stop; unchanged: with the one
   * it has. *changes: how often it has been changed so. */
  int (*change)(void *who, int saved, const triad_instant *at, const triad_case **given, int *changes);
  void (*saved)(void *who, const triad_instant *at); /* a checkpoint stands */
  void (*ended)(void *who, const triad_instant *at); /* however it ended    */
} triad_run_hooks;

typedef struct triad_run_options {
  const char *dir;            /* the run directory: exists, with its folders               */
  triad_log *log;
  volatile sig_atomic_t *request; /* set by signal handlers; the loop takes SAVE back when done */
  double walltime;            /* stop in good order within this time [s] after `began`; 0: no limit */
  double began;               /* triad_now() when the program started                      */
  int strict;                 /* a warning until the first step has been taken ends the run */
  int from_start;             /* begin at t = 0, whatever checkpoints there are            */
  int changes;                /* how often `triad set` has changed the case: not 0, the series has the column `case` */
  triad_run_hooks hooks;
  int64_t checkpoint_bytes;   /* size of one, for a first estimate of how long writing it takes */
} triad_run_options;

/* With options->strict, TRIAD_ERR_CASE where there has been a warning. Collective. */
int triad_run_strict(const triad_comm *comm, const triad_run_options *options);

/* TRIAD_OK: the end was reached. TRIAD_STOPPED: stopped as asked, with a checkpoint. Otherwise the failure, already
 * printed; TRIAD_ERR_BLOWUP when the solution stopped being finite; TRIAD_ERR_IO when files could not be written for
 * output.retry_limit. Collective. */
int triad_run(triad_context *context, const triad_case *given, const triad_run_options *options);

/* The line that tells how far a run is. */
typedef struct triad_progress {
  double end;        /* time of the end                */
  int64_t max_steps; /* 0: none                        */
  double step_s;     /* recent time of a step, running */
  double settled;    /* how far a flow that ends when it no longer changes has come, 0 to 1 */
} triad_progress;

/* status.c: how far the run is, for those who look (triad watch): RUN/status.json, one JSON object with step, t, dt, end,
 * max_steps, done (0 to 1), left_s and step_s [s], ranks, threads, memory_bytes of rank 0, phases_s since the start
 * [s]. Written by rank 0 every 2 s at most, and by a run that has lasted so long when it ends; no run depends on it, so a
 * disk that does not take it is no failure. */
typedef struct triad_status {
  double written, since; /* triad_now() of the last, and of the start; 0: not yet */
  triad_phases phases;   /* so far */
} triad_status;
void triad_status_write(triad_status *status, const triad_simulation *sim, const char *dir, const triad_progress *progress,
                        const triad_instant *at, int final);

/* Steps and time [s] that are left, and how much is done, 0 to 1. */
void triad_progress_left(const triad_progress *progress, const triad_instant *at, double *steps, double *done);

/* rate: advection rate of the step; energy: as last measured, NAN before. */
void triad_progress_show(const triad_progress *progress, triad_log *log, const triad_instant *at, double rate,
                         double energy, int final);

#endif
