/* The fused x pass, for cuda/ only: rows of fields travel as complex lines to physical space, are multiplied there, and
 * the products travel back. Physical values never reach memory. A line is a pair of rows or one row (fused_form below);
 * either way the real and the imaginary part of an element are two points, and products know no more than that.
 *
 * A line is worked on by G threads, t fastest, so that rows are read and written in whole cache lines; element
 * t + m G is in register m. Lines change threads through shared memory, in two buffers by turns: one barrier an
 * exchange does. Where there is room for two more, a thread works on two fields at once, so that the arithmetic of one
 * goes on while the other is on its way. Of the fields that products need, the last `SHARED` wait in shared memory, the
 * others in registers.
 * Registers leave room for few lines at a time, too few to hide the way to memory: so a block goes through many lines,
 * and while the products of one travel back, the inputs of the next are copied to shared memory. */
#ifndef TRIAD_FFT_DEVICE_FUSED_H
#define TRIAD_FFT_DEVICE_FUSED_H

#include "fft/device_launch.h"
#include "fft/gpu_pass.h"

#include <cuda_pipeline.h>
#include <type_traits>

template <int N> struct fused_shape {
  enum { E = factored<N>::E, G = factored<N>::G };
  static constexpr int lanes(int l) { return l >= 32 || (G * l >= 64 && G * l % 32 == 0) ? l : lanes(2 * l); }
  enum {
    ALONE = G % 32 == 0,                         /* a line has warps of its own and waits for these alone: */
    MOST = sizeof(triad_real) == 8 ? 256 : 128,  /* threads of a block of such lines, which share tables   */
    LANES = !ALONE ? lanes(1) : MOST > G ? MOST / G : 1, /* lines of a block: whole warps, at least two */
    THREADS = G * LANES,
    WARP = 32 % G == 0,                          /* lines within a warp need no barrier of the block */
    PADDED = N + N / 8                           /* one gap every eight elements: no two threads meet a bank */
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

/* padded(i + m D): one address in a register and the rest known when compiled, where multiples of 8 allow it. */
template <int D> __device__ __forceinline__ int padded(int i, int m)
{
  return D % 8 == 0 ? padded(i) + m * padded(D) : padded(i + m * D);
}

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
 * after a product L of earlier ones, powers 1, 2, 4 below R of w^(i N/(L R)), i < L; w^i = table[i step]. */
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
  template <int R, int L> static __device__ __forceinline__ void fill(dcplx *to, const dcplx *table, int step)
  {
    const int threads = blockDim.x * blockDim.y;
    for (int i = threadIdx.x + threadIdx.y * blockDim.x; i < fused_powers<R>::COUNT * L; i += threads)
      to[i] = table[(1 << i / L) * (i % L) * (N / (L * R)) * step];
  }
  static __device__ __forceinline__ void fill(dcplx *to, const dcplx *table, int step = 1)
  {
    if constexpr (F::A > 1) fill<F::A, F::E>(to + A, table, step);
    if constexpr (F::B > 1) fill<F::B, F::E * F::A>(to + B, table, step);
    fill<F::E, F::G>(to + LAST, table, step);
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
        for (int m = 0; m < R; m++) {
          const int i = B % G == 0 ? padded<G>(t, q + m * (B / G)) : padded<B>(b, m); /* of b + m B */
          v[p][m] = x.now[p * APART + i];
        }
      fused_twiddle<S, R, L, P>(v, table, b % L);
#pragma unroll
      for (int p = 0; p < P; p++) {
        small<S, R>::run(v[p]);
#pragma unroll
        for (int m = 0; m < R; m++) x.next[p * APART + padded<L>(b / L * L * R + b % L, m)] = v[p][m];
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
    for (int m = 0; m < F::E; m++) x.now[p * APART + padded(t * F::E) + m] = v[p][m];
  }
  fused_sync<N>();
  if constexpr (F::A > 1) fused_middle<S, N, F::A, F::E, P>(x, t, table + W::A);
  if constexpr (F::B > 1) fused_middle<S, N, F::B, F::E * F::A, P>(x, t, table + W::B);
#pragma unroll
  for (int p = 0; p < P; p++)
#pragma unroll
    for (int m = 0; m < F::E; m++) v[p][m] = x.now[p * APART + padded<F::G>(t, m)];
  x.turn();
  fused_twiddle<S, F::E, F::G, P>(v, table + W::LAST, t);
#pragma unroll
  for (int p = 0; p < P; p++) small<S, F::E>::run(v[p]);
}

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
 * transforms, which fill() puts there. load() makes a line of rows of kx, complex [row][pitch]; store() makes such rows
 * of P lines, results r and on; keep() and recall() write and read its points, real [row][N]. A row that is not there is
 * of zeros, and is not written. */

/* Two real rows a, b as one complex line a + i b (device_rows.h). */
template <int N> struct fused_pair {
  typedef factored<N> F;
  enum { LINE = N, ROWS = 2, TABLE = fused_twiddles<N>::SIZE };

  static __device__ __forceinline__ void fill(dcplx *to, const dcplx *table) { fused_twiddles<N>::fill(to, table); }

  /* Z = A + i B. */
  static __device__ __forceinline__ void load(dcplx *v, const dcplx *a, int64_t pitch, int rows, const fused_line &l)
  {
    const dcplx *b = a + pitch;
#pragma unroll
    for (int m = 0; m < F::E; m++) {
      const int k = l.t + m * F::G;
      v[m] = dcplx{0, 0};
      if (low<N>(m) && k <= l.kx_most) {
        dcplx p = rows > 0 ? a[k] : dcplx{0, 0}, q = rows > 1 ? b[k] : dcplx{0, 0};
        if (k == 0) p.y = q.y = 0; /* round-off: the mean of a real row is real */
        v[m] = dcplx{p.x - q.y, p.y + q.x};
      } else if (high<N>(m) && k >= N - l.kx_most) {
        dcplx p = rows > 0 ? a[N - k] : dcplx{0, 0}, q = rows > 1 ? b[N - k] : dcplx{0, 0};
        v[m] = dcplx{p.x + q.y, q.x - p.y};
      }
    }
  }

  /* A = (Z(k) + conj Z(-k))/2 and B = (Z(k) - conj Z(-k))/(2 i), kx <= Kx. */
  template <int P>
  static __device__ __forceinline__ void store(const dcplx (*v)[F::E], fused_line &l, const fused_target &to, int r)
  {
    constexpr int APART = 2 * fused_shape<N>::PADDED;
    const triad_real half = (triad_real)0.5;
#pragma unroll
    for (int p = 0; p < P; p++)
#pragma unroll
      for (int m = 0; m < F::E; m++)
        if (high<N>(m)) l.x.now[p * APART + padded<F::G>(l.t, m)] = v[p][m];
    fused_sync<N>();
#pragma unroll
    for (int p = 0; p < P; p++) {
      dcplx *a = to.base + (r + p) * to.field + to.at;
#pragma unroll
      for (int m = 0; m < F::E; m++) {
        const int k = l.t + m * F::G;
        if (!low<N>(m) || k > l.kx_most) continue;
        const dcplx z = v[p][m], w = k ? l.x.now[p * APART + padded<F::G>(N - l.t, -m)] : z;
        if (to.rows > 0) a[k] = dcplx{half * (z.x + w.x), half * (z.y - w.y)};
        if (to.rows > 1) a[to.pitch + k] = dcplx{half * (z.y + w.y), half * (w.x - z.x)};
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
    for (int m = 0; m < F::E; m++)
      v[m] = dcplx{rows > 0 ? at[t + m * F::G] : 0, rows > 1 ? at[N + t + m * F::G] : 0};
  }
};

/* One real row x as a complex line of half the points, z_j = x_2j + i x_(2j+1). With M = N/2, c = i exp(2 pi i k/N) and
 * transforms that are not scaled,
 *   backward Z(k) = X(k) + conj X(M-k) + c (X(k) - conj X(M-k)), k < M,
 *   forward  X(k) = (Z(k) + conj Z(M-k) + conj c (Z(k) - conj Z(M-k)))/2, Z(M) = Z(0).
 * c of k < M/2 lies in shared memory behind the twiddle factors; beyond, it is i times that of k - M/2. */
template <int N> struct fused_row {
  enum { LINE = N / 2, ROWS = 1, TABLE = fused_twiddles<LINE>::SIZE + LINE / 2 };
  typedef factored<LINE> F;
  /* Elements m that can hold a k <= Kx < N/3; and a k >= M - Kx. */
  static __device__ constexpr bool kept(int m) { return 3 * m < 2 * F::E; }
  static __device__ constexpr bool mirrored(int m) { return 3 * (m + 1) > F::E; }

  static __device__ __forceinline__ void fill(dcplx *to, const dcplx *table)
  {
    fused_twiddles<LINE>::fill(to, table, 2);
    for (int i = threadIdx.x + threadIdx.y * blockDim.x; i < LINE / 2; i += blockDim.x * blockDim.y)
      to[fused_twiddles<LINE>::SIZE + i] = dcplx{table[i].y, table[i].x};
  }

  /* c, or its conjugate for S = -1, of element m. */
  template <int S> static __device__ __forceinline__ dcplx turn(const fused_line &l, int m)
  {
    dcplx c = l.table[fused_twiddles<LINE>::SIZE + l.t + m % (F::E / 2) * F::G];
    if (S < 0) c.y = -c.y;
    return m < F::E / 2 ? c : times_i<S>(c);
  }

  static __device__ __forceinline__ void load(dcplx *v, const dcplx *a, int64_t pitch, int rows, const fused_line &l)
  {
    (void)pitch;
    const int most = rows > 0 ? l.kx_most : -1;
#pragma unroll
    for (int m = 0; m < F::E; m++) {
      const int k = l.t + m * F::G;
      dcplx p = {0, 0}, q = {0, 0};
      if (kept(m) && k <= most) p = a[k];
      if (k == 0) p.y = 0; /* round-off: the mean of a real row is real */
      if (mirrored(m) && LINE - k <= most) q = dcplx{a[LINE - k].x, -a[LINE - k].y};
      v[m] = p + q + turn<1>(l, m) * (p - q);
    }
  }

  template <int P>
  static __device__ __forceinline__ void store(const dcplx (*v)[F::E], fused_line &l, const fused_target &to, int r)
  {
    constexpr int APART = 2 * fused_shape<LINE>::PADDED;
#pragma unroll
    for (int p = 0; p < P; p++)
#pragma unroll
      for (int m = 0; m < F::E; m++)
        if (mirrored(m)) l.x.now[p * APART + padded<F::G>(l.t, m)] = v[p][m];
    fused_sync<LINE>();
#pragma unroll
    for (int p = 0; p < P; p++) {
      dcplx *a = to.base + (r + p) * to.field + to.at;
#pragma unroll
      for (int m = 0; m < F::E; m++) {
        const int k = l.t + m * F::G;
        if (!kept(m) || k > l.kx_most || to.rows < 1) continue;
        dcplx z = v[p][m], w = k ? l.x.now[p * APART + padded<F::G>(LINE - l.t, -m)] : z;
        w.y = -w.y;
        a[k] = (triad_real)0.5 * (z + w + turn<-1>(l, m) * (z - w));
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

/* Where rows go one by one: from 640 points on, where half of N takes an exchange less (but for 1536 and 2048, which gain as
 * much by more and shorter lines), and at 512 where registers that hold many fields leave room for few lines. N/2 must be
 * factored, too. */
static constexpr bool one_by_one(int n, int held)
{
  return n >= 640 || (n == 512 && held > 4 && sizeof(triad_real) == 8);
}
template <int N, class Pass>
using fused_form = std::conditional_t<one_by_one(N, Pass::HELD), fused_row<N>, fused_pair<N>>;

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
  typedef fused_form<N, Pass> form;
  typedef fused_shape<form::LINE> shape;
  enum {
    WORDS = 2 * factored<form::LINE>::E * (int)(sizeof(triad_real) / 4) * (Pass::HELD - Pass::SHARED + 3) + 40,
    QUARTER = WORDS > 170 ? 2 : WORDS > 128 ? 3 : WORDS > 102 ? 4 : 5, /* warps */
    BLOCKS_ = 4 * QUARTER * 32 / (int)shape::THREADS,
    BLOCKS = BLOCKS_ < 1 ? 1 : BLOCKS_,
    TABLE = form::TABLE,
    PITCH = ((N - 1) / 3 + 8) / 8 * 8, /* of planes, at most */
    INPUTS = (int)form::ROWS * PITCH * Pass::IN,
    PARKED = Pass::SHARED * (int)form::LINE,
    CARRIED = Pass::CARRIES != 0 ? (int)form::LINE : 0 /* one that is carried waits where the second line of two was, if there is one */
  };
  static constexpr bool fits(int line)
  {
    return BLOCKS * ((line * (int)shape::LANES + TABLE) * (int)sizeof(dcplx) + 1024) <= 227 << 10;
  }
  static constexpr int own(int p) { return 2 * p * (int)shape::PADDED + PARKED + (p == 1 ? CARRIED : 0); }
  enum {
    AHEAD = fits(own(1) + INPUTS),
    PAIR = fits(own(2) + (AHEAD ? INPUTS : 0)) ? 2 : 1, /* lines that a thread works on at once */
    OWN = own(PAIR),
    LINE = OWN + (AHEAD ? INPUTS : 0)
  };
  static constexpr size_t shared = ((size_t)shape::LANES * LINE + TABLE) * sizeof(dcplx);
  static_assert(shared <= 227 << 10, "a block of lines of this size does not fit a multiprocessor");
};

/* Field f at element m: from registers or from where this thread put it in shared memory. */
template <int LINE, class Pass>
__device__ __forceinline__ dcplx held(const dcplx (*u)[factored<LINE>::E], const dcplx *parked, int f, int m)
{
  constexpr int R = Pass::HELD - Pass::SHARED;
  return f < R ? u[f < R ? f : 0][m] : parked[(f - R) * LINE + m * factored<LINE>::G];
}

/* Begin to copy the `rows` rows of a line, of each field, to `to`, complex [field][row][pitch]. */
template <class Form, int IN>
__device__ __forceinline__ void fused_fetch(dcplx *to, const dcplx *from, int64_t field, int64_t rows, int64_t pitch, int t)
{
  constexpr int EACH = 16 / (int)sizeof(dcplx); /* complex numbers in 16 bytes */
#pragma unroll
  for (int f = 0; f < IN; f++)
    for (int i = EACH * t; i < rows * pitch; i += EACH * factored<Form::LINE>::G)
      __pipeline_memcpy_async(to + f * Form::ROWS * pitch + i, from + f * field + i, 16);
  __pipeline_commit();
}

/* Results r .. r + P - 1 of a line. */
template <int N, class Pass, int P>
__device__ __forceinline__ void fused_products(const typename Pass::law &law, double dt, int r,
                                               const dcplx (*u)[factored<fused_form<N, Pass>::LINE>::E], const dcplx *parked,
                                               fused_line &l, const fused_target &to, fastest &most)
{
  typedef fused_form<N, Pass> form;
  typedef factored<form::LINE> F;
  dcplx v[P][F::E];
#pragma unroll
  for (int m = 0; m < F::E; m++) {
    triad_real a[Pass::HELD], b[Pass::HELD];
#pragma unroll
    for (int f = 0; f < Pass::HELD; f++) {
      const dcplx p = held<form::LINE, Pass>(u, parked, f, m);
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
  fused_transform<-1, form::LINE, P>(v, l.x, l.t, l.table);
  form::template store<P>(v, l, to, r);
}

/* Pass::IN fields are transformed, the rest of Pass::HELD are read at the points (the kept of an earlier pass);
 * Pass::KEEPS of them are written there. Then Pass::RESULTS products of them, and for each of the `carried` fields behind
 * them its three fluxes with the first three. Inputs end where results end: see triad_gpu_chunk. */
template <int N, class Pass>
static __global__ void __launch_bounds__(fused_room<N, Pass>::shape::THREADS, fused_room<N, Pass>::BLOCKS)
    fused_rows(triad_gpu_shape g, typename Pass::law law, const dcplx *in, dcplx *out, int64_t rows, int carried,
               triad_real *kept, int64_t kept_stride, double dt, double *peak)
{
  extern __shared__ __align__(16) unsigned char memory[];
  typedef fused_room<N, Pass> room;
  typedef typename room::form form;
  typedef typename room::shape shape;
  constexpr int LINE = form::LINE, ROWS = form::ROWS, R = Pass::HELD - Pass::SHARED;
  typedef factored<LINE> F;
  constexpr bool AHEAD = room::AHEAD;
  const int t = threadIdx.x, lane = threadIdx.y;
  dcplx *table = (dcplx *)memory, *mine = table + room::TABLE + lane * room::LINE;
  constexpr int PAIR = room::PAIR, TOGETHER = PAIR == 2 && Pass::IN >= 2 && R >= 2 ? 2 : 0;
  fused_line l = {{mine, mine + shape::PADDED}, table, t, g.kx_most};
  dcplx *parked = mine + 2 * PAIR * shape::PADDED + t, *inputs = mine + room::OWN;
  const int step = gridDim.x * shape::LANES * ROWS;
  fused_target to = {out, rows * g.pitch, 0, g.pitch, 0};
  fastest most = {0, 0};
  form::fill(table, (const dcplx *)g.twiddle[0]);
  __syncthreads();
  int first = (blockIdx.x * shape::LANES + lane) * ROWS; /* row of the line */
  const auto there = [&](int row) { return (int)rows - row < ROWS ? (int)rows - row : ROWS; };
  if (AHEAD) fused_fetch<form, Pass::IN>(inputs, in + first * g.pitch, to.field, there(first), g.pitch, t);
  for (; first - lane * ROWS < rows; first += step) {
    to.rows = there(first);
    to.at = first * g.pitch;
    dcplx u[R][F::E];
    if (AHEAD) {
      __pipeline_wait_prior(0);
      fused_sync<LINE>();
    }
#pragma unroll
    for (int f = 0; f < TOGETHER; f++)
      form::load(u[f], AHEAD ? inputs + f * ROWS * g.pitch : in + f * to.field + to.at, g.pitch, to.rows, l);
    if constexpr (TOGETHER > 0) fused_transform<1, LINE, TOGETHER>(u, l.x, t, table);
#pragma unroll
    for (int f = 0; f < TOGETHER && f < Pass::KEEPS; f++)
      form::keep(u[f], kept + f * kept_stride + (int64_t)first * N, to.rows, t);
#pragma unroll
    for (int f = TOGETHER; f < Pass::HELD; f++) {
      dcplx line[1][F::E], *v = line[0];
      if (f < Pass::IN) {
        form::load(v, AHEAD ? inputs + f * ROWS * g.pitch : in + f * to.field + to.at, g.pitch, to.rows, l);
        fused_transform<1, LINE, 1>(line, l.x, t, table);
        if (f < Pass::KEEPS) form::keep(v, kept + f * kept_stride + (int64_t)first * N, to.rows, t);
      } else form::recall(v, kept + (f - Pass::IN) * kept_stride + (int64_t)first * N, to.rows, t);
#pragma unroll
      for (int m = 0; m < F::E; m++)
        if (f < R) u[f < R ? f : 0][m] = v[m];
        else parked[(f - R) * LINE + m * F::G] = v[m];
    }
    /* all threads of the line have met since the last input was read */
    if (AHEAD)
      fused_fetch<form, Pass::IN>(inputs, in + (first + step) * g.pitch, to.field, there(first + step), g.pitch, t);
#pragma unroll
    for (int r = 0; r + PAIR <= Pass::RESULTS; r += PAIR)
      fused_products<N, Pass, PAIR>(law, dt, r, u, parked, l, to, most);
    if constexpr (Pass::RESULTS % PAIR != 0)
      fused_products<N, Pass, 1>(law, dt, Pass::RESULTS - 1, u, parked, l, to, most);
    if constexpr (Pass::CARRIES != 0) {
      for (int s = 0; s < carried; s++) {
        dcplx line[1][F::E], *v = line[0];
        dcplx *scalar = PAIR > 1 ? mine + 2 * shape::PADDED + t : parked + Pass::SHARED * LINE;
        form::load(v, in + (Pass::IN + s) * to.field + to.at, g.pitch, to.rows, l);
        fused_transform<1, LINE, 1>(line, l.x, t, table);
#pragma unroll
        for (int m = 0; m < F::E; m++) scalar[m * F::G] = v[m];
#pragma unroll
        for (int c = 0; c < 3; c++) {
#pragma unroll
          for (int m = 0; m < F::E; m++) {
            dcplx p = held<LINE, Pass>(u, parked, c, m), q = scalar[m * F::G];
            v[m] = dcplx{p.x * q.x, p.y * q.y};
          }
          fused_transform<-1, LINE, 1>(line, l.x, t, table);
          form::template store<1>(line, l, to, Pass::RESULTS + 3 * s + c);
        }
      }
    }
  }
  if (peak) raise_peak(peak, (double)(most.most + most.finite));
}

#endif
