/* Columns of modes as lines along z, for cuda/ only: the kept part of a line, factors of shifted grids, planes of the
 * work array (fft/gpu/gpu_lines.h). Thread (lane, t) of a block has elements t + m G of its lane's column, as in
 * device_lines.h. */
#ifndef TRIAD_FFT_GPU_DEVICE_COLUMNS_H
#define TRIAD_FFT_GPU_DEVICE_COLUMNS_H

#include "fft/gpu/device_launch.h"

/* Where element m of a line keeps its mode, kz = z or z - N; -1 for one that truncation leaves out. */
template <int N, bool WIDE>
static __device__ __forceinline__ int kept_at(const triad_gpu_shape &g, int extent, int m, int t)
{
  typedef strided<N> F;
  const int z = t + m * F::G;
  if (low<F, WIDE>(m) && z <= extent) return z;
  return high<F, WIDE>(m) && N - z <= extent ? z - N + (int)g.nkz : -1;
}

/* The phase factors of a column on a shifted grid; loaded together with the column's extent, long before they are
 * used. */
struct column_shift {
  int kx, ky;
};
static __device__ __forceinline__ column_shift shift_of(const triad_gpu_shape &g, int64_t column, bool shifted)
{
  return shifted ? column_shift{g.shift.kx[column], g.shift.ky[column]} : column_shift{0, 0};
}

/* Multiply the modes of a column by exp(S i k.s). Factors are loaded separately: between loads of modes, which depend
 * on the truncation, each would wait for the one before. */
template <int S, int N>
static __device__ __forceinline__ void turn_column(const triad_gpu_shape &g, dcplx *v, column_shift of, int extent,
                                                   int t)
{
  typedef strided<N> F;
  const triad_gpu_shift &s = g.shift;
  const dcplx turn = ((const dcplx *)s.along[0])[of.kx] * ((const dcplx *)s.along[1])[of.ky];
#pragma unroll
  for (int m = 0; m < F::E; m++) {
    const int j = kept_at<N, true>(g, extent, m, t);
    const dcplx along = turn * ((const dcplx *)s.along[2])[j < 0 ? 0 : j];
    v[m] = v[m] * (S > 0 ? along : conjugate(along));
  }
}

/* Element m of a column is its value at plane t + m G: of field f of what has come from all ranks ... */
template <int N>
static __device__ __forceinline__ void load_planes(const triad_gpu_shape &g, int f, int64_t column, int t,
                                                   const dcplx *work, dcplx *v)
{
  typedef strided<N> F;
#pragma unroll
  for (int m = 0; m < F::E; m++)
    v[m] = column < g.columns ? work[((int64_t)(t + m * F::G) * g.slots + f) * g.columns + column] : dcplx{0, 0};
}

/* ... and to field f, of n, of what goes to all. */
template <int N>
static __device__ __forceinline__ void store_planes(const triad_gpu_shape &g, int n, int f, int64_t column, int t,
                                                    const dcplx *v, dcplx *work)
{
  typedef strided<N> F;
  int place[F::E]; /* all at once: between stores, which might change the table, each would be read by itself */
#pragma unroll
  for (int m = 0; m < F::E; m++) {
    int z = t + m * F::G;
    place[m] = z * g.slots - g.within[z] * (g.slots - n) + f;
  }
#pragma unroll
  for (int m = 0; m < F::E; m++) work[(int64_t)place[m] * g.columns + column] = v[m];
}

#endif
