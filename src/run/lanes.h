/* What a thread hands to the equations with a row of a block: where the fields and the results of a pass stand in it, and
 * room for the rates. Taken once, so that a step takes nothing. */
#ifndef TRIAD_RUN_LANES_H
#define TRIAD_RUN_LANES_H

#include "run/flow.h"

typedef struct triad_lanes {
  const triad_cplx **u, **results; /* [n_fields], [most results of a pass]: complex [lane] each */
  triad_lane_row *rates;           /* [n_fields]                                                */
} triad_lanes;

#define triad_lanes_create TRIAD_NAME(lanes_create)
#define triad_lanes_destroy TRIAD_NAME(lanes_destroy)
#define triad_lanes_find TRIAD_NAME(lanes_find)

/* (*out)[thread]. Not collective: the caller agrees. */
int triad_lanes_create(triad_lanes **out, const triad_flow *flow);
void triad_lanes_destroy(triad_lanes **rows, const triad_flow *flow);

/* Point u and results at row j of a block, n results of a pass among them. Returns the row's place in a field. */
int64_t triad_lanes_find(triad_lanes *rows, const triad_flow *flow, const triad_block *block, int64_t j, int n,
                        triad_cplx *const *results);

#endif
