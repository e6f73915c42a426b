/* One step of the loop, and the reasons to stop after it. */
#ifndef TRIAD_RUN_LOOP_STEP_H
#define TRIAD_RUN_LOOP_STEP_H

#include "run/loop.h"

/* Warnings of the solver about the present state (solvers/solver.h, check_state). Collective. */
int triad_loop_check_state(triad_loop *r, const char *when);

/* Perform one step, write the files that are due, and handle requests. Returns TRIAD_STOPPED, TRIAD_LOOP_CHANGED or
 * TRIAD_ERR_BLOWUP. Collective. */
int triad_loop_advance(triad_loop *loop);

/* Returns st. Explains a blow-up once, even if the caller continues. */
int triad_loop_blown(triad_loop *loop, int st);

#endif
