/* Requests for checkpoints by wall-clock time: output.checkpoint_wall_interval. */
#include "test.h"

#include "base/clock.h"
#include "run/stop_requests.h"

#include <math.h>
#include <signal.h>

static volatile sig_atomic_t asked;

static triad_stop_requests begin(double every)
{
  static const triad_run_options options = {.dir = "/nonexistent", .request = &asked};
  const triad_comm comm = {.size = 1};
  triad_stop_requests r;
  TRIAD_CHECK(triad_stop_requests_begin(&r, &comm, &options, 1, every));
  return r;
}

/* The request if the last checkpoint was written so long ago [s], and took so long. */
static int request_after(double every, double ago, double took)
{
  triad_stop_requests r = begin(every);
  if (took > 0) triad_stop_requests_saved(&r, took);
  r.saved = triad_now() - ago;
  return triad_stop_requests_now(&r);
}

TRIAD_TEST(a_checkpoint_is_due_when_the_last_one_or_the_start_is_long_ago)
{
  TRIAD_EQUAL(request_after(1800, 1700, 0), TRIAD_REQUEST_NONE, "1700 s after the start");
  TRIAD_EQUAL(request_after(1800, 1801, 0), TRIAD_REQUEST_SAVE, "1801 s after the start");
  TRIAD_EQUAL(request_after(1800, 1801, 10), TRIAD_REQUEST_SAVE, "1801 s after one that took 10 s");
  TRIAD_EQUAL(request_after(0, 1e9, 0), TRIAD_REQUEST_NONE, "with 0 never");
}

TRIAD_TEST(checkpoints_cost_two_percent_of_a_run_at_most)
{
  TRIAD_EQUAL(request_after(1800, 4900, 100), TRIAD_REQUEST_NONE, "49 times as long as the last one took");
  TRIAD_EQUAL(request_after(1800, 5100, 100), TRIAD_REQUEST_SAVE, "51 times as long");
}

TRIAD_TEST(files_that_wait_for_the_disk_keep_the_times_of_their_own)
{
  triad_stop_requests r = begin(1800);
  r.saved = triad_now() - 1e4;
  r.retry = triad_now() + 60;
  r.retry_ends = INFINITY;
  TRIAD_EQUAL(triad_stop_requests_now(&r), TRIAD_REQUEST_NONE, "until output.retry_interval is over");
}

TRIAD_MAIN
