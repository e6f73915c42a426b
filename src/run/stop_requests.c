/* Turn signals, stop files and the wall-clock limit into requests to the time loop: save, stop, change the case, or
 * retry files. */
#include "run/stop_requests.h"

#include "base/clock.h"
#include "parallel/fibers.h"
#include "run/set_requests.h"
#include "store/lock/lock.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 4096 /* bytes of a stop file */ };

/* Was it meant for an earlier run? One that names the holder of the lock, which is this run, came while it was getting
 * ready. */
static int is_old(const triad_stop_requests *r)
{
  char who[400], *text = NULL;
  int64_t bytes = 0;
  int alive = 0, mine = triad_lock_holder(r->options->dir, who, &alive) == TRIAD_OK &&
                        triad_disk_load(r->stop_file, MOST, &text, &bytes) == TRIAD_OK && strstr(text, who);
  triad_message_clear();
  free(text);
  return !mine;
}

int triad_stop_requests_begin(triad_stop_requests *r, const triad_comm *comm, const triad_run_options *options,
                              double save_s, double save_every)
{
  memset(r, 0, sizeof *r);
  r->options = options;
  r->root = comm->rank == 0;
  r->ends = options->walltime > 0 ? options->began + options->walltime : INFINITY;
  r->save_s = save_s;
  r->save_every = save_every;
  r->saved = triad_now();
  r->retry = r->retry_ends = INFINITY;
  r->looked = -INFINITY;
  if (!r->root) return TRIAD_OK;
  TRIAD_TRY(triad_disk_path(r->stop_file, "%s/" TRIAD_STOP_FILE, options->dir));
  return access(r->stop_file, F_OK) == 0 && is_old(r) ? triad_disk_remove(r->stop_file) : TRIAD_OK;
}

void triad_stop_requests_end(const triad_stop_requests *r)
{
  if (r->root && r->stop_file[0]) (void)unlink(r->stop_file); /* what ended the run keeps its message */
}

/* Time that stopping with a checkpoint needs [s]: the margin before the wall-clock limit. */
static double margin(const triad_stop_requests *r)
{
  /* twice the longest so far, since the disk may be busier at the end; a hundredth of the limit for anything else */
  return 2 * r->save_s + 2 * r->step_s + 1 + 0.01 * (r->ends - r->options->began);
}

void triad_stop_requests_saved(triad_stop_requests *r, double seconds)
{
  r->save_s = r->saves++ > 0 ? fmax(r->save_s, seconds) : seconds; /* the first replaces the estimate */
  r->last_s = seconds;
  r->saved = triad_now();
}

/* The time since the last checkpoint is long, also compared with its cost. Files that wait for the disk have times of
 * their own. */
static bool is_save_due(const triad_stop_requests *r, double now)
{
  return r->save_every > 0 && isinf(r->retry) && now - r->saved > fmax(r->save_every, 50 * r->last_s);
}

/* Once a second: looking for files on a busy network file system takes a while. */
static int read_request(triad_stop_requests *r, double now)
{
  if (now < r->looked + 1) return TRIAD_REQUEST_NONE;
  r->looked = now;
  if (access(r->stop_file, F_OK) == 0) return TRIAD_REQUEST_STOP;
  char name[TRIAD_SET_NAME];
  return triad_set_requests_oldest(r->options->dir, name) ? TRIAD_REQUEST_SET : TRIAD_REQUEST_NONE;
}

int triad_stop_requests_now(triad_stop_requests *r)
{
  triad_fibers_yield(); /* several runs of a sweep may be active and alternate their steps */
  int asked = *r->options->request;
  double now = triad_now();
  if (asked == TRIAD_REQUEST_STOP) r->why = "a signal";
  if (!r->root) return asked;
  int said = asked < TRIAD_REQUEST_STOP ? read_request(r, now) : asked;
  if (said == TRIAD_REQUEST_STOP && said > asked) r->why = "triad stop";
  if (said > asked) asked = said;
  /* a job that is too short for a step still does one, or a chain of such jobs would make no progress */
  if (asked < TRIAD_REQUEST_STOP && r->steps > 0 && now + margin(r) > r->ends) {
    r->why = "the wall-clock limit";
    if (r->options->limited) *r->options->limited = 1;
    asked = TRIAD_REQUEST_STOP;
  }
  if (now > r->retry_ends) return TRIAD_REQUEST_GIVE_UP;
  if (asked < TRIAD_REQUEST_SAVE && (now > r->retry || is_save_due(r, now))) asked = TRIAD_REQUEST_SAVE;
  return asked;
}
