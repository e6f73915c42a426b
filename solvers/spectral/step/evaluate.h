/* Evaluate the nonlinear term: its passes, and the data that a thread needs for them. */
#ifndef TRIAD_SOLVERS_SPECTRAL_STEP_EVALUATE_H
#define TRIAD_SOLVERS_SPECTRAL_STEP_EVALUATE_H

#include "solvers/spectral/step/stepper.h"

/* Can this flow's stages be observed (observer.h)? Not collective. */
int triad_evaluation_shows(const triad_flow *flow);

/* (*out)[thread]. Not collective: the caller agrees. */
int triad_row_work_create(triad_row_work **out, const triad_flow *flow);
void triad_row_work_destroy(triad_row_work **rows, const triad_flow *flow);

/* Point u and results at row j of a block, n results of a pass among them. Returns the row's place in a field. */
int64_t triad_row_work_find(triad_row_work *rows, const triad_flow *flow, const triad_batch *block, int64_t j, int n,
                            triad_cplx *const *results);

#endif
