/* The length of a step, for every solver: the smallest limit of its processes, clipped to an output time. */
#ifndef TRIAD_SOLVERS_STEP_H
#define TRIAD_SOLVERS_STEP_H

#include <stdint.h>

/* Where a flow is. */
typedef struct triad_instant {
  int64_t step; /* steps taken */
  double t, dt; /* time, and length of the last step (0 before the first) */
} triad_instant;

/* What a step is asked for, and what it came to. */
typedef struct triad_step {
  /* given */
  double dt;      /* fixed step, or 0: */
  double cfl;     /* dt = cfl / the fastest rate of the flow */
  double dt_max;  /* 0: none */
  double land_on; /* a time not to be stepped over, infinity: none; with fixed dt only the end of the run */
  int request;    /* of this rank (TRIAD_REQUEST_.. of run/run.h), shared by the reduction that finds dt */
  /* returned */
  int requested;         /* the largest of all ranks' */
  double advection_rate; /* at the start of the step [1/time]: dt times it is the Courant number */
  const char *limit;     /* what would have made a longer step unstable, in words */
  double bound;          /* the longest stable step, whatever cfl says; infinity or 0: not known */
  double uncut;          /* the step before it was cut so as to land on a time */
  double dt_implicit;    /* the step that implicit diffusion would allow; 0: it is implicit, or cannot be */
} triad_step;

/* The longest step that each process of a flow allows at the Courant number cfl, as cfl/rate, say. */
enum { TRIAD_MOST_STEP_LIMITS = 8 };
typedef struct triad_step_limits {
  int n;
  struct {
    const char *process; /* "advection", "forcing" .. */
    double dt;           /* [time], infinity: no limit  */
  } row[TRIAD_MOST_STEP_LIMITS];
} triad_step_limits;

/* Not collective. */
void triad_step_limit(triad_step_limits *limits, const char *process, double dt);

/* Length of the step that begins at time t: step->dt, or the smallest limit and step->dt_max. Cut where it would
 * step over step->land_on; halved where it would leave a sliver before it. Sets step->limit. The same on all ranks
 * where the limits are. Not collective. */
double triad_step_length(triad_step *step, double t, const triad_step_limits *limits);

/* The flow has advanced by dt, as given by triad_step_length: a step that reaches land_on ends there exactly, and a
 * fixed one at the multiple of dt that t equals up to rounding. */
void triad_step_done(triad_instant *at, const triad_step *step, double dt);

#endif
