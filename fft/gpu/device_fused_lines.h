/* Lines of the fused x pass, for cuda/ only: transforms of P lines at once by the G threads that share them, through
 * two alternating buffers of shared memory, so that an exchange needs one barrier. */
#ifndef TRIAD_FFT_GPU_DEVICE_FUSED_LINES_H
#define TRIAD_FFT_GPU_DEVICE_FUSED_LINES_H

#include "fft/gpu/device_launch.h"

/* So many neighbouring threads reach shared memory at once, for 128 bytes. Those whose places are a multiple of as
 * many apart meet in a bank and take turns. */
enum { FUSED_AT_ONCE = 128 / (int)sizeof(dcplx) };

/* Where numbers lie between a pass of radix R, after a product L of earlier ones, and the next. They are written in
 * runs of L neighbours, R of them to a row, and read in runs of all threads. Behind every UNIT elements is a gap of
 * GAP, so that threads need not wait for each other: behind the first pass, L = 1, threads write R apart, and come
 * round to the same place after so many elements; later a gap behind each row makes its last run and the next row's
 * first follow each other as if they were one. None where gaps would take more than an eighth of the buffer. */
template <int N, int L, int R> struct fused_exchange {
  static constexpr int common(int a, int b) { return b == 0 ? a : common(b, a % b); }
  enum {
    UNIT = L == 1 ? R * FUSED_AT_ONCE / common(R, FUSED_AT_ONCE) : L * R,
    WANTED = L == 1 ? R % 2 == 0 : (L * R * (FUSED_AT_ONCE - 1) + L) % FUSED_AT_ONCE,
    GAP = (N - 1) / UNIT * WANTED <= N / 8 ? (int)WANTED : 0,
    SIZE = N + (N - 1) / UNIT * GAP
  };
  /* The place of element i + offset, 0 <= i < MOST; offset is known when compiled, and with it all but one address. */
  template <int MOST> static __device__ __forceinline__ int place(int i, int offset)
  {
    const int rest = offset % (int)UNIT, before = offset + offset / (int)UNIT * (int)GAP;
    if (GAP == 0 || rest + MOST <= UNIT) return before + i;
    return before + i + (int)((unsigned)(i + rest) / (unsigned)UNIT) * (int)GAP;
  }
  /* The place of number m of the pass's transform t + offset, 0 <= t < MOST. */
  template <int MOST> static __device__ __forceinline__ int written(int t, int offset, int m)
  {
    if (L == 1) return place<(MOST - 1) * R + 1>(t * R, offset * R) + m; /* no gap within a transform */
    return (t + offset) / L * (L * R + (int)GAP) + (t + offset) % L + m * L;
  }
};

/* The exchanges of a line, and a buffer for each of them: what a pass reads is behind the one before it. */
template <int N> struct fused_exchanges {
  typedef factored<N> F;
  typedef fused_exchange<N, 1, F::FIRST> first;
  typedef std::conditional_t<(F::A > 1), fused_exchange<N, F::FIRST, F::A>, first> after_a;
  typedef std::conditional_t<(F::B > 1), fused_exchange<N, F::FIRST * F::A, F::B>, after_a> after_b;
  typedef std::conditional_t<(F::C > 1), fused_exchange<N, F::FIRST * F::A * F::B, F::C>, after_b> after_c;
  static constexpr int most(int a, int b) { return a > b ? a : b; }
  enum { SIZE = most(most((int)first::SIZE, (int)after_a::SIZE), most((int)after_b::SIZE, (int)after_c::SIZE)) };
};

template <int N> struct fused_shape {
  enum {
    E = factored<N>::E,
    G = factored<N>::G,
    GIVEN = fused_lanes_of<N>::value,
    WARPS = (G + 31) / 32 * 32,
    /* threads of a line; those beyond G do what others do, to the same places, but none that goes with them */
    WIDTH = GIVEN == 0 && G > 32 && WARPS - G <= G / 8 ? WARPS : G,
    SAME = (WIDTH - G + FUSED_AT_ONCE - 1) / FUSED_AT_ONCE * FUSED_AT_ONCE
  };
  /* Threads of a multiprocessor that lines have in blocks of l, of the warps that there is room for where three
   * fields of eight elements are held; and the l of the most. Short lines, which warps hold whole, make blocks of
   * two warps at least. */
  static constexpr int busy(int l) { return (sizeof(triad_real) == 8 ? 8 : 12) / ((G * l + 31) / 32) * G * l; }
  static constexpr int most(int l, int best)
  {
    return G * l > 256 ? best : most(l + 1, busy(l) > busy(best) ? l : best);
  }
  static constexpr int lanes(int l)
  {
    if (32 % G != 0) return most(2, 1);
    return l >= 32 || G * l >= 64 ? l : lanes(2 * l);
  }
  enum {
    ALONE = WIDTH % 32 == 0,                    /* a line has warps of its own and waits for these alone: */
    MOST = sizeof(triad_real) == 8 ? 256 : 128, /* threads of a block of such lines, which share tables   */
    /* lines of a block: whole warps, at least two */
    WANTED = GIVEN != 0     ? (int)GIVEN
             : !ALONE       ? lanes(1)
             : MOST > WIDTH ? MOST / WIDTH
                            : 1,
#ifdef __HIP__ /* two buffers, and four fields that are stored for products */
    LANES = lanes_that_fit((int)WANTED, 6 * N * (int)sizeof(dcplx)),
#else
    LANES = WANTED,
#endif
    THREADS = WIDTH * LANES,
    WARP = 32 % G == 0, /* lines within a warp need no barrier of the block */
    PADDED = fused_exchanges<N>::SIZE
  };
};

/* Where the threads of some warps wait for each other, which have such a number, 1 to 15, in common; in words that a
 * compiler of the host can read, as TRIAD_LAUNCH. */
#ifndef TRIAD_BARRIER
#define TRIAD_BARRIER(number, threads) asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory")
#endif

template <int N> __device__ __forceinline__ void fused_sync()
{
  if constexpr (fused_shape<N>::WARP) __syncwarp();
  else if constexpr (fused_shape<N>::ALONE) TRIAD_BARRIER(threadIdx.y + 1, (int)fused_shape<N>::WIDTH);
  else __syncthreads();
}

/* The number t of a thread in its line. */
template <int N> __device__ __forceinline__ int fused_thread()
{
  const int t = threadIdx.x;
  return (int)fused_shape<N>::WIDTH == (int)fused_shape<N>::G || t < fused_shape<N>::G ? t
                                                                                       : t - (int)fused_shape<N>::SAME;
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
    PAST_A = F::FIRST * F::A, /* radices so far */
    PAST_B = PAST_A * F::B,
    PAST_C = PAST_B * F::C,
    A = 0, /* where the table of each pass begins */
    B = A + fused_powers<F::A>::COUNT * F::FIRST,
    C = B + fused_powers<F::B>::COUNT * PAST_A,
    LAST = C + fused_powers<F::C>::COUNT * PAST_B,
    SIZE = LAST + fused_powers<F::LAST>::COUNT * PAST_C
  };
  template <int R, int L> static __device__ __forceinline__ void fill(dcplx *to, const dcplx *table, int step)
  {
    const int threads = blockDim.x * blockDim.y;
    for (int i = threadIdx.x + threadIdx.y * blockDim.x; i < fused_powers<R>::COUNT * L; i += threads)
      to[i] = table[(1 << i / L) * (i % L) * (N / (L * R)) * step];
  }
  static __device__ __forceinline__ void fill(dcplx *to, const dcplx *table, int step = 1)
  {
    if constexpr (F::A > 1) fill<F::A, F::FIRST>(to + A, table, step);
    if constexpr (F::B > 1) fill<F::B, PAST_A>(to + B, table, step);
    if constexpr (F::C > 1) fill<F::C, PAST_B>(to + C, table, step);
    fill<F::LAST, PAST_C>(to + LAST, table, step);
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

/* A middle pass of radix R after a product L of earlier ones; FROM: the exchange before it. */
template <int S, int N, int R, int L, int P, class FROM>
__device__ __forceinline__ void fused_middle(exchange &x, int t, const dcplx *table)
{
  constexpr int G = factored<N>::G, B = N / R, Q = (B + G - 1) / G, APART = 2 * fused_shape<N>::PADDED;
  typedef fused_exchange<N, L, R> to;
#pragma unroll
  for (int q = 0; q < Q; q++) {
    int b = t + q * G;
    dcplx v[P][R];
    if (B % G == 0 || b < B) {
#pragma unroll
      for (int p = 0; p < P; p++)
#pragma unroll
        for (int m = 0; m < R; m++) v[p][m] = x.now[p * APART + FROM::template place<G>(t, q * G + m * B)];
      fused_twiddle<S, R, L, P>(v, table, b % L);
#pragma unroll
      for (int p = 0; p < P; p++) {
        small<S, R>::run(v[p]);
#pragma unroll
        for (int m = 0; m < R; m++) x.next[p * APART + to::template written<G>(t, q * G, m)] = v[p][m];
      }
    }
  }
  fused_sync<N>();
  x.turn();
}

/* Transform P lines at once, so that the arithmetic of one overlaps the exchange of another through shared memory.
 * table: fused_twiddles<N>. */
template <int S, int N, int P>
__device__ __forceinline__ void fused_transform(dcplx (*v)[factored<N>::E], exchange &x, int t, const dcplx *table)
{
  typedef factored<N> F;
  typedef fused_twiddles<N> W;
  constexpr int APART = 2 * fused_shape<N>::PADDED, FIRSTS = F::E / F::FIRST, LASTS = F::E / F::LAST;
  typedef fused_exchanges<N> X;
#pragma unroll
  for (int p = 0; p < P; p++)
#pragma unroll
    for (int q = 0; q < FIRSTS; q++) {
      dcplx w[F::FIRST];
#pragma unroll
      for (int m = 0; m < F::FIRST; m++) w[m] = v[p][q + m * FIRSTS];
      small<S, F::FIRST>::run(w);
#pragma unroll
      for (int m = 0; m < F::FIRST; m++) x.now[p * APART + X::first::template written<F::G>(t, q * F::G, m)] = w[m];
    }
  fused_sync<N>();
  if constexpr (F::A > 1) fused_middle<S, N, F::A, F::FIRST, P, typename X::first>(x, t, table + W::A);
  if constexpr (F::B > 1) fused_middle<S, N, F::B, W::PAST_A, P, typename X::after_a>(x, t, table + W::B);
  if constexpr (F::C > 1) fused_middle<S, N, F::C, W::PAST_B, P, typename X::after_b>(x, t, table + W::C);
#pragma unroll
  for (int p = 0; p < P; p++)
#pragma unroll
    for (int m = 0; m < F::E; m++) v[p][m] = x.now[p * APART + X::after_c::template place<F::G>(t, m * F::G)];
  x.turn();
#pragma unroll
  for (int q = 0; q < LASTS; q++) {
    dcplx w[P][F::LAST];
#pragma unroll
    for (int p = 0; p < P; p++)
#pragma unroll
      for (int m = 0; m < F::LAST; m++) w[p][m] = v[p][q + m * LASTS];
    fused_twiddle<S, F::LAST, W::PAST_C, P>(w, table + W::LAST, t + q * F::G);
#pragma unroll
    for (int p = 0; p < P; p++) {
      small<S, F::LAST>::run(w[p]);
#pragma unroll
      for (int m = 0; m < F::LAST; m++) v[p][q + m * LASTS] = w[p][m];
    }
  }
}

#endif
