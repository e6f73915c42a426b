/* Requests of this rank to the time loop: save or stop, because of a signal, `triad stop` or the wall-clock limit;
 * apply another case, because of `triad set`; retry files that could not be written. Requests are shared by the
 * reduction that determines dt, so checking them costs nothing. */
#ifndef TRIAD_RUN_STOP_REQUESTS_H
#define TRIAD_RUN_STOP_REQUESTS_H

#include "parallel/comm.h"
#include "run/run.h"
#include "store/disk.h"

#define TRIAD_STOP_FILE "stop"

typedef struct triad_stop_requests {
  const triad_run_options *options;
  int root; /* rank 0 looks at files and clocks               */
  char stop_file[TRIAD_PATH];
  double looked;            /* when it last looked for these files            */
  double ends;              /* when the wall-clock limit is reached; infinity */
  double step_s, save_s;    /* the longest step with its outputs, the longest checkpoint */
  double last_s;            /* the last checkpoint; 0 before the first        */
  int64_t steps, saves;     /* since this start                               */
  double save_every, saved; /* output.checkpoint_wall_interval; when the last checkpoint was written */
  double retry, retry_ends; /* files wait to be written: when to try again, when to give up; infinity */
  const char *why;          /* of a request to stop, for the log              */
} triad_stop_requests;

/* save_s: an estimate, until a checkpoint is written. save_every [s]: a checkpoint is requested when the last one,
 * or the start, is so long ago, and 50 times as long as it took: its cost is 2 % at most. 0: never. A stop file that is
 * there is taken away, unless it names this run: it was meant for an earlier one. Not collective. */
int triad_stop_requests_begin(triad_stop_requests *requests, const triad_comm *comm, const triad_run_options *options,
                              double save_s, double save_every);

/* This rank's request now: the largest of TRIAD_REQUEST_... that has a reason. */
int triad_stop_requests_now(triad_stop_requests *requests);

/* The run is over: a stop file has been heeded, or came too late. One that stayed might be taken for the next
 * start's, whose process may be called as this one is, as in containers. Not collective. */
void triad_stop_requests_end(const triad_stop_requests *requests);

/* A checkpoint has taken this long [s]. */
void triad_stop_requests_saved(triad_stop_requests *requests, double seconds);

#endif
