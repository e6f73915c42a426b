/* Limits of listed cells and of zones without bricks on the CPU, and the correction of the fluxes. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_HOST_HOST_LIMITS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_HOST_HOST_LIMITS_H

#include "solvers/unstructured/host/host_lanes.h"

/* host_limits.c: the table's functions of these names */
void triad_unstructured_host_limits(triad_unstructured_flow *flow, triad_unstructured_share share, double dt, int last);
void triad_unstructured_host_corrected(triad_unstructured_flow *flow, triad_unstructured_share share, double dt,
                                       int last);

#endif
