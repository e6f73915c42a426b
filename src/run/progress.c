/* Estimate the remaining steps and time, and print the progress line. */
#include "run/run.h"
#include "run/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

void triad_progress_left(const triad_progress *p, const triad_instant *at, double *steps, double *done)
{
  double left = fmax(0, p->end - at->t);
  *steps = at->dt > 0 ? ceil(left / at->dt * (1 - 1e-9)) : 0;
  *done = p->end > 0 ? at->t / p->end : 1;
  if (p->max_steps > 0 && (double)at->step + *steps > (double)p->max_steps) {
    *steps = (double)(p->max_steps - at->step);
    *done = (double)at->step / (double)p->max_steps;
  }
  if (p->settled > *done) { /* assume that the rest needs as many steps as the part that is done */
    *steps = fmin(*steps, ceil((double)at->step * (1 / p->settled - 1)));
    *done = p->settled;
  }
}

void triad_progress_show(const triad_progress *p, triad_log *log, const triad_instant *at, double rate, double energy,
                         int final)
{
  char text[240], measured[32] = "";
  double steps, done;
  triad_progress_left(p, at, &steps, &done);
  int64_t eta = (int64_t)fmin(steps * p->step_s, 3.6e9); /* a million hours stand for any more */
  if (isfinite(energy)) (void)snprintf(measured, sizeof measured, "  E %.4g", energy);
  (void)snprintf(text, sizeof text,
                 "step %" PRId64 "/%.0f  t %.4g  dt %.2e  CFL %.2f%s  %.3g ms/step  %.0f%%  ETA %02" PRId64
                 ":%02" PRId64 ":%02" PRId64,
                 at->step, (double)at->step + steps, at->t, at->dt, at->dt * rate, measured, 1e3 * p->step_s,
                 100 * fmin(done, 1), eta / 3600, eta / 60 % 60, eta % 60);
  triad_log_progress(log, text, final);
}
