/* Choose the device that advances a flow on blocks. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_GPU_DEVICE_H
#define TRIAD_SOLVERS_MULTIBLOCK_GPU_DEVICE_H

#include "solvers/multiblock/gpu/gpu.h"

int triad_multiblock_choose_device(triad_multiblock_flow *flow);
void triad_multiblock_describe_device(const triad_multiblock_flow *flow, triad_log *log);

#endif
