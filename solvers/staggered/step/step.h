/* A step of a staggered flow, and quantities derived from a state. */
#ifndef TRIAD_SOLVERS_STAGGERED_STEP_STEP_H
#define TRIAD_SOLVERS_STAGGERED_STEP_STEP_H

#include "solvers/staggered/state/flow.h"

/* As in solvers/solver.h. Collective. */
int triad_staggered_advance(void *flow, triad_step *step);

/* Make the host's copy of the state, whose halos are filled, free of divergence; halos are not filled again.
 * Collective. */
int triad_staggered_make_solenoidal(triad_staggered_flow *flow, double dt);

/* flow->work, and what formulas have done in the last step: the mean of their powers at its two ends. power: theirs
 * at the state, summed over the fluid; without formulas it is not used. Not collective. */
double triad_staggered_work_of_formulas(const triad_staggered_flow *flow, double power);

/* Look at the state, whose halos are filled. TRIAD_ERR_BLOWUP where a value is not finite. Collective. */
int triad_staggered_look_at(triad_staggered_flow *flow);

#endif
