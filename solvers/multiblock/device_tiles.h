/* What kernels of the multi-block solver share: the rate of a cell, and sums over tiles. For cuda/ only. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_DEVICE_TILES_H
#define TRIAD_SOLVERS_MULTIBLOCK_DEVICE_TILES_H

#include "solvers/multiblock/gpu_multiblock.h"

#include "parallel/device_block.h"

/* Begin to bring the cache line of an address to the second cache. */
static __device__ __forceinline__ void ahead(const triad_real *address)
{
#ifdef __CUDA_ARCH__
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
#else
  (void)address;
#endif
}

/* Waves and diffusion of a cell with these primitives, as step.c: noted, and returned over its volume. */
static __device__ __forceinline__ double look_at(const triad_mb_gpu &g, const triad_mb_gpu_block &b, int at,
                                                 triad_mb_state q)
{
  const triad_real half = TRIAD_R(0.5), per_volume = triad_mb_per(g.volume[at]);
  triad_real rate = 0, spread = 0;
  if (g.viscosity) {
    triad_real t = q.p * triad_mb_per(q.rho) * g.per_r;
    spread = g.diffusion * triad_mb_viscosity(t, g.mu, g.reference, g.power, g.sutherland) * triad_mb_per(q.rho) *
             per_volume;
  }
#pragma unroll
  for (int axis = 0; axis < 3; axis++) {
    if (axis == b.flat) continue;
    const int up = at + b.stride[axis];
    const triad_real mean[3] = {half * (g.s[axis][0][at] + g.s[axis][0][up]),
                                half * (g.s[axis][1][at] + g.s[axis][1][up]),
                                half * (g.s[axis][2][at] + g.s[axis][2][up])};
    rate += triad_mb_wave_rate(q, mean, g.gamma);
    rate += spread * (mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]);
  }
  g.rate[at] = rate;
  return (double)(rate * per_volume);
}

/* N numbers of all threads of a tile, added up, or the LARGEST, in an order that the launch decides, to where the
 * tiles' number `first` stands. All threads of a block, which are whole warps, call it once. before: tiles of launches
 * before. */
template <int N, int LARGEST>
static __device__ __forceinline__ void leave_sums(const triad_mb_gpu &g, double *value, int first, int before)
{
  triad_of_block<LARGEST ? 0 : N, LARGEST ? N : 0>(value, (int)threadIdx.x, TRIAD_MB_GPU_THREADS);
  if (threadIdx.x == 0)
    for (int i = 0; i < N; i++) g.partial[(int64_t)(first + i) * g.n_tiles + before + blockIdx.x] = value[i];
}

#endif
