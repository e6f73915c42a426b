/* Regions of fluid that solids separate, on a GPU; see regions.h. */
#ifndef TRIAD_SOLVERS_STAGGERED_GPU_GPU_REGIONS_H
#define TRIAD_SOLVERS_STAGGERED_GPU_GPU_REGIONS_H

#include "solvers/staggered/gpu/gpu_internal.h"

/* gpu_regions.c: those of the mesh from now on; a vector without its mean in each, 0 in solids. Collective. */
int triad_staggered_gpu_regions_renew(triad_staggered_flow *flow);
void triad_staggered_gpu_regions_drop(triad_staggered_flow *flow);
int triad_staggered_gpu_regions_level(triad_staggered_flow *flow, triad_real *vector);

#endif
