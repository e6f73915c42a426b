/* A change of the case during a run. Collective; TRIAD_LOOP_CHANGED if there is one. */
#ifndef TRIAD_RUN_LOOP_CHANGE_H
#define TRIAD_RUN_LOOP_CHANGE_H

#include "run/loop.h"
#include "run/run.h"

/* `triad set`: create the flow again from the checkpoint just written, with the changed case, which is equivalent to a
 * stop and a restart. */
int triad_loop_change_case(triad_loop *loop, int saved);

/* Adaptive grid size: if another grid serves the flow better, create the flow again there from the checkpoint just
 * written, as after a stop. */
int triad_loop_follow(triad_loop *loop);

/* A resumed run continues on the grid of its checkpoint, whatever grid the case began with. */
int triad_loop_follow_found(triad_loop *loop, const triad_manifest *found);

/* With options->strict, TRIAD_ERR_CASE where there has been a warning. Collective. */
int triad_run_strict(const triad_comm *comm, const triad_run_options *options);

#endif
