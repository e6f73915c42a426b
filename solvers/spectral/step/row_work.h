/* What a thread hands to the equations with a row of a block: where the fields and the results of a pass stand in it, and
 * room for the rates. Taken once, so that a step takes nothing. */
#ifndef TRIAD_SOLVERS_SPECTRAL_STEP_ROW_WORK_H
#define TRIAD_SOLVERS_SPECTRAL_STEP_ROW_WORK_H

#include "solvers/spectral/flow.h"

typedef struct triad_row_work {
  const triad_cplx **u, **results; /* [n_fields], [most results of a pass]: complex [lane] each */
  triad_lane_row *rates;           /* [n_fields]                                                */
} triad_row_work;


/* (*out)[thread]. Not collective: the caller agrees. */
int triad_row_work_create(triad_row_work **out, const triad_flow *flow);
void triad_row_work_destroy(triad_row_work **rows, const triad_flow *flow);

/* Point u and results at row j of a block, n results of a pass among them. Returns the row's place in a field. */
int64_t triad_row_work_find(triad_row_work *rows, const triad_flow *flow, const triad_batch *block, int64_t j, int n,
                        triad_cplx *const *results);

#endif
