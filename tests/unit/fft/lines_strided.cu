/* Lines as cuda/fft/lines_y.cu and lines_z.cu transform them, of every length of lengths.c, for test_lines_gpu.c. */
#include <cuda_runtime.h>

#ifndef TEST_BUILT_IN
#define TEST_STRIDED test_strided
#include "lines_strided.h" /* of lengths.c */
#endif

#include "fft/gpu/device_launch.h"

static dcplx block[512 * 16];

template <int S, int N, int LANES> static __global__ void transform(const dcplx *in, dcplx *out, const dcplx *table)
{
  typedef strided<N> F;
  const int lane = threadIdx.x, t = threadIdx.y;
  dcplx v[F::E];
  for (int m = 0; m < F::E; m++) v[m] = in[(t + m * F::G) * LANES + lane];
  transform_line<S, N, LANES, F>(v, block, t, lane, table);
  for (int m = 0; m < F::E; m++) out[(t + m * F::G) * LANES + lane] = v[m];
}

/* in, out: [point][lane] of as many lanes as it returns; table: exp(-2 pi i j/n). */
extern "C" int TEST_STRIDED(int n, int sign, const triad_cplx *in, triad_cplx *out, const triad_cplx *table)
{
  switch (n) {
#define CASE(size, ...) \
  case size: { \
    constexpr int L = lanes_of<size>::value; \
    auto kernel = sign > 0 ? transform<1, size, L> : transform<-1, size, L>; \
    TRIAD_LAUNCH(1, dim3(L, strided<size>::G), 0, kernel)((const dcplx *)in, (dcplx *)out, (const dcplx *)table); \
    return L; \
  }
    TEST_LENGTHS(CASE)
#undef CASE
  }
  return 0;
}
