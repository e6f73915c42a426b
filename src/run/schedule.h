/* When outputs are due: at multiples of an interval of time, counted from t = 0, so that a restart needs no memory. */
#ifndef TRIAD_RUN_SCHEDULE_H
#define TRIAD_RUN_SCHEDULE_H

#include <math.h>

/* How many whole intervals t has seen; the slack takes in a t that missed a multiple by rounding. */
static inline double triad_intervals(double interval, double t) { return floor(t / interval + 1e-9); }

/* The next multiple after t; infinity without an interval. */
static inline double triad_next(double interval, double t)
{
  return interval > 0 ? (triad_intervals(interval, t) + 1) * interval : INFINITY;
}

/* Was a multiple reached by the step from `before` to `t`? */
static inline int triad_due(double interval, double before, double t)
{
  return interval > 0 && triad_intervals(interval, t) > triad_intervals(interval, before);
}

#endif
