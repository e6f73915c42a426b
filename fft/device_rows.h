/* Lines along x inside a block, for cuda/ only: two real rows a, b travel as one complex line a + i b. Its transform
 * Z holds A(k) = (Z(k) + conj Z(-k))/2 and B(k) = (Z(k) - conj Z(-k))/(2i); so kx <= Kx of two rows go in and come out
 * of one complex transform, and products of rows are products of real and of imaginary parts. */
#ifndef TRIAD_FFT_DEVICE_ROWS_H
#define TRIAD_FFT_DEVICE_ROWS_H

#include "fft/device_launch.h"

/* Elements t + m G of Z from rows a and b, complex [kx]; b NULL: a row of zeros. */
template <int N> __device__ __forceinline__ void load_pair(dcplx *v, const dcplx *a, const dcplx *b, int kx_most, int t)
{
  typedef factored<N> F;
#pragma unroll
  for (int m = 0; m < F::E; m++) {
    int k = t + m * F::G;
    v[m] = dcplx{0, 0};
    if (k <= kx_most) {
      dcplx p = a[k], q = b ? b[k] : dcplx{0, 0};
      if (k == 0) p.y = q.y = 0; /* round-off: the mean of a real row is real */
      v[m] = dcplx{p.x - q.y, p.y + q.x};
    } else if (k >= N - kx_most) {
      dcplx p = a[N - k], q = b ? b[N - k] : dcplx{0, 0};
      v[m] = dcplx{p.x + q.y, q.x - p.y};
    }
  }
}

/* kx <= Kx of both rows from Z; `s` is shared memory [kx][lane]. Every thread of the block must come. */
template <int N, int LANES>
__device__ __forceinline__ void store_pair(const dcplx *v, dcplx *s, dcplx *a, dcplx *b, int kx_most, int64_t pitch,
                                           int t, int lane)
{
  typedef factored<N> F;
  const triad_real half = (triad_real)0.5;
#pragma unroll
  for (int m = 0; m < F::E; m++) s[(t + m * F::G) * LANES + lane] = v[m];
  __syncthreads();
#pragma unroll
  for (int m = 0; m < F::E; m++) {
    int k = t + m * F::G;
    dcplx z = v[m], w = s[(k ? N - k : 0) * LANES + lane];
    if (k >= pitch) continue;
    int kept = k <= kx_most;
    if (a) a[k] = kept ? dcplx{half * (z.x + w.x), half * (z.y - w.y)} : dcplx{0, 0};
    if (b) b[k] = kept ? dcplx{half * (z.y + w.y), half * (w.x - z.x)} : dcplx{0, 0};
  }
  __syncthreads();
}

#endif
