/* What the time loop does each step besides computing, timed by itself: stop requests, the watchdog, what is due,
 * progress. */
#include "run/bench_measure.h"

#include "base/clock.h"
#include "run/outputs.h"
#include "run/progress.h"

#include <math.h>

enum { TIMES = 2000 };

int triad_bench_checks(const triad_comm *comm, const triad_case *given, double *seconds)
{
  volatile sig_atomic_t request = TRIAD_REQUEST_NONE;
  triad_run_options options = {.dir = "/tmp", .request = &request, .walltime = 3600, .began = triad_now()};
  triad_stop_requests stop = {.options = &options, .root = comm->rank == 0, .ends = options.began + 3600,
                              .retry = INFINITY, .retry_ends = INFINITY, .stop_file = "/nowhere/stop"};
  triad_progress progress = {.end = triad_case_real(given, "time.end")};
  triad_outputs outputs = {.stop = &stop, .saved_step = -1};
  triad_watchdog *watch;
  triad_log *log;
  triad_log_options quiet = triad_log_defaults(comm->rank);
  quiet.level = TRIAD_LOG_ERROR;
  TRIAD_TRY(triad_watchdog_create(&watch, comm->rank, 600));
  int st = triad_log_create(&log, &quiet);
  triad_outputs_read(&outputs, given);
  double begin = triad_now();
  for (int i = 0; st == TRIAD_OK && i < TIMES; i++) {
    triad_instant at = {i, 1e-12 * i, 1e-12};
    (void)triad_outputs_landing(&outputs, at.t);
    (void)triad_stop_requests_now(&stop);
    triad_watchdog_begin(watch, TRIAD_WATCHDOG_STEP, "computing");
    triad_watchdog_end(watch);
    triad_progress_show(&progress, log, &at, 1, 1, 0);
  }
  *seconds = (triad_now() - begin) / TIMES;
  triad_log_destroy(&log);
  triad_watchdog_destroy(&watch);
  return st;
}
