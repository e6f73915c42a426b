/* The fused x pass, for cuda/ only: fields of two real rows a, b travel as complex lines a + i b (device_rows.h) to
 * physical space, are multiplied there, and the products travel back. Physical values never reach memory.
 *
 * A line is worked on by G threads, t fastest, so that rows are read and written in whole cache lines; element
 * t + m G is in register m. Lines change threads through shared memory, in two buffers by turns: one barrier an
 * exchange does. Where there is room for two more, a thread works on two fields at once, so that the arithmetic of one
 * goes on while the other is on its way. Of the fields that products need, the last `SHARED` wait in shared memory, the
 * others in registers.
 * Registers leave room for few lines at a time, too few to hide the way to memory: so a block goes through many pairs of
 * rows, and while the products of one travel back, the inputs of the next are copied to shared memory. */
#ifndef TRIAD_FFT_DEVICE_FUSED_H
#define TRIAD_FFT_DEVICE_FUSED_H

#include "fft/device_launch.h"
#include "fft/gpu_pass.h"

#include <cuda_pipeline.h>

template <int N> struct fused_shape {
  enum { E = factored<N>::E, G = factored<N>::G };
  static constexpr int lanes(int l) { return l >= 32 || (G * l >= 64 && G * l % 32 == 0) ? l : lanes(2 * l); }
  enum {
    ALONE = G >= 64 && G % 32 == 0,              /* a line has warps of its own and waits for these alone: */
    MOST = sizeof(triad_real) == 8 ? 256 : 128,  /* threads of a block of such lines, which share tables   */
    LANES = !ALONE ? lanes(1) : MOST > G ? MOST / G : 1, /* lines of a block: whole warps, at least two */
    THREADS = G * LANES,
    WARP = 32 % G == 0,                          /* lines within a warp need no barrier of the block */
    PADDED = N + N / 8,                          /* one gap every eight elements: no two threads meet a bank */
    PITCH = ((N - 1) / 3 + 8) / 8 * 8 /* of planes, at most */
  };
};

template <int N> __device__ __forceinline__ void fused_sync()
{
  if constexpr (fused_shape<N>::WARP) __syncwarp();
  else if constexpr (fused_shape<N>::ALONE)
    asm volatile("bar.sync %0, %1;" ::"r"(threadIdx.y + 1), "r"((int)fused_shape<N>::G) : "memory");
  else __syncthreads();
}

__device__ __forceinline__ int padded(int i) { return i + i / 8; }

/* The two exchange buffers of a line; those of a second line that goes with it lie right behind both. */
struct exchange {
  dcplx *now, *next;
  __device__ __forceinline__ void turn()
  {
    dcplx *was = now;
    now = next;
    next = was;
  }
};

/* Twiddle factors of the passes after the first, in shared memory in the order of the threads: of a pass of radix R
 * after a product L of earlier ones, powers 1, 2, 4 below R of w^(i N/(L R)), i < L. */
template <int R> struct fused_powers {
  enum { COUNT = R > 4 ? 3 : R > 2 ? 2 : R > 1 ? 1 : 0 };
};
template <int N> struct fused_twiddles {
  typedef factored<N> F;
  enum {
    A = 0, /* where the table of each pass begins */
    B = A + fused_powers<F::A>::COUNT * F::E,
    LAST = B + fused_powers<F::B>::COUNT * F::E * F::A,
    SIZE = LAST + fused_powers<F::E>::COUNT * F::G
  };
  template <int R, int L> static __device__ __forceinline__ void fill(dcplx *to, const dcplx *table)
  {
    const int threads = blockDim.x * blockDim.y;
    for (int i = threadIdx.x + threadIdx.y * blockDim.x; i < fused_powers<R>::COUNT * L; i += threads)
      to[i] = table[(1 << i / L) * (i % L) * (N / (L * R))];
  }
  static __device__ __forceinline__ void fill(dcplx *to, const dcplx *table)
  {
    if constexpr (F::A > 1) fill<F::A, F::E>(to + A, table);
    if constexpr (F::B > 1) fill<F::B, F::E * F::A>(to + B, table);
    fill<F::E, F::G>(to + LAST, table);
  }
};

/* v[m] *= w^(m i) of P lines from a pass's table, as twiddle() does from that of all. */
template <int S, int R, int L, int P>
__device__ __forceinline__ void fused_twiddle(dcplx (*v)[R], const dcplx *table, int i)
{
  dcplx w[R];
#pragma unroll
  for (int m = 1; m < R; m++) {
    const int high = m >= 4 ? 4 : m >= 2 ? 2 : 1, which = m >= 4 ? 2 : m >= 2 ? 1 : 0;
    w[m] = m == high ? table[which * L + i] : w[high] * w[m - high];
    if (m == high && S > 0) w[m].y = -w[m].y;
#pragma unroll
    for (int p = 0; p < P; p++) v[p][m] = v[p][m] * w[m];
  }
}

template <int S, int N, int R, int L, int P>
__device__ __forceinline__ void fused_middle(exchange &x, int t, const dcplx *table)
{
  constexpr int G = factored<N>::G, B = N / R, Q = (B + G - 1) / G, APART = 2 * fused_shape<N>::PADDED;
#pragma unroll
  for (int q = 0; q < Q; q++) {
    int b = t + q * G;
    dcplx v[P][R];
    if (B % G == 0 || b < B) {
#pragma unroll
      for (int p = 0; p < P; p++)
#pragma unroll
        for (int m = 0; m < R; m++) v[p][m] = x.now[p * APART + padded(b + m * B)];
      fused_twiddle<S, R, L, P>(v, table, b % L);
#pragma unroll
      for (int p = 0; p < P; p++) {
        small<S, R>::run(v[p]);
#pragma unroll
        for (int m = 0; m < R; m++) x.next[p * APART + padded(b / L * L * R + b % L + m * L)] = v[p][m];
      }
    }
  }
  fused_sync<N>();
  x.turn();
}

/* P lines at once, so that the arithmetic of one goes on while another is on its way through shared memory. table:
 * fused_twiddles<N>. */
template <int S, int N, int P>
__device__ __forceinline__ void fused_transform(dcplx (*v)[factored<N>::E], exchange &x, int t, const dcplx *table)
{
  typedef factored<N> F;
  typedef fused_twiddles<N> W;
  constexpr int APART = 2 * fused_shape<N>::PADDED;
#pragma unroll
  for (int p = 0; p < P; p++) {
    small<S, F::E>::run(v[p]);
#pragma unroll
    for (int m = 0; m < F::E; m++) x.now[p * APART + padded(t * F::E + m)] = v[p][m];
  }
  fused_sync<N>();
  if constexpr (F::A > 1) fused_middle<S, N, F::A, F::E, P>(x, t, table + W::A);
  if constexpr (F::B > 1) fused_middle<S, N, F::B, F::E * F::A, P>(x, t, table + W::B);
#pragma unroll
  for (int p = 0; p < P; p++)
#pragma unroll
    for (int m = 0; m < F::E; m++) v[p][m] = x.now[p * APART + padded(t + m * F::G)];
  x.turn();
  fused_twiddle<S, F::E, F::G, P>(v, table + W::LAST, t);
#pragma unroll
  for (int p = 0; p < P; p++) small<S, F::E>::run(v[p]);
}

/* Z = A + i B from rows a and b, complex [kx]; NULL: a row of zeros. */
template <int N> __device__ __forceinline__ void fused_load(dcplx *v, const dcplx *a, const dcplx *b, int kx_most, int t)
{
  typedef factored<N> F;
#pragma unroll
  for (int m = 0; m < F::E; m++) {
    int k = t + m * F::G;
    v[m] = dcplx{0, 0};
    if (low<N>(m) && k <= kx_most) {
      dcplx p = a ? a[k] : dcplx{0, 0}, q = b ? b[k] : dcplx{0, 0};
      if (k == 0) p.y = q.y = 0; /* round-off: the mean of a real row is real */
      v[m] = dcplx{p.x - q.y, p.y + q.x};
    } else if (high<N>(m) && k >= N - kx_most) {
      dcplx p = a ? a[N - k] : dcplx{0, 0}, q = b ? b[N - k] : dcplx{0, 0};
      v[m] = dcplx{p.x + q.y, q.x - p.y};
    }
  }
}

/* The largest of what a thread has seen; NaN for good once a value was not finite. */
struct fastest {
  triad_real most, finite;
  __device__ __forceinline__ void see(triad_real rate)
  {
    most = rate > most ? rate : most;
    finite += rate * 0;
  }
};

/* What a fused pass asks of a multiprocessor. Registers: each held field takes 2 E reals a thread, the line at work as
 * many, and arithmetic twice that; a quarter of the processor has 512 for the threads of a lane, so so many warps.
 * Inputs are fetched ahead where shared memory has room for those of all blocks. */
template <int N, class Pass> struct fused_room {
  enum {
    WORDS = 2 * factored<N>::E * (int)(sizeof(triad_real) / 4) * (Pass::HELD - Pass::SHARED + 3) + 40,
    QUARTER = WORDS > 170 ? 2 : WORDS > 128 ? 3 : WORDS > 102 ? 4 : 5, /* warps */
    BLOCKS_ = 4 * QUARTER * 32 / (int)fused_shape<N>::THREADS,
    BLOCKS = BLOCKS_ < 1 ? 1 : BLOCKS_,
    TABLE = fused_twiddles<N>::SIZE,
    INPUTS = 2 * (int)fused_shape<N>::PITCH * Pass::IN, /* of a pair of rows */
    PARKED = Pass::SHARED * N,
    CARRIED = Pass::CARRIES != 0 ? N : 0 /* one that is carried waits where the second line of two was, if there is one */
  };
  static constexpr bool fits(int line)
  {
    return BLOCKS * ((line * (int)fused_shape<N>::LANES + TABLE) * (int)sizeof(dcplx) + 1024) <= 227 << 10;
  }
  static constexpr int own(int p) { return 2 * p * (int)fused_shape<N>::PADDED + PARKED + (p == 1 ? CARRIED : 0); }
  enum {
    AHEAD = fits(own(1) + INPUTS),
    PAIR = fits(own(2) + (AHEAD ? INPUTS : 0)) ? 2 : 1, /* lines that a thread works on at once */
    OWN = own(PAIR),
    LINE = OWN + (AHEAD ? INPUTS : 0)
  };
  static constexpr size_t shared = ((size_t)fused_shape<N>::LANES * LINE + TABLE) * sizeof(dcplx);
  static_assert(shared <= 227 << 10, "a block of lines of this size does not fit a multiprocessor");
};

/* Field f at element m: from registers or from where this thread put it in shared memory. */
template <int N, class Pass>
__device__ __forceinline__ dcplx held(const dcplx (*u)[factored<N>::E], const dcplx *parked, int f, int m)
{
  constexpr int R = Pass::HELD - Pass::SHARED;
  return f < R ? u[f < R ? f : 0][m] : parked[(f - R) * N + m * factored<N>::G];
}

/* Begin to copy the rows of a pair, n of them, of each field to `to`, complex [field][row][pitch]. */
template <int N, int IN>
__device__ __forceinline__ void fused_fetch(dcplx *to, const dcplx *from, int64_t field, int64_t n, int64_t pitch, int t)
{
  constexpr int EACH = 16 / (int)sizeof(dcplx); /* complex numbers in 16 bytes */
#pragma unroll
  for (int f = 0; f < IN; f++)
    for (int i = EACH * t; i < n * pitch; i += EACH * factored<N>::G)
      __pipeline_memcpy_async(to + f * 2 * pitch + i, from + f * field + i, 16);
  __pipeline_commit();
}

/* Where results belong. */
struct fused_target {
  dcplx *base;
  int64_t field, at, pitch;
  int rows;
  /* Results r .. r + P - 1: A = (Z(k) + conj Z(-k))/2 and B = (Z(k) - conj Z(-k))/(2 i), kx <= Kx. */
  template <int N, int P>
  __device__ __forceinline__ void store(const dcplx (*v)[factored<N>::E], exchange &x, int r, int kx_most, int t) const
  {
    typedef factored<N> F;
    constexpr int APART = 2 * fused_shape<N>::PADDED;
    const triad_real half = (triad_real)0.5;
#pragma unroll
    for (int p = 0; p < P; p++)
#pragma unroll
      for (int m = 0; m < F::E; m++)
        if (high<N>(m)) x.now[p * APART + padded(t + m * F::G)] = v[p][m];
    fused_sync<N>();
#pragma unroll
    for (int p = 0; p < P; p++) {
      dcplx *a = base + (r + p) * field + at;
#pragma unroll
      for (int m = 0; m < F::E; m++) {
        const int k = t + m * F::G;
        if (!low<N>(m) || k > kx_most) continue;
        const dcplx z = v[p][m], w = k ? x.now[p * APART + padded(N - k)] : z;
        if (rows > 0) a[k] = dcplx{half * (z.x + w.x), half * (z.y - w.y)};
        if (rows > 1) a[pitch + k] = dcplx{half * (z.y + w.y), half * (w.x - z.x)};
      }
    }
    x.turn();
  }
};

/* The line of a block's thread, and what it needs for its transforms. */
template <int N> struct fused_line {
  exchange x;
  const dcplx *table;
  int t, kx_most;
};

/* Results r .. r + P - 1 of a pair of rows. */
template <int N, class Pass, int P>
__device__ __forceinline__ void fused_products(const typename Pass::law &law, double dt, int r,
                                               const dcplx (*u)[factored<N>::E], const dcplx *parked, fused_line<N> &l,
                                               const fused_target &to, fastest &most)
{
  typedef factored<N> F;
  dcplx v[P][F::E];
#pragma unroll
  for (int m = 0; m < F::E; m++) {
    triad_real a[Pass::HELD], b[Pass::HELD];
#pragma unroll
    for (int f = 0; f < Pass::HELD; f++) {
      const dcplx p = held<N, Pass>(u, parked, f, m);
      a[f] = p.x;
      b[f] = p.y;
    }
#pragma unroll
    for (int p = 0; p < P; p++) v[p][m] = dcplx{Pass::product(law, dt, r + p, a), Pass::product(law, dt, r + p, b)};
    if (r == 0) {
      most.see(Pass::rate(law, a));
      most.see(Pass::rate(law, b));
    }
  }
  fused_transform<-1, N, P>(v, l.x, l.t, l.table);
  to.store<N, P>(v, l.x, r, l.kx_most, l.t);
}

/* The values of a pair of rows, for a later pass. */
template <int N> __device__ __forceinline__ void fused_keep(const dcplx *v, triad_real *at, int rows)
{
#pragma unroll
  for (int m = 0; m < factored<N>::E; m++) {
    if (rows > 0) at[m * factored<N>::G] = v[m].x;
    if (rows > 1) at[N + m * factored<N>::G] = v[m].y;
  }
}

/* Pass::IN fields are transformed, the rest of Pass::HELD are read at the points (the kept of an earlier pass);
 * Pass::KEEPS of them are written there. Then Pass::RESULTS products of them, and for each of the `carried` fields behind
 * them its three fluxes with the first three. Inputs end where results end: see triad_gpu_chunk. */
template <int N, class Pass>
static __global__ void __launch_bounds__(fused_shape<N>::THREADS, fused_room<N, Pass>::BLOCKS)
    fused_rows(triad_gpu_shape g, typename Pass::law law, const dcplx *in, dcplx *out, int64_t rows, int carried,
               triad_real *kept, int64_t kept_stride, double dt, double *peak)
{
  extern __shared__ __align__(16) unsigned char memory[];
  typedef factored<N> F;
  typedef fused_shape<N> shape;
  constexpr int R = Pass::HELD - Pass::SHARED;
  constexpr bool AHEAD = fused_room<N, Pass>::AHEAD;
  const int t = threadIdx.x, lane = threadIdx.y;
  dcplx *table = (dcplx *)memory, *mine = table + fused_room<N, Pass>::TABLE + lane * fused_room<N, Pass>::LINE;
  constexpr int PAIR = fused_room<N, Pass>::PAIR, TOGETHER = PAIR == 2 && Pass::IN >= 2 && R >= 2 ? 2 : 0;
  fused_line<N> l = {{mine, mine + shape::PADDED}, table, t, g.kx_most};
  dcplx *parked = mine + 2 * PAIR * shape::PADDED + t, *inputs = mine + fused_room<N, Pass>::OWN;
  const int64_t pairs = (rows + 1) / 2, step = (int64_t)gridDim.x * shape::LANES;
  fused_target to = {out, rows * g.pitch, 0, g.pitch, 0};
  fastest most = {0, 0};
  fused_twiddles<N>::fill(table, (const dcplx *)g.twiddle[0]);
  __syncthreads();
  int64_t pair = (int64_t)blockIdx.x * shape::LANES + lane;
  if (AHEAD && pair < pairs)
    fused_fetch<N, Pass::IN>(inputs, in + 2 * pair * g.pitch, to.field, rows - 2 * pair > 1 ? 2 : 1, g.pitch, t);
  for (; pair - lane < pairs; pair += step) {
    const int64_t first = 2 * pair;
    to.rows = pair >= pairs ? 0 : rows - first > 1 ? 2 : 1;
    to.at = first * g.pitch;
    dcplx u[R][F::E];
    if (AHEAD) {
      __pipeline_wait_prior(0);
      fused_sync<N>();
    }
#pragma unroll
    for (int f = 0; f < TOGETHER; f++) {
      const dcplx *from = AHEAD ? inputs + f * 2 * g.pitch : in + f * to.field + to.at;
      fused_load<N>(u[f], to.rows > 0 ? from : nullptr, to.rows > 1 ? from + g.pitch : nullptr, g.kx_most, t);
    }
    if constexpr (TOGETHER > 0) fused_transform<1, N, TOGETHER>(u, l.x, t, table);
#pragma unroll
    for (int f = 0; f < TOGETHER && f < Pass::KEEPS; f++)
      fused_keep<N>(u[f], kept + f * kept_stride + first * N + t, to.rows);
#pragma unroll
    for (int f = TOGETHER; f < Pass::HELD; f++) {
      dcplx line[1][F::E], *v = line[0];
      if (f < Pass::IN) {
        const dcplx *from = AHEAD ? inputs + f * 2 * g.pitch : in + f * to.field + to.at;
        fused_load<N>(v, to.rows > 0 ? from : nullptr, to.rows > 1 ? from + g.pitch : nullptr, g.kx_most, t);
        fused_transform<1, N, 1>(line, l.x, t, table);
        if (f < Pass::KEEPS) fused_keep<N>(v, kept + f * kept_stride + first * N + t, to.rows);
      } else {
        const triad_real *from = kept + (f - Pass::IN) * kept_stride + first * N + t;
#pragma unroll
        for (int m = 0; m < F::E; m++)
          v[m] = dcplx{to.rows > 0 ? from[m * F::G] : 0, to.rows > 1 ? from[N + m * F::G] : 0};
      }
#pragma unroll
      for (int m = 0; m < F::E; m++)
        if (f < R) u[f < R ? f : 0][m] = v[m];
        else parked[(f - R) * N + m * F::G] = v[m];
    }
    /* all threads of the line have met since the last input was read */
    if (AHEAD && pair + step < pairs)
      fused_fetch<N, Pass::IN>(inputs, in + (first + 2 * step) * g.pitch, to.field,
                               rows - first - 2 * step > 1 ? 2 : 1, g.pitch, t);
#pragma unroll
    for (int r = 0; r + PAIR <= Pass::RESULTS; r += PAIR)
      fused_products<N, Pass, PAIR>(law, dt, r, u, parked, l, to, most);
    if constexpr (Pass::RESULTS % PAIR != 0)
      fused_products<N, Pass, 1>(law, dt, Pass::RESULTS - 1, u, parked, l, to, most);
    if constexpr (Pass::CARRIES != 0) {
      for (int s = 0; s < carried; s++) {
        dcplx line[1][F::E], *v = line[0];
        dcplx *scalar = PAIR > 1 ? mine + 2 * shape::PADDED + t : parked + Pass::SHARED * N;
        const dcplx *from = in + (Pass::IN + s) * to.field + to.at;
        fused_load<N>(v, to.rows > 0 ? from : nullptr, to.rows > 1 ? from + g.pitch : nullptr, g.kx_most, t);
        fused_transform<1, N, 1>(line, l.x, t, table);
#pragma unroll
        for (int m = 0; m < F::E; m++) scalar[m * F::G] = v[m];
#pragma unroll
        for (int c = 0; c < 3; c++) {
#pragma unroll
          for (int m = 0; m < F::E; m++) {
            dcplx p = held<N, Pass>(u, parked, c, m), q = scalar[m * F::G];
            v[m] = dcplx{p.x * q.x, p.y * q.y};
          }
          fused_transform<-1, N, 1>(line, l.x, t, table);
          to.store<N, 1>(line, l.x, Pass::RESULTS + 3 * s + c, g.kx_most, t);
        }
      }
    }
  }
  if (peak) raise_peak(peak, (double)(most.most + most.finite));
}

#endif
