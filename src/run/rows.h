/* What a thread hands to the equations with a row of a block: where the fields and the results of a pass stand in it, and
 * room for the rates. Taken once, so that a step takes nothing. */
#ifndef TRIAD_RUN_ROWS_H
#define TRIAD_RUN_ROWS_H

#include "run/flow.h"

typedef struct triad_rows {
  const triad_cplx **u, **results; /* [n_fields], [most results of a pass]: complex [lane] each */
  triad_lane_row *rates;           /* [n_fields]                                                */
} triad_rows;

#define triad_rows_create TRIAD_NAME(rows_create)
#define triad_rows_destroy TRIAD_NAME(rows_destroy)
#define triad_rows_find TRIAD_NAME(rows_find)

/* (*out)[thread]. Not collective: the caller agrees. */
int triad_rows_create(triad_rows **out, const triad_flow *flow);
void triad_rows_destroy(triad_rows **rows, const triad_flow *flow);

/* Point u and results at row j of a block, n results of a pass among them. Returns the row's place in a field. */
int64_t triad_rows_find(triad_rows *rows, const triad_flow *flow, const triad_block *block, int64_t j, int n,
                        triad_cplx *const *results);

#endif
