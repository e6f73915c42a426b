/* Lines along z of the pressure's modes: forward, over their eigenvalues, and back, while they are in a multiprocessor
 * (solvers/staggered/gpu/gpu_surface.h). */
#include "solvers/staggered/gpu/gpu_surface.h"

#include "parallel/device_launch.h"

#include "fft/gpu/device_lines.h"

template <int N, int LANES>
static __global__ void __launch_bounds__(strided<N>::G *LANES, blocks_of<N, LANES>::value)
  divide_waves(const triad_staggered_gpu_modes modes, const triad_cplx *twiddles)
{
  TRIAD_SHARED(memory);
  typedef strided<N> F;
  const int lane = (int)threadIdx.x, t = (int)threadIdx.y;
  const int64_t columns = (int64_t)modes.n[0] * modes.n[1], column = (int64_t)blockIdx.x * LANES + lane;
  const bool is_there = column < columns;
  dcplx *at = (dcplx *)modes.mode + column, v[F::E];
#pragma unroll
  for (int m = 0; m < F::E; m++) v[m] = is_there ? at[(t + m * F::G) * columns] : dcplx{0, 0};
  transform_line<-1, N, LANES, F>(v, (dcplx *)memory, t, lane, (const dcplx *)twiddles);
  const double across = is_there ? modes.value[0][column % modes.n[0]] + modes.value[1][column / modes.n[0]] : 0;
#pragma unroll
  for (int m = 0; m < F::E; m++) {
    const double value = across + modes.value[2][t + m * F::G];
    v[m] = (triad_real)(value > 0 ? modes.scale / value : 0) * v[m];
  }
  transform_line<1, N, LANES, F>(v, (dcplx *)memory, t, lane, (const dcplx *)twiddles);
#pragma unroll
  for (int m = 0; m < F::E; m++)
    if (is_there) at[(t + m * F::G) * columns] = v[m];
}

template <int N> static int divide(const triad_staggered_gpu_modes *m, const triad_cplx *twiddles, void *stream)
{
  constexpr int L = lanes_of<N>::value;
  constexpr size_t bytes = (size_t)N * L * sizeof(dcplx);
  TRIAD_TRY(allow_shared(divide_waves<N, L>, bytes));
  const dim3 blocks(blocks_for((int64_t)m->n[0] * m->n[1], L)), threads(L, strided<N>::G);
  TRIAD_LAUNCH_SHARED(blocks, threads, bytes, stream, divide_waves<N, L>)(*m, twiddles);
  return launched("lines of modes along z");
}

extern "C" int triad_staggered_gpu_has_waves(int64_t n)
{
#define HAS(size, e, a, b) \
  if (n == size) return 1;
  TRIAD_DEVICE_SIZES(HAS)
  return 0;
}

extern "C" int triad_staggered_gpu_divide_waves(const triad_staggered_gpu_modes *m, const triad_cplx *twiddles,
                                                void *stream)
{
  switch (m->n[2]) {
#define CASE(size, e, a, b) \
  case size: return divide<size>(m, twiddles, stream);
    TRIAD_DEVICE_SIZES(CASE)
  default: return TRIAD_FAIL(TRIAD_ERR_FEATURE, "there is no GPU kernel for %d modes along z", m->n[2]);
  }
}
