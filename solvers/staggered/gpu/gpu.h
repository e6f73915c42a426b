/* Which device takes the steps of a flow, and its loops. The mesh, initial conditions and files stay on the host. */
#ifndef TRIAD_SOLVERS_STAGGERED_GPU_GPU_H
#define TRIAD_SOLVERS_STAGGERED_GPU_GPU_H

#include "solvers/staggered/step/loops.h"

/* The loops of a device; of a GPU in a build with CUDA only. */
const triad_staggered_loops *triad_staggered_loops_of(bool on_gpu);

#endif
