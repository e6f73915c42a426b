/* Choose the length of a step from the limits of all processes and land on output times. */
#include "solvers/step.h"

#include <float.h>
#include <math.h>

void triad_step_limit(triad_step_limits *limits, const char *process, double dt)
{
  limits->row[limits->n].process = process;
  limits->row[limits->n++].dt = dt;
}

double triad_step_length(triad_step *step, double t, const triad_step_limits *limits)
{
  double dt = step->dt, left = step->land_on - t;
  step->limit = "time.dt";
  step->uncut = dt;
  if (dt <= 0) {
    dt = INFINITY; /* of a flow at rest */
    step->limit = "nothing";
    for (int i = 0; i < limits->n; i++) {
      if (limits->row[i].dt < dt) step->limit = limits->row[i].process;
      dt = fmin(dt, limits->row[i].dt);
    }
    if (step->dt_max > 0 && step->dt_max < dt) {
      dt = step->dt_max;
      step->limit = "time.dt_max";
    }
    step->uncut = dt;
    if (dt < left && 2 * dt > left) return left / 2;
  }
  return dt * (1 + 1e-9) >= left ? left : dt;
}

/* t + dt for a fixed dt: the multiple of dt that it equals up to rounding. Sums drift, by 2e-12 of t in 1e5 steps,
 * which would give one step too many at the end of a run, and an output one step late. */
static double after(double t, double dt)
{
  const double sum = t + dt, multiple = round(sum / dt) * dt;
  return multiple > t && fabs(multiple - sum) <= 4 * DBL_EPSILON * sum ? multiple : sum;
}

void triad_step_done(triad_instant *at, const triad_step *step, double dt)
{
  at->t = dt >= step->land_on - at->t ? step->land_on : dt == step->dt ? after(at->t, dt) : at->t + dt;
  at->dt = dt;
  at->step++;
}
