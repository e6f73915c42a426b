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

/* The fused x pass: N_IN fields of two rows to physical space, points there, N_OUT results back. Physical values stay
 * in registers. Set::point(law, in, out, &rate) is one point; its largest rate goes to *peak. */
template <int N, int LANES, class Set>
static __global__ void __launch_bounds__(factored<N>::G * LANES)
    fused_rows(triad_gpu_shape g, typename Set::law law, const dcplx *in, dcplx *out, int64_t rows, double *peak)
{
  extern __shared__ __align__(16) unsigned char memory[];
  typedef factored<N> F;
  dcplx *s = (dcplx *)memory;
  int lane = threadIdx.x, t = threadIdx.y;
  int64_t first = 2 * ((int64_t)blockIdx.x * LANES + lane), field = rows * g.pitch;
  bool has_a = first < rows, has_b = first + 1 < rows;
  int64_t at = (has_a ? first : 0) * g.pitch;
  const dcplx *table = (const dcplx *)g.twiddle[0];
  dcplx u[Set::N_IN][F::E];
  triad_real fastest = 0, finite = 0;
#pragma unroll
  for (int f = 0; f < Set::N_IN; f++) {
    load_pair<N>(u[f], in + f * field + at, has_b ? in + f * field + at + g.pitch : nullptr, g.kx_most, t);
    transform_line<1, N, LANES>(u[f], s, t, lane, table);
  }
#pragma unroll
  for (int r = 0; r < Set::N_OUT; r++) {
    dcplx v[F::E];
#pragma unroll
    for (int m = 0; m < F::E; m++) {
      triad_real a[Set::N_IN], b[Set::N_IN];
#pragma unroll
      for (int f = 0; f < Set::N_IN; f++) {
        a[f] = u[f][m].x;
        b[f] = u[f][m].y;
      }
      v[m] = dcplx{Set::product(law, r, a), Set::product(law, r, b)};
      if (r == 0) {
        triad_real ra = Set::rate(law, a), rb = Set::rate(law, b);
        triad_real most = ra > rb ? ra : rb;
        fastest = most > fastest ? most : fastest;
        finite += (ra + rb) * 0;
      }
    }
    transform_line<-1, N, LANES>(v, s, t, lane, table);
    store_pair<N, LANES>(v, s, has_a ? out + r * field + at : nullptr, has_b ? out + r * field + at + g.pitch : nullptr,
                         g.kx_most, g.pitch, t, lane);
  }
  raise_peak(peak, (double)(fastest + finite));
}

#endif
