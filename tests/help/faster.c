/* A clock that runs TRIAD_TEST_FASTER times as fast, by LD_PRELOAD: what a run says after a minute, it says after less.
 * Nothing of it is in the product. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *out)
{
  static double times, begin;
  const int bad = (int)syscall(SYS_clock_gettime, clock, out);
  if (bad || clock != CLOCK_MONOTONIC) return bad;
  const double now = (double)out->tv_sec + 1e-9 * (double)out->tv_nsec;
  if (times <= 0) times = strtod(getenv("TRIAD_TEST_FASTER"), NULL), begin = now;
  const double then = begin + (now - begin) * times;
  out->tv_sec = (time_t)then;
  out->tv_nsec = (long)((then - (double)out->tv_sec) * 1e9);
  return 0;
}
