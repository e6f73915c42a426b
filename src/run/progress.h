/* The line that tells how far a run is. */
#ifndef TRIAD_RUN_PROGRESS_H
#define TRIAD_RUN_PROGRESS_H

#include "base/log.h"
#include "solvers/solver.h"

typedef struct triad_progress {
  double end;        /* time of the end                */
  int64_t max_steps; /* 0: none                        */
  double step_s;     /* recent time of a step, running */
} triad_progress;

/* rate: advection rate of the step; energy: as last measured, NAN before. */
void triad_progress_show(const triad_progress *progress, triad_log *log, const triad_instant *at, double rate,
                         double energy, int final);

#endif
