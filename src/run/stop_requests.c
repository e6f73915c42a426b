#include "run/stop_requests.h"

#include "base/clock.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

int triad_stop_requests_begin(triad_stop_requests *w, const triad_comm *comm, const triad_run_options *options, double save_s)
{
  memset(w, 0, sizeof *w);
  w->options = options;
  w->root = comm->rank == 0;
  w->ends = options->walltime > 0 ? options->began + options->walltime : INFINITY;
  w->save_s = save_s;
  w->retry = w->retry_ends = INFINITY;
  w->looked = triad_now();
  if (!w->root) return TRIAD_OK;
  TRIAD_TRY(triad_disk_path(w->stop_file, "%s/" TRIAD_STOP_FILE, options->dir));
  return triad_disk_remove(w->stop_file);
}

double triad_stop_requests_margin(const triad_stop_requests *w)
{
  /* twice what was seen, for the disk may be busier at the end; a hundredth of the limit for what was not */
  return 2 * w->save_s + 2 * w->step_s + 1 + 0.01 * (w->ends - w->options->began);
}

void triad_stop_requests_saved(triad_stop_requests *w, double seconds)
{
  w->save_s = w->saves++ > 0 ? fmax(w->save_s, seconds) : seconds; /* the first replaces the estimate */
}

/* Once a second: looking for a file on a busy network file system takes a while. */
static int told_to_stop(triad_stop_requests *w, double now)
{
  if (now < w->looked + 1) return 0;
  w->looked = now;
  return access(w->stop_file, F_OK) == 0;
}

int triad_stop_requests_now(triad_stop_requests *w)
{
  int wish = *w->options->request;
  double now = triad_now();
  if (wish == TRIAD_REQUEST_STOP) w->why = "a signal";
  if (!w->root) return wish;
  if (wish < TRIAD_REQUEST_STOP && told_to_stop(w, now)) {
    w->why = "triad stop";
    wish = TRIAD_REQUEST_STOP;
  }
  /* a start that is too short for a step still takes one, or a chain of such jobs would stand still */
  if (wish < TRIAD_REQUEST_STOP && w->steps > 0 && now + triad_stop_requests_margin(w) > w->ends) {
    w->why = "the wall-clock limit";
    wish = TRIAD_REQUEST_STOP;
  }
  if (now > w->retry_ends) return TRIAD_REQUEST_GIVE_UP;
  if (wish < TRIAD_REQUEST_SAVE && now > w->retry) wish = TRIAD_REQUEST_SAVE;
  return wish;
}
