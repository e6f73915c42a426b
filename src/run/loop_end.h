/* Whether a run is at its end. */
#ifndef TRIAD_RUN_LOOP_END_H
#define TRIAD_RUN_LOOP_END_H

#include "run/loop.h"

/* Returns 1 if this step, at this time, is the last. */
int triad_loop_is_last(const triad_progress *progress, int64_t step, double t);

/* Progress of a flow that ends when it no longer changes, 0 to 1. */
double triad_loop_settled(const triad_loop *loop);

#endif
