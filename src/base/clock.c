/* Read the monotonic clock and add up the time of each phase of a step. */
#include "base/clock.h"

#include <time.h>

const char *const triad_phase_name[TRIAD_PHASES] = {"fft", "transpose", "exchange", "copies", "pointwise", "rest"};

double triad_now(void)
{
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

triad_phases triad_phases_take(triad_phases *summed)
{
  const triad_phases taken = *summed;
  *summed = (triad_phases){{0}};
  return taken;
}
