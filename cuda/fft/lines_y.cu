/* Lines along y (fft/gpu/gpu_lines.h): all ranks' columns at a plane <-> the plane [y][pitch]. */
#include "fft/gpu/device_launch.h"
#include "transpose/chain_points.h"

template <int N, int LANES, bool MANY, bool WIDE>
static __global__ void __launch_bounds__(strided<N>::G *LANES, blocks_of<N, LANES>::value)
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

/* Line kx of result f at plane z of a chunk. */
template <class F>
static __device__ __forceinline__ void load_line(const triad_gpu_shape &g, const dcplx *planes, int f, int kx, int t,
                                                 dcplx *v)
{
  const int z = blockIdx.y, count = gridDim.y;
  const dcplx *plane = planes + ((int64_t)f * count + z) * (F::E * F::G) * g.pitch;
  if (g.members) {
#pragma unroll
    for (int m = 0; m < F::E; m++)
      v[m] = kx < g.pitch ? planes[row_of_lines(g, f, count, z, t + m * F::G) * g.pitch + kx] : dcplx{0, 0};
  } else {
#pragma unroll
    for (int m = 0; m < F::E; m++) v[m] = kx < g.pitch ? plane[(int64_t)(t + m * F::G) * g.pitch + kx] : dcplx{0, 0};
  }
}

/* Results in no chain. */
template <int N, int LANES, bool MANY>
static __global__ void __launch_bounds__(strided<N>::G *LANES, blocks_of<N, LANES>::value)
  forward(triad_gpu_shape g, const dcplx *planes, triad_real scale, triad_gpu_side to, triad_chain_run run)
{
  TRIAD_SHARED(memory);
  typedef strided<N> F;
  int lane = threadIdx.x, t = threadIdx.y, kx = blockIdx.x * LANES + lane,
      f = run.joined + blockIdx.z * run.joined_step, z = blockIdx.y;
  dcplx v[F::E];
  load_line<F>(g, planes, run.first + blockIdx.z * run.step, kx, t, v);
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

/* Elements of a line that can hold a kept mode: how many there are before element m. */
template <class F, bool WIDE> static __device__ constexpr int kept_before(int m)
{
  int n = 0;
  for (int i = 0; i < m; i++) n += low<F, WIDE>(i) || high<F, WIDE>(i);
  return n;
}

/* Hide from the compiler that t is unchanged, so that values derived from it are computed again. */
static __device__ __forceinline__ void forget(int &t)
{
#ifdef __CUDA_ARCH__
  asm volatile("" : "+r"(t));
#else
  (void)t;
#endif
}

/* Sums of chains (transpose/plain/chains.h): the lines of a chain are processed one after the other, each read and
 * transformed once. k_x of one is stored in shared memory until k_y of the next, after the memory of the transform,
 * where each thread has entries of its own. */
template <int N, int LANES, bool MANY, bool WIDE>
static __global__ void __launch_bounds__(strided<N>::G *LANES, chains_of<N, WIDE>::blocks)
  forward_chains(triad_gpu_shape g, const dcplx *planes, triad_real scale, triad_gpu_side to, triad_chain_run run)
{
  TRIAD_SHARED(memory);
  typedef strided<N> F;
  const int lane = threadIdx.x, kx = blockIdx.x * LANES + lane, z = blockIdx.y;
  int t = threadIdx.y;
  dcplx *begun = (dcplx *)memory + N * LANES + t * LANES + lane;
#pragma unroll 1
  for (int part = 0; part < run.length; part++) {
    forget(t); /* or factors and indices, the same for every part, would occupy more registers than there are */
    dcplx v[F::E];
    load_line<F>(g, planes, run.first + blockIdx.z * run.step + part, kx, t, v);
    transform_line<-1, N, LANES, F>(v, (dcplx *)memory, t, lane, (const dcplx *)g.twiddle[1]);
    forget(t);
    const int f = run.joined + blockIdx.z * run.joined_step + part - 1;
    constexpr int SOME = F::E < 8 ? F::E / 2 : 4; /* as in forward(), as many as there are registers for */
#pragma unroll
    for (int first = 0; part > 0 && first < F::E; first += SOME) {
      int number[SOME], owner[SOME];
      triad_real along[SOME];
#pragma unroll
      for (int i = 0; i < SOME && first + i < F::E; i++) {
        if (!low<F, WIDE>(first + i) && !high<F, WIDE>(first + i)) continue;
        const triad_gpu_row row = row_at(g, t + (first + i) * F::G);
        const int at = kx - row.first;
        number[i] = at >= 0 && at < row.count ? row.column + at : -1;
        owner[i] = row.owner;
        along[i] = g.wave[1][t + (first + i) * F::G];
      }
#pragma unroll
      for (int i = 0; i < SOME && first + i < F::E; i++) {
        if (!low<F, WIDE>(first + i) && !high<F, WIDE>(first + i)) continue;
        const dcplx mine = begun[kept_before<F, WIDE>(first + i) * (F::G * LANES)], p = v[first + i];
        if (number[i] >= 0)
          *place<MANY>(g, to, z, f, number[i], owner[i]) =
            dcplx{-scale * triad_chain_end(mine.y, along[i], p.y), scale * triad_chain_end(mine.x, along[i], p.x)};
      }
    }
    const triad_real across = kx <= g.kx_most ? g.wave[0][kx] : 0;
#pragma unroll
    for (int m = 0; m < F::E; m++)
      if (low<F, WIDE>(m) || high<F, WIDE>(m))
        begun[kept_before<F, WIDE>(m) * (F::G * LANES)] =
          dcplx{triad_chain_begin(across, v[m].x), triad_chain_begin(across, v[m].y)};
  }
}

#ifndef __CUDACC_RTC__
#include "fft/gpu/gpu_library.h"

template <int N, bool MANY, bool WIDE>
static int backward_of(const triad_gpu_shape *g, int n, const triad_gpu_side *from, int count, triad_cplx *planes,
                       void *stream)
{
  constexpr int L = lanes_of<N>::value;
  constexpr size_t bytes = (size_t)N * L * sizeof(dcplx);
  TRIAD_TRY(allow_shared(backward<N, L, MANY, WIDE>, bytes));
  TRIAD_LAUNCH_SHARED(dim3(blocks_for(g->pitch, L), (unsigned)count, (unsigned)n), dim3(L, strided<N>::G), bytes,
                      stream, backward<N, L, MANY, WIDE>)
  (*g, *from, (dcplx *)planes);
  return launched("y backward");
}

template <int N, bool MANY>
static int forward_of(const triad_gpu_shape *g, const triad_chain_run *run, const triad_cplx *planes, int count,
                      double scale, const triad_gpu_side *to, void *stream)
{
  constexpr int L = lanes_of<N>::value;
  constexpr size_t bytes = (size_t)N * L * sizeof(dcplx);
  TRIAD_TRY(allow_shared(forward<N, L, MANY>, bytes));
  TRIAD_LAUNCH_SHARED(dim3(blocks_for(g->pitch, L), (unsigned)count, (unsigned)run->count), dim3(L, strided<N>::G),
                      bytes, stream, forward<N, L, MANY>)
  (*g, (const dcplx *)planes, (triad_real)scale, *to, *run);
  return launched("y forward");
}

template <int N, bool MANY, bool WIDE>
static int chains_forward(const triad_gpu_shape *g, const triad_chain_run *run, const triad_cplx *planes, int count,
                          double scale, const triad_gpu_side *to, void *stream)
{
  constexpr int L = chains_of<N, WIDE>::lanes;
  constexpr size_t bytes = chains_of<N, WIDE>::shared;
  TRIAD_TRY(allow_shared(forward_chains<N, L, MANY, WIDE>, bytes));
  TRIAD_LAUNCH_SHARED(dim3(blocks_for(g->pitch, L), (unsigned)count, (unsigned)run->count), dim3(L, strided<N>::G),
                      bytes, stream, forward_chains<N, L, MANY, WIDE>)
  (*g, (const dcplx *)planes, (triad_real)scale, *to, *run);
  return launched("y forward of chains");
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

static int forward_run(const triad_gpu_shape *g, const triad_chain_run *run, const triad_cplx *planes, int count,
                       double scale, const triad_gpu_side *to, void *stream)
{
  const bool many = g->size > 1, wide = g->wide;
  if (g->library[1]) return triad_gpu_library_y_forward(g, run, planes, count, scale, to, stream);
  if (g->compiled[1]) return triad_gpu_compiled_y_forward(g, run, planes, count, scale, to, stream);
  return with_size(g->n[1], [&](auto size) {
    constexpr int N = size();
    if (run->length == 1)
      return many ? forward_of<N, true>(g, run, planes, count, scale, to, stream)
                  : forward_of<N, false>(g, run, planes, count, scale, to, stream);
    if (wide)
      return many ? chains_forward<N, true, true>(g, run, planes, count, scale, to, stream)
                  : chains_forward<N, false, true>(g, run, planes, count, scale, to, stream);
    return many ? chains_forward<N, true, false>(g, run, planes, count, scale, to, stream)
                : chains_forward<N, false, false>(g, run, planes, count, scale, to, stream);
  });
}

extern "C" int triad_gpu_y_forward(const triad_gpu_shape *g, const triad_chains *chains, int n,
                                   const triad_cplx *planes, int count, double scale, const triad_gpu_side *to,
                                   void *stream)
{
  triad_chain_run runs[TRIAD_CHAIN_RUNS];
  if (count == 0 || n == 0 || g->pitch == 0) return TRIAD_OK;
  for (int i = 0, all = triad_chains_runs(chains, n, runs); i < all; i++)
    TRIAD_TRY(forward_run(g, &runs[i], planes, count, scale, to, stream));
  return TRIAD_OK;
}
#endif
