/* Operations on cells after a step, for the CPU's table of loops. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_HOST_HOST_AFTER_H
#define TRIAD_SOLVERS_UNSTRUCTURED_HOST_HOST_AFTER_H

#include "solvers/unstructured/state/flow.h"

/* As the loops' table has them (loops.h), on the CPU. */
void triad_unstructured_host_draw(triad_unstructured_flow *flow, double dt);
void triad_unstructured_host_mean(triad_unstructured_flow *flow, double w);
int triad_unstructured_host_look_over(triad_unstructured_flow *flow, triad_sum sums[TRIAD_UNSTRUCTURED_SUMS],
                                      double most[TRIAD_UNSTRUCTURED_MAX]);
int triad_unstructured_host_watch(triad_unstructured_flow *flow, const int32_t *cell, int64_t n);
int triad_unstructured_host_pick(triad_unstructured_flow *flow, triad_real *out);

#endif
