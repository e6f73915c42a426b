/* The fused x pass, for cuda/ only: fields of two real rows a, b travel as complex lines a + i b (device_rows.h) to
 * physical space, are multiplied there, and the products travel back. Physical values never reach memory.
 *
 * A line is worked on by G threads, t fastest, so that rows are read and written in whole cache lines; element
 * t + m G is in register m. Lines change threads through shared memory, in two buffers by turns: one barrier an
 * exchange does. Of the fields that products need, the last `SHARED` wait in shared memory, the others in registers:
 * fewer registers let more lines be in flight, which is what hides memory and barriers. */
#ifndef TRIAD_FFT_DEVICE_FUSED_H
#define TRIAD_FFT_DEVICE_FUSED_H

#include "fft/device_launch.h"
#include "fft/gpu_pass.h"

template <int N> struct fused_shape {
  enum { E = factored<N>::E, G = factored<N>::G };
  static constexpr int lanes(int l) { return l >= 32 || (G * l >= 64 && G * l % 32 == 0) ? l : lanes(2 * l); }
  enum {
    LANES = lanes(1),           /* lines of a block: whole warps, at least two */
    THREADS = G * LANES,
    WARP = 32 % G == 0,         /* lines within a warp need no barrier of the block */
    PADDED = N + N / 8          /* one gap every eight elements: no two threads meet a bank */
  };
};

template <int N> __device__ __forceinline__ void fused_sync()
{
  if constexpr (fused_shape<N>::WARP) __syncwarp();
  else __syncthreads();
}

__device__ __forceinline__ int padded(int i) { return i + i / 8; }

/* The two exchange buffers of a line. */
struct exchange {
  dcplx *now, *next;
  __device__ __forceinline__ void turn()
  {
    dcplx *was = now;
    now = next;
    next = was;
  }
};

template <int S, int N, int R, int L>
__device__ __forceinline__ void fused_middle(exchange &x, int t, const dcplx *table)
{
  constexpr int G = factored<N>::G, B = N / R, Q = (B + G - 1) / G;
#pragma unroll
  for (int q = 0; q < Q; q++) {
    int b = t + q * G;
    dcplx v[R];
    if (B % G == 0 || b < B) {
#pragma unroll
      for (int m = 0; m < R; m++) v[m] = x.now[padded(b + m * B)];
      twiddle<S, R>(v, table, b % L * (N / (L * R)));
      small<S, R>::run(v);
#pragma unroll
      for (int m = 0; m < R; m++) x.next[padded(b / L * L * R + b % L + m * L)] = v[m];
    }
  }
  fused_sync<N>();
  x.turn();
}

template <int S, int N> __device__ __forceinline__ void fused_transform(dcplx *v, exchange &x, int t, const dcplx *table)
{
  typedef factored<N> F;
  small<S, F::E>::run(v);
#pragma unroll
  for (int m = 0; m < F::E; m++) x.now[padded(t * F::E + m)] = v[m];
  fused_sync<N>();
  if constexpr (F::A > 1) fused_middle<S, N, F::A, F::E>(x, t, table);
  if constexpr (F::B > 1) fused_middle<S, N, F::B, F::E * F::A>(x, t, table);
#pragma unroll
  for (int m = 0; m < F::E; m++) v[m] = x.now[padded(t + m * F::G)];
  x.turn();
  twiddle<S, F::E>(v, table, t);
  small<S, F::E>::run(v);
}

/* At most a third of a row is kept, kx <= Kx < N/3: elements m of which nothing can be. */
template <int N> __device__ __forceinline__ constexpr bool low(int m) { return 3 * m <= factored<N>::E; }
template <int N> __device__ __forceinline__ constexpr bool high(int m) { return 3 * (m + 1) >= 2 * factored<N>::E; }

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

/* A = (Z(k) + conj Z(-k))/2 and B = (Z(k) - conj Z(-k))/(2 i), kx <= Kx. */
template <int N>
__device__ __forceinline__ void fused_store(const dcplx *v, exchange &x, dcplx *a, dcplx *b, int kx_most, int t)
{
  typedef factored<N> F;
  const triad_real half = (triad_real)0.5;
#pragma unroll
  for (int m = 0; m < F::E; m++)
    if (high<N>(m)) x.now[padded(t + m * F::G)] = v[m];
  fused_sync<N>();
#pragma unroll
  for (int m = 0; m < F::E; m++) {
    int k = t + m * F::G;
    if (!low<N>(m) || k > kx_most) continue;
    dcplx z = v[m], w = k ? x.now[padded(N - k)] : z;
    if (a) a[k] = dcplx{half * (z.x + w.x), half * (z.y - w.y)};
    if (b) b[k] = dcplx{half * (z.y + w.y), half * (w.x - z.x)};
  }
  x.turn();
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

/* How many blocks of a fused pass must share a multiprocessor, for the registers that its fields ask for: each held
 * field takes 2 E reals a thread, the line at work as many, arithmetic some 40 words. */
template <int N, class Pass> struct fused_room {
  enum {
    WORDS = 2 * factored<N>::E * (int)(sizeof(triad_real) / 4) * (Pass::HELD - Pass::SHARED + 1) + 40,
    REGISTERS = WORDS > 255 ? 255 : WORDS < 64 ? 64 : (WORDS + 7) / 8 * 8,
    BLOCKS_ = 65536 / (REGISTERS * (((int)fused_shape<N>::THREADS + 31) / 32 * 32)),
    BLOCKS = BLOCKS_ < 1 ? 1 : BLOCKS_ > 16 ? 16 : BLOCKS_
  };
  static constexpr size_t shared =
      (size_t)fused_shape<N>::LANES * (2 * fused_shape<N>::PADDED + (Pass::SHARED + (Pass::CARRIES != 0)) * N) *
      sizeof(dcplx);
};

/* Field f at element m: from registers or from where this thread put it in shared memory. */
template <int N, class Pass>
__device__ __forceinline__ dcplx held(const dcplx (*u)[factored<N>::E], const dcplx *parked, int f, int m)
{
  constexpr int R = Pass::HELD - Pass::SHARED;
  return f < R ? u[f < R ? f : 0][m] : parked[(f - R) * N + m * factored<N>::G];
}

/* Pass::IN fields are transformed, the rest of Pass::HELD are read at the points (the kept of an earlier pass);
 * Pass::KEEPS of them are written there. Then Pass::RESULTS of them, and for each of the `carried` fields behind them
 * its three fluxes with the first three. Inputs end where results end: see triad_gpu_chunk. */
template <int N, class Pass>
static __global__ void __launch_bounds__(fused_shape<N>::THREADS, fused_room<N, Pass>::BLOCKS)
    fused_rows(triad_gpu_shape g, typename Pass::law law, const dcplx *in, dcplx *out, int64_t rows, int carried,
               triad_real *kept, int64_t kept_stride, double dt, double *peak)
{
  extern __shared__ __align__(16) unsigned char memory[];
  typedef factored<N> F;
  constexpr int R = Pass::HELD - Pass::SHARED, PARKED = Pass::SHARED + (Pass::CARRIES != 0);
  const int t = threadIdx.x, lane = threadIdx.y;
  dcplx *mine = (dcplx *)memory + lane * (2 * fused_shape<N>::PADDED + PARKED * N);
  exchange x = {mine, mine + fused_shape<N>::PADDED};
  dcplx *parked = mine + 2 * fused_shape<N>::PADDED + t;
  const int64_t first = 2 * ((int64_t)blockIdx.x * fused_shape<N>::LANES + lane), field = rows * g.pitch;
  const bool has_a = first < rows, has_b = first + 1 < rows;
  const int64_t at = first * g.pitch;
  const dcplx *table = (const dcplx *)g.twiddle[0];
  dcplx u[R][F::E];
#pragma unroll
  for (int f = 0; f < Pass::HELD; f++) {
    dcplx v[F::E];
    if (f < Pass::IN) {
      const dcplx *from = in + f * field + at;
      fused_load<N>(v, has_a ? from : nullptr, has_b ? from + g.pitch : nullptr, g.kx_most, t);
      fused_transform<1, N>(v, x, t, table);
      triad_real *to = kept + f * kept_stride + first * N + t;
#pragma unroll
      for (int m = 0; f < Pass::KEEPS && m < F::E; m++) {
        if (has_a) to[m * F::G] = v[m].x;
        if (has_b) to[N + m * F::G] = v[m].y;
      }
    } else {
      const triad_real *from = kept + (f - Pass::IN) * kept_stride + first * N + t;
#pragma unroll
      for (int m = 0; m < F::E; m++)
        v[m] = dcplx{has_a ? from[m * F::G] : 0, has_b ? from[N + m * F::G] : 0};
    }
#pragma unroll
    for (int m = 0; m < F::E; m++)
      if (f < R) u[f < R ? f : 0][m] = v[m];
      else parked[(f - R) * N + m * F::G] = v[m];
  }
  fastest most = {0, 0};
#pragma unroll
  for (int r = 0; r < Pass::RESULTS; r++) {
    dcplx v[F::E];
#pragma unroll
    for (int m = 0; m < F::E; m++) {
      triad_real a[Pass::HELD], b[Pass::HELD];
#pragma unroll
      for (int f = 0; f < Pass::HELD; f++) {
        dcplx p = held<N, Pass>(u, parked, f, m);
        a[f] = p.x;
        b[f] = p.y;
      }
      v[m] = dcplx{Pass::product(law, dt, r, a), Pass::product(law, dt, r, b)};
      if (r == 0) {
        most.see(Pass::rate(law, a));
        most.see(Pass::rate(law, b));
      }
    }
    fused_transform<-1, N>(v, x, t, table);
    dcplx *to = out + r * field + at;
    fused_store<N>(v, x, has_a ? to : nullptr, has_b ? to + g.pitch : nullptr, g.kx_most, t);
  }
  if constexpr (Pass::CARRIES != 0) {
    for (int s = 0; s < carried; s++) {
      dcplx v[F::E];
      const dcplx *from = in + (Pass::IN + s) * field + at;
      fused_load<N>(v, has_a ? from : nullptr, has_b ? from + g.pitch : nullptr, g.kx_most, t);
      fused_transform<1, N>(v, x, t, table);
      dcplx *scalar = parked + Pass::SHARED * N;
#pragma unroll
      for (int m = 0; m < F::E; m++) scalar[m * F::G] = v[m];
#pragma unroll
      for (int c = 0; c < 3; c++) {
#pragma unroll
        for (int m = 0; m < F::E; m++) {
          dcplx p = held<N, Pass>(u, parked, c, m), q = scalar[m * F::G];
          v[m] = dcplx{p.x * q.x, p.y * q.y};
        }
        fused_transform<-1, N>(v, x, t, table);
        dcplx *to = out + (Pass::RESULTS + 3 * s + c) * field + at;
        fused_store<N>(v, x, has_a ? to : nullptr, has_b ? to + g.pitch : nullptr, g.kx_most, t);
      }
    }
  }
  if (peak) raise_peak(peak, (double)(most.most + most.finite));
}

#endif
