/* Compute a stage of all zones of bricks on a GPU. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_WINDOWS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_GPU_GPU_WINDOWS_H

#include "solvers/unstructured/gpu/gpu_internal.h"

/* gpu_windows.c: transport, limits and correction over dt for all bricks, window by window. */
int triad_unstructured_gpu_windows(triad_unstructured_flow *flow, double dt, int last);

#endif
