/* How real rows make complex lines in the fused x pass, for cuda/ only: two rows as one line of as many points, or
 * one row as a line of half as many. */
#ifndef TRIAD_FFT_GPU_DEVICE_FUSED_FORMS_H
#define TRIAD_FFT_GPU_DEVICE_FUSED_FORMS_H

#include "fft/gpu/device_fused_lines.h"

#include <type_traits>

/* The line of a block's thread, and what it needs for its transforms. */
struct fused_line {
  exchange x;
  const dcplx *table;
  int t, kx_most;
};

/* Where results belong: the rows of a line, of which there are `rows`, none where that is not positive. */
struct fused_target {
  dcplx *base;
  int64_t field, at, pitch;
  int rows;
};

/* How rows of N points make a line: LINE elements of ROWS rows, with TABLE complex numbers in shared memory for its
 * transforms, which fill() puts there. load() makes a line of rows of kx, complex [row][pitch], at(kx) numbers
 * behind a row's beginning; store() makes such rows of P lines, results r and on; keep() and recall() write and read
 * its points, real [row][N]. A row that is not there is of zeros, and is not written. */

/* Two real rows a, b as one complex line a + i b (cuda/fft/lines_x.cu). */
template <int N, bool WIDE> struct fused_pair {
  typedef factored<N> F;
  enum { LINE = N, ROWS = 2, TABLE = fused_twiddles<N>::SIZE };

  static __device__ __forceinline__ void fill(dcplx *to, const dcplx *table) { fused_twiddles<N>::fill(to, table); }

  /* Z = A + i B. */
  template <class At>
  static __device__ __forceinline__ void load(dcplx *v, const dcplx *a, At at, int64_t pitch, int rows,
                                              const fused_line &l)
  {
    const dcplx *b = a + pitch;
#pragma unroll
    for (int m = 0; m < F::E; m++) {
      const int k = l.t + m * F::G;
      v[m] = dcplx{0, 0};
      if (low<F, WIDE>(m) && k <= l.kx_most) {
        dcplx p = rows > 0 ? a[at(k)] : dcplx{0, 0}, q = rows > 1 ? b[at(k)] : dcplx{0, 0};
        if (k == 0 || (keeps_all && 2 * k == N)) p.y = q.y = 0; /* round-off: the mean of a real row is real */
        v[m] = dcplx{p.x - q.y, p.y + q.x};
      } else if (high<F, WIDE>(m) && k >= N - l.kx_most) {
        dcplx p = rows > 0 ? a[at(N - k)] : dcplx{0, 0}, q = rows > 1 ? b[at(N - k)] : dcplx{0, 0};
        v[m] = dcplx{p.x + q.y, q.x - p.y};
      }
    }
  }

  /* A = (Z(k) + conj Z(-k))/2 and B = (Z(k) - conj Z(-k))/(2 i), kx <= Kx. */
  template <int P, class At>
  static __device__ __forceinline__ void store(const dcplx (*v)[F::E], fused_line &l, const fused_target &to, At at,
                                               int r)
  {
    constexpr int APART = 2 * fused_shape<N>::PADDED;
    const triad_real half = (triad_real)0.5;
#pragma unroll
    for (int p = 0; p < P; p++)
#pragma unroll
      for (int m = 0; m < F::E; m++)
        if (high<F, WIDE>(m)) l.x.now[p * APART + l.t + m * F::G] = v[p][m];
    fused_sync<N>();
#pragma unroll
    for (int p = 0; p < P; p++) {
      dcplx *a = to.base + (r + p) * to.field + to.at;
#pragma unroll
      for (int m = 0; m < F::E; m++) {
        const int k = l.t + m * F::G;
        if (!low<F, WIDE>(m) || k > l.kx_most) continue;
        const dcplx z = v[p][m], w = k ? l.x.now[p * APART + N - k] : z;
        if (to.rows > 0) a[at(k)] = dcplx{half * (z.x + w.x), half * (z.y - w.y)};
        if (to.rows > 1) a[to.pitch + at(k)] = dcplx{half * (z.y + w.y), half * (w.x - z.x)};
      }
    }
    l.x.turn();
  }

  static __device__ __forceinline__ void keep(const dcplx *v, triad_real *at, int rows, int t)
  {
#pragma unroll
    for (int m = 0; m < F::E; m++) {
      if (rows > 0) at[t + m * F::G] = v[m].x;
      if (rows > 1) at[N + t + m * F::G] = v[m].y;
    }
  }
  static __device__ __forceinline__ void recall(dcplx *v, const triad_real *at, int rows, int t)
  {
#pragma unroll
    for (int m = 0; m < F::E; m++) v[m] = dcplx{rows > 0 ? at[t + m * F::G] : 0, rows > 1 ? at[N + t + m * F::G] : 0};
  }
};

/* One real row x as a complex line of half the points, z_j = x_2j + i x_(2j+1). With M = N/2, c = i exp(2 pi i k/N)
 * and transforms that are not scaled,
 *   backward Z(k) = X(k) + conj X(M-k) + c (X(k) - conj X(M-k)), k < M,
 *   forward  X(k) = (Z(k) + conj Z(M-k) + conj c (Z(k) - conj Z(M-k)))/2, Z(M) = Z(0).
 * c of k < M/2 lies in shared memory behind the twiddle factors; beyond, it is i times that of k - M/2. Where a
 * thread has an odd number of elements, all of c lies there. */
template <int N, bool WIDE> struct fused_row {
  typedef factored<N / 2> F;
  enum {
    LINE = N / 2,
    ROWS = 1,
    HALF = F::E % 2 == 0,
    TURNS = HALF ? LINE / 2 : LINE,
    TABLE = fused_twiddles<LINE>::SIZE + TURNS
  };
  /* Elements m that can hold a k <= Kx < N/3; and a k >= M - Kx. All of them where lines are WIDE. */
  static __device__ constexpr bool kept(int m) { return keeps_all || WIDE || 3 * m < 2 * F::E; }
  static __device__ constexpr bool mirrored(int m) { return keeps_all || WIDE || 3 * (m + 1) > F::E; }

  static __device__ __forceinline__ void fill(dcplx *to, const dcplx *table)
  {
    fused_twiddles<LINE>::fill(to, table, 2);
    for (int i = threadIdx.x + threadIdx.y * blockDim.x; i < TURNS; i += blockDim.x * blockDim.y)
      to[fused_twiddles<LINE>::SIZE + i] = dcplx{table[i].y, table[i].x};
  }

  /* c, or its conjugate for S = -1, of element m. */
  template <int S> static __device__ __forceinline__ dcplx turn(const fused_line &l, int m)
  {
    constexpr int OWN = HALF ? F::E / 2 : F::E;
    dcplx c = l.table[fused_twiddles<LINE>::SIZE + l.t + m % OWN * F::G];
    if (S < 0) c.y = -c.y;
    return m < OWN ? c : times_i<S>(c);
  }

  template <class At>
  static __device__ __forceinline__ void load(dcplx *v, const dcplx *a, At at, int64_t pitch, int rows,
                                              const fused_line &l)
  {
    (void)pitch;
    const int most = rows > 0 ? l.kx_most : -1;
#pragma unroll
    for (int m = 0; m < F::E; m++) {
      const int k = l.t + m * F::G;
      dcplx p = {0, 0}, q = {0, 0};
      if (kept(m) && k <= most) p = a[at(k)];
      if (k == 0) p.y = 0; /* round-off: the mean of a real row is real */
      if (mirrored(m) && LINE - k <= most) q = dcplx{a[at(LINE - k)].x, -a[at(LINE - k)].y};
      v[m] = p + q + turn<1>(l, m) * (p - q);
    }
  }

  template <int P, class At>
  static __device__ __forceinline__ void store(const dcplx (*v)[F::E], fused_line &l, const fused_target &to, At at,
                                               int r)
  {
    constexpr int APART = 2 * fused_shape<LINE>::PADDED;
#pragma unroll
    for (int p = 0; p < P; p++)
#pragma unroll
      for (int m = 0; m < F::E; m++)
        if (mirrored(m)) l.x.now[p * APART + l.t + m * F::G] = v[p][m];
    fused_sync<LINE>();
#pragma unroll
    for (int p = 0; p < P; p++) {
      dcplx *a = to.base + (r + p) * to.field + to.at;
#pragma unroll
      for (int m = 0; m < F::E; m++) {
        const int k = l.t + m * F::G;
        if (!kept(m) || k > l.kx_most || to.rows < 1) continue;
        dcplx z = v[p][m], w = k ? l.x.now[p * APART + LINE - k] : z;
        w.y = -w.y;
        a[at(k)] = (triad_real)0.5 * (z + w + turn<-1>(l, m) * (z - w));
        if (keeps_all && k == 0 && LINE <= l.kx_most) a[at(LINE)] = dcplx{z.x + w.y, 0}; /* X(M), w being conj z */
      }
    }
    l.x.turn();
  }

  static __device__ __forceinline__ void keep(const dcplx *v, triad_real *at, int rows, int t)
  {
#pragma unroll
    for (int m = 0; m < F::E; m++)
      if (rows > 0) ((dcplx *)at)[t + m * F::G] = v[m];
  }
  static __device__ __forceinline__ void recall(dcplx *v, const triad_real *at, int rows, int t)
  {
#pragma unroll
    for (int m = 0; m < F::E; m++) v[m] = rows > 0 ? ((const dcplx *)at)[t + m * F::G] : dcplx{0, 0};
  }
};

/* Lengths at which rows are transformed one by one: from 768 points on, where half of N needs one exchange less
 * (except 1536 and 2048, which gain as much from more and shorter lines). In double precision also 640 and 384, whose
 * halves leave fewer threads idle, and 512 if registers that hold many fields leave space for few lines. N/2 must have
 * a factorization, too. */
#ifndef TRIAD_ONE_BY_ONE /* set by the host for lengths compiled at run time */
#define TRIAD_ONE_BY_ONE (n >= 768 || ((n == 384 || n == 640 || (n == 512 && held > 4)) && sizeof(triad_real) == 8))
#endif
static constexpr bool one_by_one(int n, int held) { return (void)n, (void)held, TRIAD_ONE_BY_ONE; }
template <int N, class Pass>
using fused_form = std::conditional_t<one_by_one(N, Pass::HELD), fused_row<N, Pass::WIDE>, fused_pair<N, Pass::WIDE>>;

#endif
