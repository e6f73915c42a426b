/* The device of a flow, and its loops. The mesh, initial conditions and files stay on the host. */
#ifndef TRIAD_SOLVERS_STAGGERED_GPU_DEVICE_H
#define TRIAD_SOLVERS_STAGGERED_GPU_DEVICE_H

#include "solvers/staggered/step/loops.h"

/* The loops of a device; of a GPU in a build with CUDA only. */
const triad_staggered_loops *triad_staggered_loops_of(bool on_gpu);

/* Why no GPU can take the steps, as solvers/solver.h has it; will they be on one, of ranks with such blocks
 * (TRIAD_ERR_FEATURE where that is asked for in vain)? flow->device, collective; and a line of the log. */
extern const triad_device_support triad_staggered_devices;
/* On several GPUs the pressure's transform has waves of Fourier alone: where the case leaves the choice, what it is
 * there. */
void triad_staggered_choose_pressure(triad_staggered_setup *setup, const triad_case *given, int size);
int triad_staggered_expects_gpu(const triad_case *given, const triad_staggered_setup *setup,
                                const triad_partition *blocks, int *expected);
int triad_staggered_choose_device(triad_staggered_flow *flow);
void triad_staggered_describe_device(const triad_staggered_flow *flow, triad_log *log);

#endif
