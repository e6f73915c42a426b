/* Lines along y (fft/gpu_lines.h): the work array's columns at a plane <-> the plane [y][pitch]. */
#include "fft/device_launch.h"

template <int N, int LANES>
static __global__ void __launch_bounds__(factored<N>::G * LANES)
    backward(triad_gpu_shape g, const dcplx *work, int z0, dcplx *planes)
{
  extern __shared__ __align__(16) unsigned char memory[];
  typedef factored<N> F;
  int lane = threadIdx.x, t = threadIdx.y, kx = blockIdx.x * LANES + lane, f = blockIdx.z;
  const dcplx *columns = work + ((int64_t)(z0 + (int)blockIdx.y) * g.slots + f) * g.columns;
  dcplx v[F::E];
#pragma unroll
  for (int m = 0; m < F::E; m++) {
    int y = t + m * F::G;
    triad_gpu_row row = g.rows[y];
    int i = kx - row.first;
    v[m] = dcplx{0, 0};
    if (i >= 0 && i < row.count) {
      v[m] = columns[row.column + i];
    } else if (kx == 0 && row.first == 1) { /* the conjugate of (0, -ky) is held instead */
      v[m] = columns[g.rows[N - y].column];
      v[m].y = -v[m].y;
    }
  }
  transform_line<1, N, LANES>(v, (dcplx *)memory, t, lane, (const dcplx *)g.twiddle[1]);
  dcplx *plane = planes + ((int64_t)f * gridDim.y + blockIdx.y) * N * g.pitch;
#pragma unroll
  for (int m = 0; m < F::E; m++)
    if (kx < g.pitch) plane[(int64_t)(t + m * F::G) * g.pitch + kx] = v[m];
}

template <int N, int LANES>
static __global__ void __launch_bounds__(factored<N>::G * LANES)
    forward(triad_gpu_shape g, const dcplx *planes, int z0, triad_real scale, dcplx *work)
{
  extern __shared__ __align__(16) unsigned char memory[];
  typedef factored<N> F;
  int lane = threadIdx.x, t = threadIdx.y, kx = blockIdx.x * LANES + lane, f = blockIdx.z;
  const dcplx *plane = planes + ((int64_t)f * gridDim.y + blockIdx.y) * N * g.pitch;
  dcplx v[F::E];
#pragma unroll
  for (int m = 0; m < F::E; m++)
    v[m] = kx < g.pitch ? plane[(int64_t)(t + m * F::G) * g.pitch + kx] : dcplx{0, 0};
  transform_line<-1, N, LANES>(v, (dcplx *)memory, t, lane, (const dcplx *)g.twiddle[1]);
  dcplx *columns = work + ((int64_t)(z0 + (int)blockIdx.y) * g.slots + f) * g.columns;
#pragma unroll
  for (int m = 0; m < F::E; m++) {
    triad_gpu_row row = g.rows[t + m * F::G];
    int i = kx - row.first;
    if (i >= 0 && i < row.count) columns[row.column + i] = scale * v[m];
  }
}

template <int N>
static int backward_of(const triad_gpu_shape *g, int n, const triad_cplx *work, int z0, int count, triad_cplx *planes,
                       void *stream)
{
  constexpr int L = lanes_of<N>::value;
  constexpr size_t bytes = (size_t)N * L * sizeof(dcplx);
  TRIAD_TRY(allow_shared(backward<N, L>, bytes));
  backward<N, L><<<dim3(blocks_for(g->pitch, L), (unsigned)count, (unsigned)n), dim3(L, factored<N>::G), bytes,
                   (cudaStream_t)stream>>>(*g, (const dcplx *)work, z0, (dcplx *)planes);
  return launched("y backward");
}

template <int N>
static int forward_of(const triad_gpu_shape *g, int n, const triad_cplx *planes, int z0, int count, double scale,
                      triad_cplx *work, void *stream)
{
  constexpr int L = lanes_of<N>::value;
  constexpr size_t bytes = (size_t)N * L * sizeof(dcplx);
  TRIAD_TRY(allow_shared(forward<N, L>, bytes));
  forward<N, L><<<dim3(blocks_for(g->pitch, L), (unsigned)count, (unsigned)n), dim3(L, factored<N>::G), bytes,
                  (cudaStream_t)stream>>>(*g, (const dcplx *)planes, z0, (triad_real)scale, (dcplx *)work);
  return launched("y forward");
}

extern "C" int triad_gpu_y_backward(const triad_gpu_shape *g, int n, const triad_cplx *work, int z0, int count,
                                    triad_cplx *planes, void *stream)
{
  switch (g->n[1]) {
#define CASE(size, e, a, b) case size: return backward_of<size>(g, n, work, z0, count, planes, stream);
    TRIAD_DEVICE_SIZES(CASE)
#undef CASE
  default: return no_size(g->n[1]);
  }
}

extern "C" int triad_gpu_y_forward(const triad_gpu_shape *g, int n, const triad_cplx *planes, int z0, int count,
                                   double scale, triad_cplx *work, void *stream)
{
  switch (g->n[1]) {
#define CASE(size, e, a, b) case size: return forward_of<size>(g, n, planes, z0, count, scale, work, stream);
    TRIAD_DEVICE_SIZES(CASE)
#undef CASE
  default: return no_size(g->n[1]);
  }
}
