/* What this rank wants of the next step besides time: a signal, `triad stop`, the wall-clock limit, or files that could
 * not be written and are to be tried again. The wish rides in the reduction that finds dt, so asking is free. */
#ifndef TRIAD_RUN_LOOP_WISHES_H
#define TRIAD_RUN_LOOP_WISHES_H

#include "parallel/comm.h"
#include "run/loop/run.h"
#include "run/store/disk.h"

#define TRIAD_STOP_FILE "stop"

typedef struct triad_wishes {
  const triad_run_options *options;
  int root;                    /* rank 0 looks at files and clocks               */
  char stop_file[TRIAD_PATH];
  double looked;               /* when it last looked for the stop file          */
  double ends;                 /* when the wall-clock limit is reached; infinity */
  double step_s, save_s;       /* the longest step with its outputs, the longest checkpoint */
  int64_t steps, saves;        /* since this start                               */
  double retry, retry_ends;    /* files wait to be written: when to try again, when to give up; infinity */
  const char *why;             /* of a wish to stop, for the log                 */
} triad_wishes;

/* save_s: an estimate, until a checkpoint has been written. A stop file that is there is taken away: it was meant for
 * an earlier run. Not collective. */
int triad_wishes_begin(triad_wishes *wishes, const triad_comm *comm, const triad_run_options *options, double save_s);

/* This rank's wish now: the largest of TRIAD_REQUEST_... that has a reason. */
int triad_wishes_now(triad_wishes *wishes);

/* A checkpoint has taken this long [s]. */
void triad_wishes_saved(triad_wishes *wishes, double seconds);

/* Time that stopping in good order takes [s]: the margin that is kept before the wall-clock limit. */
double triad_wishes_margin(const triad_wishes *wishes);

#endif
