/* Lines along y (fft/gpu_lines.h): all ranks' columns at a plane <-> the plane [y][pitch]. */
#include "fft/device_launch.h"

template <int N, int LANES, bool MANY, bool WIDE>
static __global__ void __launch_bounds__(strided<N>::G * LANES, blocks_of<N, LANES>::value)
    backward(triad_gpu_shape g, triad_gpu_side from, dcplx *planes)
{
  TRIAD_SHARED(memory);
  typedef strided<N> F;
  int lane = threadIdx.x, t = threadIdx.y, kx = blockIdx.x * LANES + lane, f = blockIdx.z, z = blockIdx.y;
  dcplx v[F::E];
#pragma unroll
  for (int m = 0; m < F::E; m++) {
    v[m] = dcplx{0, 0};
    if (!low<F, WIDE>(m) && !high<F, WIDE>(m)) continue;
    const triad_gpu_row row = row_at(g, t + m * F::G);
    const int i = kx - row.first;
    if (i >= 0 && i < row.count) v[m] = *place<MANY>(g, from, z, f, row.column + i, row.owner);
  }
  if (kx == g.zero || kx == g.nyquist) { /* by itself, so that other lines' loads do not wait for each other */
#pragma unroll
    for (int m = 0; m < F::E; m++) {
      int y = t + m * F::G;
      if ((!low<F, WIDE>(m) && !high<F, WIDE>(m)) || !held_elsewhere(g, kx, y)) continue;
      const triad_gpu_row held = row_at(g, N - y);
      v[m] = *place<MANY>(g, from, z, f, held.column + kx, held.owner);
      v[m].y = -v[m].y;
    }
  }
  transform_line<1, N, LANES, F>(v, (dcplx *)memory, t, lane, (const dcplx *)g.twiddle[1]);
  if (kx >= g.pitch) return;
  if (g.members) {
#pragma unroll
    for (int m = 0; m < F::E; m++) planes[row_of_lines(g, f, gridDim.y, z, t + m * F::G) * g.pitch + kx] = v[m];
    return;
  }
  dcplx *plane = planes + ((int64_t)f * gridDim.y + blockIdx.y) * N * g.pitch;
#pragma unroll
  for (int m = 0; m < F::E; m++) plane[(int64_t)(t + m * F::G) * g.pitch + kx] = v[m];
}

template <int N, int LANES, bool MANY>
static __global__ void __launch_bounds__(strided<N>::G * LANES, blocks_of<N, LANES>::value)
    forward(triad_gpu_shape g, const dcplx *planes, triad_real scale, triad_gpu_side to)
{
  TRIAD_SHARED(memory);
  typedef strided<N> F;
  int lane = threadIdx.x, t = threadIdx.y, kx = blockIdx.x * LANES + lane, f = blockIdx.z, z = blockIdx.y;
  const dcplx *plane = planes + ((int64_t)f * gridDim.y + blockIdx.y) * N * g.pitch;
  dcplx v[F::E];
  if (g.members) {
#pragma unroll
    for (int m = 0; m < F::E; m++)
      v[m] = kx < g.pitch ? planes[row_of_lines(g, f, gridDim.y, z, t + m * F::G) * g.pitch + kx] : dcplx{0, 0};
  } else {
#pragma unroll
    for (int m = 0; m < F::E; m++)
      v[m] = kx < g.pitch ? plane[(int64_t)(t + m * F::G) * g.pitch + kx] : dcplx{0, 0};
  }
  transform_line<-1, N, LANES, F>(v, (dcplx *)memory, t, lane, (const dcplx *)g.twiddle[1]);
  /* Several at once: behind a store, which might change the table, each row would be read by itself. */
  constexpr int SOME = F::E < 8 ? (int)F::E : 8;
#pragma unroll
  for (int first = 0; first < F::E; first += SOME) {
    int number[SOME], owner[SOME]; /* of columns; -1: truncated */
#pragma unroll
    for (int i = 0; i < SOME && first + i < F::E; i++) {
      const triad_gpu_row row = g.rows[t + (first + i) * F::G];
      const int at = kx - row.first;
      number[i] = at >= 0 && at < row.count ? row.column + at : -1;
      owner[i] = row.owner;
    }
#pragma unroll
    for (int i = 0; i < SOME && first + i < F::E; i++)
      if (number[i] >= 0) *place<MANY>(g, to, z, f, number[i], owner[i]) = scale * v[first + i];
  }
}

#ifndef __CUDACC_RTC__
#include "fft/gpu_library.h"

template <int N, bool MANY, bool WIDE>
static int backward_of(const triad_gpu_shape *g, int n, const triad_gpu_side *from, int count, triad_cplx *planes,
                       void *stream)
{
  constexpr int L = lanes_of<N>::value;
  constexpr size_t bytes = (size_t)N * L * sizeof(dcplx);
  TRIAD_TRY(allow_shared(backward<N, L, MANY, WIDE>, bytes));
  TRIAD_LAUNCH_SHARED(dim3(blocks_for(g->pitch, L), (unsigned)count, (unsigned)n), dim3(L, strided<N>::G), bytes, stream,
                      backward<N, L, MANY, WIDE>)(*g, *from, (dcplx *)planes);
  return launched("y backward");
}

template <int N, bool MANY>
static int forward_of(const triad_gpu_shape *g, int n, const triad_cplx *planes, int count, double scale,
                      const triad_gpu_side *to, void *stream)
{
  constexpr int L = lanes_of<N>::value;
  constexpr size_t bytes = (size_t)N * L * sizeof(dcplx);
  TRIAD_TRY(allow_shared(forward<N, L, MANY>, bytes));
  TRIAD_LAUNCH_SHARED(dim3(blocks_for(g->pitch, L), (unsigned)count, (unsigned)n), dim3(L, strided<N>::G), bytes, stream,
                      forward<N, L, MANY>)(*g, (const dcplx *)planes, (triad_real)scale, *to);
  return launched("y forward");
}

extern "C" int triad_gpu_y_backward(const triad_gpu_shape *g, int n, const triad_gpu_side *from, int count,
                                    triad_cplx *planes, void *stream)
{
  const bool many = g->size > 1, wide = g->wide;
  if (count == 0 || n == 0 || g->pitch == 0) return TRIAD_OK;
  if (g->library[1]) return triad_gpu_library_y_backward(g, n, from, count, planes, stream);
  if (g->compiled[1]) return triad_gpu_compiled_y_backward(g, n, from, count, planes, stream);
  return with_size(g->n[1], [&](auto size) {
    constexpr int N = size();
    if (wide)
      return many ? backward_of<N, true, true>(g, n, from, count, planes, stream)
                  : backward_of<N, false, true>(g, n, from, count, planes, stream);
    return many ? backward_of<N, true, false>(g, n, from, count, planes, stream)
                : backward_of<N, false, false>(g, n, from, count, planes, stream);
  });
}

extern "C" int triad_gpu_y_forward(const triad_gpu_shape *g, int n, const triad_cplx *planes, int count, double scale,
                                   const triad_gpu_side *to, void *stream)
{
  bool many = g->size > 1;
  if (count == 0 || n == 0 || g->pitch == 0) return TRIAD_OK;
  if (g->library[1]) return triad_gpu_library_y_forward(g, n, planes, count, scale, to, stream);
  if (g->compiled[1]) return triad_gpu_compiled_y_forward(g, n, planes, count, scale, to, stream);
  return with_size(g->n[1], [&](auto size) {
    return many ? forward_of<size(), true>(g, n, planes, count, scale, to, stream)
                : forward_of<size(), false>(g, n, planes, count, scale, to, stream);
  });
}
#endif
