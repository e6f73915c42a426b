/* Lines along z (fft/gpu/gpu_lines.h): columns [j][column] <-> the work array. */
#include "fft/gpu/device_columns.h"

template <int N, int LANES, bool WIDE>
static __global__ void __launch_bounds__(strided<N>::G *LANES, blocks_of<N, LANES>::value)
  backward(triad_gpu_shape g, triad_gpu_fields fields, dcplx *work)
{
  TRIAD_SHARED(memory);
  typedef strided<N> F;
  int lane = threadIdx.x, t = threadIdx.y, f = blockIdx.y;
  int64_t column = (int64_t)blockIdx.x * LANES + lane;
  const dcplx *from = (const dcplx *)fields.field[f];
  const int extent = column < g.columns ? g.extent[column] : -1;
  const bool shifted = WIDE && g.shift.along[2] && column < g.columns;
  const column_shift shift = shift_of(g, column, shifted);
  dcplx v[F::E];
#pragma unroll
  for (int m = 0; m < F::E; m++) {
    const int j = kept_at<N, WIDE>(g, extent, m, t);
    v[m] = j >= 0 ? from[(int64_t)j * g.columns + column] : dcplx{0, 0};
  }
  if (shifted) turn_column<1, N>(g, v, shift, extent, t);
  transform_line<1, N, LANES, F>(v, (dcplx *)memory, t, lane, (const dcplx *)g.twiddle[2]);
  if (column >= g.columns) return;
  store_planes<N>(g, (int)gridDim.y, f, column, t, v, work);
}

/* In place: a block has loaded all z of its columns before it stores the first j. */
template <int N, int LANES, bool WIDE>
static __global__ void __launch_bounds__(strided<N>::G *LANES, blocks_of<N, LANES>::value)
  forward(triad_gpu_shape g, dcplx *work)
{
  TRIAD_SHARED(memory);
  typedef strided<N> F;
  int lane = threadIdx.x, t = threadIdx.y, f = blockIdx.y;
  int64_t column = (int64_t)blockIdx.x * LANES + lane;
  const int extent = column < g.columns ? g.extent[column] : -1;
  const bool shifted = WIDE && g.shift.along[2] && column < g.columns;
  const column_shift shift = shift_of(g, column, shifted);
  dcplx v[F::E];
  load_planes<N>(g, f, column, t, work, v);
  transform_line<-1, N, LANES, F>(v, (dcplx *)memory, t, lane, (const dcplx *)g.twiddle[2]);
  if (shifted) turn_column<-1, N>(g, v, shift, extent, t);
  const bool both = WIDE && g.shift.first;
#pragma unroll
  for (int m = 0; m < F::E; m++) {
    const int j = kept_at<N, WIDE>(g, extent, m, t);
    if (j >= 0 && (!both || put_aside(g, (f * g.nkz + j) * g.columns + column, v[m])))
      work[((int64_t)j * g.slots + f) * g.columns + column] = v[m];
  }
}

#ifndef __CUDACC_RTC__
#include "fft/gpu/gpu_library.h"

template <int N, bool WIDE>
static int backward_of(const triad_gpu_shape *g, const triad_gpu_fields *fields, int n, triad_cplx *work, void *stream)
{
  constexpr int L = lanes_of<N>::value;
  constexpr size_t bytes = (size_t)N * L * sizeof(dcplx);
  TRIAD_TRY(allow_shared(backward<N, L, WIDE>, bytes));
  TRIAD_LAUNCH_SHARED(dim3(blocks_for(g->columns, L), (unsigned)n), dim3(L, strided<N>::G), bytes, stream,
                      backward<N, L, WIDE>)
  (*g, *fields, (dcplx *)work);
  return launched("z backward");
}

template <int N, bool WIDE> static int forward_of(const triad_gpu_shape *g, int n, triad_cplx *work, void *stream)
{
  constexpr int L = lanes_of<N>::value;
  constexpr size_t bytes = (size_t)N * L * sizeof(dcplx);
  TRIAD_TRY(allow_shared(forward<N, L, WIDE>, bytes));
  TRIAD_LAUNCH_SHARED(dim3(blocks_for(g->columns, L), (unsigned)n), dim3(L, strided<N>::G), bytes, stream,
                      forward<N, L, WIDE>)
  (*g, (dcplx *)work);
  return launched("z forward");
}

extern "C" int triad_gpu_has_size(int64_t n)
{
#define HAS(size, e, a, b) \
  if (n == size) return 1;
  TRIAD_DEVICE_SIZES(HAS)
  return 0;
}

extern "C" int triad_gpu_z_backward(const triad_gpu_shape *g, const triad_gpu_fields *fields, int n, triad_cplx *work,
                                    void *stream)
{
  if (g->library[2]) return triad_gpu_library_z_backward(g, fields, n, work, stream);
  if (g->compiled[2]) return triad_gpu_compiled_z_backward(g, fields, n, work, stream);
  if (g->columns == 0 || n == 0) return TRIAD_OK;
  return with_size(g->n[2], [&](auto size) {
    return g->wide ? backward_of<size(), true>(g, fields, n, work, stream)
                   : backward_of<size(), false>(g, fields, n, work, stream);
  });
}

extern "C" int triad_gpu_z_forward(const triad_gpu_shape *g, int n, triad_cplx *work, void *stream)
{
  if (g->library[2]) return triad_gpu_library_z_forward(g, n, work, stream);
  if (g->compiled[2]) return triad_gpu_compiled_z_forward(g, n, work, stream);
  if (g->columns == 0 || n == 0) return TRIAD_OK;
  return with_size(g->n[2], [&](auto size) {
    return g->wide ? forward_of<size(), true>(g, n, work, stream) : forward_of<size(), false>(g, n, work, stream);
  });
}
#endif
