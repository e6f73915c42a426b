/* Watch the activity of a rank from a second thread, and end the run with exit code 74 if nothing has progressed for
 * too long. */
#include "parallel/host/watchdog.h"
#include "base/clock.h"
#include "base/status.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { KEPT = 64 /* durations */, MEDIANS = 20 };

struct triad_watchdog {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  int rank, stop, active;
  double limit, tick;
  triad_activity activity;
  const char *place;
  double began, age;   /* age: time seen by the watching thread, while it could run */
  double asleep, woke; /* the last stretch longer than the limit that it did not see, and when it ended */
  double durations[TRIAD_ACTIVITIES][KEPT];
  int count[TRIAD_ACTIVITIES];
};

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double triad_watchdog_limit(double limit, double *durations, int n)
{
  if (n == 0) return limit;
  qsort(durations, (size_t)n, sizeof *durations, compare);
  return fmax(limit, MEDIANS * durations[n / 2]);
}

static double allowed(const triad_watchdog *w)
{
  double sorted[KEPT];
  int n = w->count[w->activity] < KEPT ? w->count[w->activity] : KEPT;
  memcpy(sorted, w->durations[w->activity], (size_t)n * sizeof *sorted);
  return triad_watchdog_limit(w->limit, sorted, n);
}

/* Print where this rank is, give the other ranks time to do the same, and exit without cleaning up: the hanging call
 * may hold any lock, including those of MPI. */
static void bark(const triad_watchdog *w)
{
  static const char *const name[TRIAD_ACTIVITIES] = {"a step", "writing files"};
  char host[128] = "", text[512], stopped[64] = "";
  (void)gethostname(host, sizeof host - 1);
  /* kept over the ends of activities: a rank that slept may end a step by itself, and wait in the next for ranks
   * that left */
  if (w->asleep > 0 && triad_now() - w->woke < 4 * allowed(w))
    (void)snprintf(stopped, sizeof stopped, ", and was stopped for %.0f s before", w->asleep);
  int n = snprintf(text, sizeof text,
                   "triad: error: rank %d (process %ld on %s): no progress for %.0f s in %s, while %s%s; ending with "
                   "exit code 74. A rank without such a message is the one that does not respond\n",
                   w->rank, (long)getpid(), host, w->age, name[w->activity], w->place, stopped);
  if (n > 0 && write(STDERR_FILENO, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1) < 0) n = 0;
  (void)sleep(2);
  _exit(TRIAD_ERR_IO);
}

static void *keep_watch(void *self)
{
  triad_watchdog *w = self;
  pthread_mutex_lock(&w->lock);
  while (!w->stop) {
    struct timespec until;
    double before = triad_now();
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(1e9 * w->tick);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    (void)pthread_cond_timedwait(&w->wake, &w->lock, &until);
    double passed = triad_now() - before, seen = fmin(passed, 2 * w->tick);
    if (passed - seen > w->limit) {
      w->asleep = passed - seen;
      w->woke = triad_now();
    }
    if (!w->active) continue;
    w->age += seen;
    if (w->age > allowed(w)) {
      pthread_mutex_unlock(&w->lock);
      bark(w);
    }
  }
  pthread_mutex_unlock(&w->lock);
  return NULL;
}

int triad_watchdog_create(triad_watchdog **out, int rank, double limit)
{
  *out = NULL;
  if (limit <= 0) return TRIAD_OK;
  triad_watchdog *w = calloc(1, sizeof *w);
  if (!w) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the watchdog");
  w->rank = rank;
  w->limit = limit;
  w->tick = fmin(1, limit / 4);
  (void)pthread_mutex_init(&w->lock, NULL);
  (void)pthread_cond_init(&w->wake, NULL);
  if (pthread_create(&w->thread, NULL, keep_watch, w) != 0) {
    free(w);
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a thread for the watchdog (ulimit -d, -v and -u limit threads)");
  }
  *out = w;
  return TRIAD_OK;
}

void triad_watchdog_destroy(triad_watchdog **watch)
{
  if (!watch || !*watch) return;
  triad_watchdog *w = *watch;
  pthread_mutex_lock(&w->lock);
  w->stop = 1;
  pthread_cond_signal(&w->wake);
  pthread_mutex_unlock(&w->lock);
  (void)pthread_join(w->thread, NULL);
  (void)pthread_cond_destroy(&w->wake);
  (void)pthread_mutex_destroy(&w->lock);
  free(w);
  *watch = NULL;
}

void triad_watchdog_begin(triad_watchdog *w, triad_activity activity, const char *place)
{
  if (!w) return;
  pthread_mutex_lock(&w->lock);
  w->activity = activity;
  w->place = place;
  w->began = triad_now();
  w->age = 0;
  w->active = 1;
  pthread_mutex_unlock(&w->lock);
}

void triad_watchdog_at(triad_watchdog *w, const char *place)
{
  if (!w) return;
  pthread_mutex_lock(&w->lock);
  w->place = place;
  w->age = 0;
  pthread_mutex_unlock(&w->lock);
}

void triad_watchdog_end(triad_watchdog *w)
{
  if (!w) return;
  pthread_mutex_lock(&w->lock);
  if (w->active) w->durations[w->activity][w->count[w->activity]++ % KEPT] = triad_now() - w->began;
  w->active = 0;
  pthread_mutex_unlock(&w->lock);
}
