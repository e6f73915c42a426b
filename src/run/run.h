/* The time loop of `triad run`: start or resume, advance, write due output, stop with a checkpoint. */
#ifndef TRIAD_RUN_RUN_H
#define TRIAD_RUN_RUN_H

#include "case/case.h"
#include "base/log.h"
#include "solvers/box/files.h"
#include "solvers/solver.h"

#include <signal.h>

/* What may be asked of a running loop; the larger wins. SET: to take another case. GIVE_UP: files could not be
 * written for too long. */
enum { TRIAD_REQUEST_NONE, TRIAD_REQUEST_SAVE, TRIAD_REQUEST_SET, TRIAD_REQUEST_STOP, TRIAD_REQUEST_GIVE_UP };

/* Callbacks of the command during a run; each may be NULL. found: the checkpoint from which it resumes, NULL at a new
 * start. Collective, and may return errors, except `saved` and `ended`. */
typedef struct triad_run_hooks {
  void *who;
  int (*consider)(void *who, const triad_manifest *found); /* before the flow is made; nothing has been written */
  /* The flow is initialised, and nothing has been written except the log and plans. source: folder of the checkpoint
   * that an initial condition was read from, "" if none; finished: nothing is left to do, and no flow was created. */
  int (*begin)(void *who, const triad_manifest *found, const char *source, const triad_instant *at, int finished);
  /* `triad set` asks for another case at this instant; its checkpoint has been written, or could not be (saved 0).
   * *given becomes the case with which the run continues from that checkpoint, as after a stop; unchanged: the present
   * one. *changes: number of such changes so far. */
  int (*change)(void *who, int saved, const triad_instant *at, const triad_case **given, int *changes);
  /* Adaptive grid size (triad_follow_part): the flow has been freed after its checkpoint was written. *given becomes
   * the case with n points if memory suffices; else it stays, with a message. at NULL: a resumed run continues on the
   * n points of its checkpoint, without messages or files. TRIAD_ERR_MEMORY. Collective. */
  int (*regrid)(void *who, const int64_t n[3], const char *why, const triad_instant *at, const triad_case **given);
  void (*saved)(void *who, const triad_instant *at); /* a checkpoint has been written */
  void (*ended)(void *who, const triad_instant *at); /* however it ended    */
  /* measure: values of the columns added by triad_loop_column; those of rank 0 are written. keep: additional notes of
   * a checkpoint, those of rank 0; not collective. */
  int (*measure)(void *who, double *added);
  int (*keep)(void *who, triad_notes *notes);
} triad_run_hooks;

typedef struct triad_run_options {
  const char *dir; /* the run directory: exists, with its folders               */
  triad_log *log;
  volatile sig_atomic_t *request; /* set by signal handlers; the loop takes SAVE back when done */
  double walltime;                /* stop with a checkpoint within this time [s] after `began`; 0: no limit */
  double began;                   /* triad_now() when the program started                      */
  int *limited;                   /* <- 1 on rank 0 where that time has stopped it; NULL       */
  int strict;                     /* a warning until the first step has been taken ends the run */
  int from_start;                 /* begin at t = 0, whatever checkpoints there are            */
  int goes_on;                    /* a case has been run before, by triad_run; else 0         */
  int looked;                     /* the grid has just been changed: the next look is after a step */
  int keeps_grid;                 /* it does not follow the flow, whatever the case asks for  */
  int changes; /* how often `triad set` has changed the case: not 0, the series has the column `case` */
  triad_run_hooks hooks;
  int64_t checkpoint_bytes; /* size of one, for a first estimate of how long writing it takes */
} triad_run_options;

/* TRIAD_OK: the end was reached. TRIAD_STOPPED: stopped as asked, or before a steady flow has converged, with a
 * checkpoint. Otherwise the failure, already printed; TRIAD_ERR_BLOWUP when the solution stopped being finite;
 * TRIAD_ERR_IO when files could not be written for output.retry_limit. Collective. */
int triad_run(triad_context *context, const triad_case *given, const triad_run_options *options);

/* ---- the same loop in parts, for who drives it a step at a time (src/drive); collective but where said ---- */

typedef struct triad_loop triad_loop;

/* Not a failure: the run continues with another case, by triad_loop_next. */
enum { TRIAD_LOOP_CHANGED = -1 };

/* The first part of triad_run, up to an initialised flow, before its series is opened. options must outlive the loop.
 * *done: nothing is left to do, and there is no flow; with `stays` it is created all the same. TRIAD_LOOP_CHANGED: the
 * checkpoint has another grid. In every case triad_loop_end must follow, or triad_loop_next. */
int triad_loop_begin(triad_loop **out, triad_context *context, const triad_case *given,
                     const triad_run_options *options, int stays, int *done);

/* One more column of the series, whose numbers hooks.measure gives; before it is opened. The texts outlive the loop.
 * TRIAD_ERR_MEMORY. Not collective. */
int triad_loop_column(triad_loop *loop, const triad_column_info *column);

/* The series, and the files of the start. Again: nothing. */
int triad_loop_open(triad_loop *loop);

/* One step and the output due after it; nothing if the run is finished. land_on: a time to which dt is clipped
 * (infinity: none); fixed steps ignore it. TRIAD_STOPPED: stopped on request, with a checkpoint; further steps may
 * follow. TRIAD_LOOP_CHANGED: another case is requested after the step, or before the first one, and a checkpoint has
 * been written. */
int triad_loop_step(triad_loop *loop, double land_on);

/* A checkpoint now; at the end, once it is finished: are its files there? */
int triad_loop_save(triad_loop *loop);
int triad_loop_last(triad_loop *loop);

/* The state, or what its checkpoints keep, is no longer what the checkpoint of this step has, which is written again
 * when one is asked for. Not collective. */
void triad_loop_outdated(triad_loop *loop);

/* The same, and the state has been set from outside: what it conserves is compared with the next row from now on. */
void triad_loop_changed(triad_loop *loop);

/* After triad_loop_last: has the run ended before the flow has settled, as its case asks? Not collective. */
int triad_loop_missed(const triad_loop *loop);

/* Not collective. */
int triad_loop_finished(const triad_loop *loop);
const triad_simulation *triad_loop_simulation(const triad_loop *loop);
const triad_step *triad_loop_last_step(const triad_loop *loop);
const triad_series_info *triad_loop_columns(const triad_loop *loop);

/* The last call before the end: the flow is not destroyed, since its memory is in others' hands. Not collective. */
void triad_loop_keep_flow(triad_loop *loop);

/* End the loop with this status, which is logged and returned. *loop may be NULL. */
int triad_loop_end(triad_loop **loop, int status);

/* After TRIAD_LOOP_CHANGED: it ends, *given becomes the case to begin with now, and *options, which were the loop's,
 * what to begin with. Where this fails the flow has gone all the same. */
int triad_loop_next(triad_loop **loop, triad_run_options *options, const triad_case **given);

/* The progress line of a run. */
typedef struct triad_progress {
  double end;        /* time of the end                */
  int64_t max_steps; /* 0: none                        */
  double step_s;     /* recent time of a step, running */
  double settled;    /* how far a flow that ends when it no longer changes has come, 0 to 1 */
} triad_progress;

/* status.c: the progress of the run, for `triad watch`: RUN/status.json, one JSON object with step, t, dt, end,
 * max_steps, done (0 to 1), left_s and step_s [s], ranks, threads, memory_bytes of rank 0, phases_s since the start
 * [s]. Rank 0 writes it at most every 2 s, and at the end of a run that lasted that long. No run depends on it, so a
 * failure of the disk is ignored. */
typedef struct triad_status {
  double written, since; /* triad_now() of the last, and of the start; 0: not yet */
  triad_phases phases;   /* so far */
} triad_status;
void triad_status_write(triad_status *status, const triad_simulation *sim, const char *dir,
                        const triad_progress *progress, const triad_instant *at, int final);

#endif
