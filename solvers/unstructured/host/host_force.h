/* Acceleration and heating by formula on the CPU. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_HOST_HOST_FORCE_H
#define TRIAD_SOLVERS_UNSTRUCTURED_HOST_HOST_FORCE_H

#include "solvers/unstructured/state/flow.h"

/* Rows of step/loops.h, without twins. Not collective. */
void triad_unstructured_host_sources(triad_unstructured_flow *flow, double t);
void triad_unstructured_host_push(triad_unstructured_flow *flow, double dt, int last, triad_sum sums[5]);

#endif
