/* The direct solve of the pressure equation on a GPU, in a box without solids (docs/methods/staggered.md): creation,
 * solve, destruction. */
#ifndef TRIAD_SOLVERS_STAGGERED_GPU_GPU_TRANSFORM_H
#define TRIAD_SOLVERS_STAGGERED_GPU_GPU_TRANSFORM_H

#include "solvers/staggered/gpu/gpu_internal.h"

/* gpu_transform.c, by cuFFT. z: A z = r of a box without solids, without a mean; halos are left to the caller.
 * Collective. */
int triad_staggered_gpu_transform_create(triad_staggered_gpu_transform **out, triad_staggered_flow *flow);
int triad_staggered_gpu_transform_renew(triad_staggered_gpu_transform *transform, const triad_staggered_setup *setup);
void triad_staggered_gpu_transform_destroy(triad_staggered_gpu_transform **transform);
int triad_staggered_gpu_transform_solve(const triad_staggered_gpu_transform *transform, triad_real *r, triad_real *z);
int64_t triad_staggered_gpu_transform_bytes(const triad_partition *blocks, const triad_staggered_setup *setup);

/* factor 4 sin^2(k h/2)/h^2 by wavenumber in the order of the transform, with `half` n/2 + 1 of them; of an axis of
 * the box, -1: a single 0. *values: on the GPU, where it is taken when it is NULL; *kept: how many. Not collective. */
int triad_staggered_gpu_eigenvalues(triad_device *device, const triad_staggered_setup *setup, int axis, int half,
                                    double factor, double **values, int *kept);

/* exp(-2 pi i j/n), j < n, on the GPU. Not collective. */
int triad_staggered_gpu_twiddles(triad_device *device, int64_t n, triad_cplx **out);

#endif
