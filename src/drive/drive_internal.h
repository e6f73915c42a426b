/* Declarations shared by the files of a driven run. */
#ifndef TRIAD_DRIVE_DRIVE_INTERNAL_H
#define TRIAD_DRIVE_DRIVE_INTERNAL_H

#include "base/locale.h"
#include "command/session/start.h"
#include "drive/triad_drive.h"
#include "run/run.h"
#include "store/lock/lock.h"

enum { TRIAD_DRIVE_TEXT = 8192 /* of a message; what is said is cut at 8 of them */ };

typedef struct triad_drive_column {
  char *name, *unit, *about;
  triad_drive_measured *measure;
  void *who;
} triad_drive_column;

struct triad_drive {
  triad_session session;
  triad_arguments arguments;
  triad_start start;
  triad_run_options options;
  triad_lock *lock;
  triad_loop *loop;
  triad_comm voices; /* for agreement alone                                          */
  volatile sig_atomic_t request;
  char *dir, *path, **words, *program;
  int n_words, claimed, open, changed; /* open: the series is; changed: the state, from outside  */
  int kept_memory;                     /* the flow's, which somebody looks at: it is not given back    */
  int kept_before;                     /* likewise that of a flow on another grid                      */
  triad_drive_changes *changes;        /* asked before the grid is another                             */
  void *changes_who;
  triad_instant last; /* where the flow was, once it has gone: loop is NULL           */
  int failed;         /* status of a step after which there is none; its caller knows */
  char *keep, *kept;  /* a text that checkpoints carry; that of the one resumed       */
  triad_drive_column *columns;
  int n_columns;
  char *said, *shown; /* said: log messages since the last query; shown: the text returned */
  size_t n_said;
  char errors[TRIAD_DRIVE_TEXT]; /* of the log in this call                                      */
  char *resolved;
};

/* Begin a call that can fail; end it: keep the message of a failure on all ranks, and return `status`. d may have no
 * session yet. Collective where it fails. */
void triad_drive_begin(triad_drive *d);
int triad_drive_end(triad_drive *d, int status);

/* As an end, of these ranks; d may be NULL. */
int triad_drive_end_on(const triad_comm *comm, triad_drive *d, int status);

/* As an end that is not collective. */
int triad_drive_end_local(triad_drive *d, int status);

/* To a triad_log. */
void triad_drive_hear(void *drive, triad_level level, const char *text);

/* Make a state that was changed from outside consistent, so that steps can continue. Collective. */
int triad_drive_settle(triad_drive *d);

/* ---- regrid.c; collective ---- */

/* From the session's case to an initialised flow, on the grid of its checkpoint if the grid is adaptive. */
int triad_drive_begin_loop(triad_drive *d);

/* The loop has asked for another case: its flow makes room for one of that case, with the columns that were added.
 * On failure there is no loop any more. */
int triad_drive_regrid(triad_drive *d);

/* 0 as long as there is a flow; else why not. Not collective. */
int triad_drive_gone(const triad_drive *d);

static inline const triad_simulation *triad_drive_simulation(const triad_drive *d)
{
  return triad_loop_simulation(d->loop);
}

#endif
