/* The progress line of a run, and the estimate of its remaining time. */
#ifndef TRIAD_RUN_PROGRESS_H
#define TRIAD_RUN_PROGRESS_H

#include "run/run.h"

/* Steps and time [s] that are left, and how much is done, 0 to 1. */
void triad_progress_left(const triad_progress *progress, const triad_instant *at, double *steps, double *done);

/* rate: advection rate of the step; energy: as last measured, NAN before. */
void triad_progress_show(const triad_progress *progress, triad_log *log, const triad_instant *at, double rate,
                         double energy, int final);

#endif
