/* Complex transforms of lines inside a block of GPU threads, for cuda/ only.
 *
 * `LANES` neighbouring lines of N points are transformed together by N/E * LANES threads; thread (lane, t) holds
 * elements t + m N/E, m < E, of its line in registers before and after. Passes are Stockham's autosort (Van Loan
 * 1992, Computational Frameworks for the FFT, section 1.7), N = FIRST * middle radices * LAST, where FIRST and LAST
 * divide E: a thread does E/FIRST transforms of FIRST points in the first pass. Elements change threads through
 * shared memory [i][lane], whose rows of lanes meet no bank twice. Twiddle factors w^i = exp(-2 pi i/N) come from a
 * table of N. S = -1 forward, +1 backward; not scaled. */
#ifndef TRIAD_FFT_GPU_DEVICE_LINES_H
#define TRIAD_FFT_GPU_DEVICE_LINES_H

#include "base/precision.h"

/* Shared memory whose size is an argument of the launch, in a form that a host compiler can parse, like
 * TRIAD_LAUNCH_SHARED. */
#ifndef TRIAD_SHARED
#define TRIAD_SHARED(name) extern __shared__ __align__(16) unsigned char name[]
#endif

/* Shared memory that blocks of a multiprocessor have together, and that one may have [bytes]; of a block 1 KB is
 * reserved, on AMD's GPUs nothing. */
#ifdef __HIP__
enum { shared_room = 64 << 10, shared_most = 64 << 10 };
#else
enum { shared_room = 224 << 10, shared_most = 227 << 10 };
#endif

struct alignas(2 * sizeof(triad_real)) dcplx {
  triad_real x, y;
};

__device__ __forceinline__ dcplx operator+(dcplx a, dcplx b) { return {a.x + b.x, a.y + b.y}; }
__device__ __forceinline__ dcplx operator-(dcplx a, dcplx b) { return {a.x - b.x, a.y - b.y}; }
__device__ __forceinline__ dcplx operator*(dcplx a, dcplx b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
__device__ __forceinline__ dcplx operator*(triad_real a, dcplx b) { return {a * b.x, a * b.y}; }

template <int S> __device__ __forceinline__ dcplx times_i(dcplx a) /* S i a */
{
  return S > 0 ? dcplx{-a.y, a.x} : dcplx{a.y, -a.x};
}

/* Transforms of R points in registers. */
template <int S, int R> struct small;

template <int S> struct small<S, 2> {
  static __device__ __forceinline__ void run(dcplx *v)
  {
    dcplx a = v[0] + v[1], b = v[0] - v[1];
    v[0] = a;
    v[1] = b;
  }
};

template <int S> struct small<S, 3> {
  static __device__ __forceinline__ void run(dcplx *v)
  {
    const triad_real h = (triad_real)0.86602540378443864676;
    dcplx sum = v[1] + v[2], turn = times_i<S>(h * (v[1] - v[2])), mid = v[0] - (triad_real)0.5 * sum;
    v[0] = v[0] + sum;
    v[1] = mid + turn;
    v[2] = mid - turn;
  }
};

template <int S> struct small<S, 4> {
  static __device__ __forceinline__ void run(dcplx *v)
  {
    dcplx a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = times_i<S>(v[1] - v[3]);
    v[0] = a + c;
    v[2] = a - c;
    v[1] = b + d;
    v[3] = b - d;
  }
};

template <int S> struct small<S, 5> {
  static __device__ __forceinline__ void run(dcplx *v)
  {
    const triad_real c1 = (triad_real)0.30901699437494742410, c2 = (triad_real)-0.80901699437494742410;
    const triad_real s1 = (triad_real)0.95105651629515357212, s2 = (triad_real)0.58778525229247312917;
    dcplx p = v[1] + v[4], m = v[1] - v[4], q = v[2] + v[3], n = v[2] - v[3], zero = v[0];
    dcplx a = zero + c1 * p + c2 * q, b = zero + c2 * p + c1 * q;
    dcplx ta = times_i<S>(s1 * m + s2 * n), tb = times_i<S>(s2 * m - s1 * n);
    v[0] = zero + p + q;
    v[1] = a + ta;
    v[4] = a - ta;
    v[2] = b + tb;
    v[3] = b - tb;
  }
};

template <int S> struct small<S, 6> {
  static __device__ __forceinline__ void run(dcplx *v)
  {
    const triad_real h = (triad_real)0.86602540378443864676, half = (triad_real)0.5;
    dcplx a[3] = {v[0], v[2], v[4]}, b[3] = {v[1], v[3], v[5]};
    small<S, 3>::run(a);
    small<S, 3>::run(b);
    b[1] = b[1] * dcplx{half, S * h};
    b[2] = b[2] * dcplx{-half, S * h};
    for (int i = 0; i < 3; i++) {
      v[i] = a[i] + b[i];
      v[i + 3] = a[i] - b[i];
    }
  }
};

template <int S> struct small<S, 8> {
  static __device__ __forceinline__ void run(dcplx *v)
  {
    const triad_real h = (triad_real)0.70710678118654752440;
    dcplx e[4] = {v[0], v[2], v[4], v[6]}, o[4] = {v[1], v[3], v[5], v[7]};
    small<S, 4>::run(e);
    small<S, 4>::run(o);
    o[1] = h * (o[1] + times_i<S>(o[1]));
    o[2] = times_i<S>(o[2]);
    o[3] = h * (times_i<S>(o[3]) - o[3]);
    for (int i = 0; i < 4; i++) {
      v[i] = e[i] + o[i];
      v[i + 4] = e[i] - o[i];
    }
  }
};

template <int S> struct small<S, 16> {
  static __device__ __forceinline__ void run(dcplx *v)
  {
    const triad_real h = (triad_real)0.70710678118654752440, c = (triad_real)0.92387953251128675613,
                     s = (triad_real)0.38268343236508977173;
    dcplx a[4][4]; /* a[i][k]: elements i + 4 j, transformed along j */
#pragma unroll
    for (int i = 0; i < 4; i++) {
#pragma unroll
      for (int j = 0; j < 4; j++) a[i][j] = v[i + 4 * j];
      small<S, 4>::run(a[i]);
    }
    a[1][1] = a[1][1] * dcplx{c, S * s};
    a[1][2] = h * (a[1][2] + times_i<S>(a[1][2]));
    a[1][3] = a[1][3] * dcplx{s, S * c};
    a[2][1] = h * (a[2][1] + times_i<S>(a[2][1]));
    a[2][2] = times_i<S>(a[2][2]);
    a[2][3] = h * (times_i<S>(a[2][3]) - a[2][3]);
    a[3][1] = a[3][1] * dcplx{s, S * c};
    a[3][2] = h * (times_i<S>(a[3][2]) - a[3][2]);
    a[3][3] = a[3][3] * dcplx{-c, -S * s};
#pragma unroll
    for (int k = 0; k < 4; k++) {
      dcplx b[4] = {a[0][k], a[1][k], a[2][k], a[3][k]};
      small<S, 4>::run(b);
#pragma unroll
      for (int i = 0; i < 4; i++) v[k + 4 * i] = b[i];
    }
  }
};

/* cos(2 pi a/b), 0 <= a <= b/8, and the sine, by their series: known when compiled. */
static __device__ constexpr double small_cosine(int a, int b)
{
  const double x = 2 * TRIAD_PI * a / b;
  double sum = 0, term = 1;
  for (int i = 1; i < 22; i += 2) {
    sum += term;
    term *= -x * x / (i * (i + 1));
  }
  return sum;
}
static __device__ constexpr double small_sine(int a, int b)
{
  const double x = 2 * TRIAD_PI * a / b;
  double sum = 0, term = x;
  for (int i = 2; i < 23; i += 2) {
    sum += term;
    term *= -x * x / (i * (i + 1));
  }
  return sum;
}
/* For any a >= 0. */
static __device__ constexpr double turn_cosine(int a, int b)
{
  a %= b;
  if (2 * a > b) a = b - a;
  if (4 * a > b) return -turn_cosine(b - 2 * a, 2 * b);
  return 8 * a <= b ? small_cosine(a, b) : small_sine(b - 4 * a, 4 * b);
}
static __device__ constexpr double turn_sine(int a, int b) { return turn_cosine(4 * a + 3 * b, 4 * b); }

/* a exp(S 2 pi i I/R) */
template <int S, int I, int R> __device__ __forceinline__ dcplx turned(dcplx a)
{
  if constexpr (I == 0) return a;
  else if constexpr (4 * I == R) return times_i<S>(a);
  else {
    constexpr double c = turn_cosine(I, R), s = turn_sine(I, R);
    return a * dcplx{(triad_real)c, (triad_real)(S * s)};
  }
}

/* R = P Q points: Q of them for each of P, then P of these (Cooley and Tukey 1965). */
template <int S, int P, int Q> struct product {
  template <int I> static __device__ __forceinline__ void turn(dcplx (*a)[Q])
  {
    if constexpr (I < P * Q) {
      a[I / Q][I % Q] = turned<S, I / Q *(I % Q), P * Q>(a[I / Q][I % Q]);
      turn<I + 1>(a);
    }
  }
  static __device__ __forceinline__ void run(dcplx *v)
  {
    dcplx a[P][Q];
#pragma unroll
    for (int p = 0; p < P; p++) {
#pragma unroll
      for (int q = 0; q < Q; q++) a[p][q] = v[p + P * q];
      small<S, Q>::run(a[p]);
    }
    turn<0>(a);
#pragma unroll
    for (int q = 0; q < Q; q++) {
      dcplx b[P];
#pragma unroll
      for (int p = 0; p < P; p++) b[p] = a[p][q];
      small<S, P>::run(b);
#pragma unroll
      for (int p = 0; p < P; p++) v[q + Q * p] = b[p];
    }
  }
};
template <int S> struct small<S, 9> : product<S, 3, 3> {
};
template <int S> struct small<S, 10> : product<S, 2, 5> {
};
template <int S> struct small<S, 12> : product<S, 3, 4> {
};
template <int S> struct small<S, 14> : product<S, 2, 7> {
};
template <int S> struct small<S, 15> : product<S, 3, 5> {
};

/* Odd R: v_j + v_(R-j) with cosines, v_j - v_(R-j) with sines. */
template <int S, int R> struct odd {
  enum { H = (R - 1) / 2 };
  template <int K, int J> static __device__ __forceinline__ void add(dcplx &a, dcplx &b, const dcplx *p, const dcplx *m)
  {
    if constexpr (J <= H) {
      constexpr double c = turn_cosine(J * K, R), s = turn_sine(J * K, R);
      a = a + (triad_real)c * p[J];
      b = b + (triad_real)s * m[J];
      add<K, J + 1>(a, b, p, m);
    }
  }
  template <int K> static __device__ __forceinline__ void both(dcplx *v, const dcplx *p, const dcplx *m)
  {
    if constexpr (K <= H) {
      dcplx a = p[0], b = {0, 0};
      add<K, 1>(a, b, p, m);
      b = times_i<S>(b);
      v[K] = a + b;
      v[R - K] = a - b;
      both<K + 1>(v, p, m);
    }
  }
  static __device__ __forceinline__ void run(dcplx *v)
  {
    dcplx p[H + 1], m[H + 1];
    p[0] = v[0];
#pragma unroll
    for (int j = 1; j <= H; j++) {
      p[j] = v[j] + v[R - j];
      m[j] = v[j] - v[R - j];
      v[0] = v[0] + p[j];
    }
    both<1>(v, p, m);
  }
};
template <int S> struct small<S, 7> : odd<S, 7> {
};
template <int S> struct small<S, 11> : odd<S, 11> {
};
template <int S> struct small<S, 13> : odd<S, 13> {
};

/* v[m] *= w^(m i), forward or backward. w^i, w^2i, w^4i and w^8i are read and the others made of them by up to three
 * products: powers of powers would carry as many times the rounding of the first. */
template <int S, int R> __device__ __forceinline__ void twiddle(dcplx *v, const dcplx *__restrict__ table, int i)
{
  dcplx w[R > 1 ? R : 2];
#pragma unroll
  for (int m = 1; m < R; m++) {
    const int high = m >= 8 ? 8 : m >= 4 ? 4 : m >= 2 ? 2 : 1; /* its leading power of two */
    w[m] = m == high ? table[m * i] : w[high] * w[m - high];
    if (m == high && S > 0) w[m].y = -w[m].y;
    v[m] = v[m] * w[m];
  }
}

/* A middle pass of radix R after a product L of earlier radices, from shared memory to shared memory. */
template <int S, int N, int G, int LANES, int R, int L>
__device__ __forceinline__ void middle(dcplx *s, int t, int lane, const dcplx *table)
{
  constexpr int B = N / R, Q = (B + G - 1) / G;
  dcplx v[Q][R];
#pragma unroll
  for (int q = 0; q < Q; q++) {
    int b = t + q * G;
    if (B % G != 0 && b >= B) continue;
#pragma unroll
    for (int m = 0; m < R; m++) v[q][m] = s[(b + m * B) * LANES + lane];
    twiddle<S, R>(v[q], table, b % L * (N / (L * R)));
    small<S, R>::run(v[q]);
  }
  __syncthreads();
#pragma unroll
  for (int q = 0; q < Q; q++) {
    int b = t + q * G;
    if (B % G != 0 && b >= B) continue;
#pragma unroll
    for (int m = 0; m < R; m++) s[(b / L * L * R + b % L + m * L) * LANES + lane] = v[q][m];
  }
  __syncthreads();
}

/* Factorization of each built-in size: E, then up to two middle radices (1: none), then E. The build chooses the sizes
 * (GPU_SIZES of make): those that most grids have, with kernels that join tasks (device_joined.h) up to 384;
 * TRIAD_GPU_ALL: each size that was tuned; TRIAD_GPU_FEW: a quick build while kernels are developed. For other sizes
 * the host provides it in TRIAD_COMPILED_LENGTHS and compiles the kernels at run time (fft/gpu/gpu_compiled.h). */
#ifdef TRIAD_COMPILED_LENGTHS
#define TRIAD_DEVICE_SIZES(X)
#elif defined(TRIAD_GPU_FEW)
#define TRIAD_DEVICE_SIZES(X) X(32, 4, 2, 1) X(64, 8, 1, 1) X(256, 8, 4, 1) X(360, 6, 10, 1) X(512, 8, 8, 1)
#elif defined(TRIAD_GPU_ALL)
/* clang-format off */
#define TRIAD_DEVICE_SIZES(X) \
  X(16, 4, 1, 1) X(32, 4, 2, 1) X(48, 4, 3, 1) X(64, 8, 1, 1) X(80, 4, 5, 1) X(96, 4, 6, 1) X(128, 8, 2, 1) \
  X(160, 4, 5, 2) X(192, 8, 3, 1) X(256, 8, 4, 1) X(320, 8, 5, 1) X(360, 6, 10, 1) X(384, 8, 6, 1) X(512, 8, 8, 1) \
  X(640, 8, 10, 1) X(768, 8, 6, 2) X(1024, 8, 4, 4) X(1536, 8, 6, 4) X(2048, 8, 8, 4)
/* clang-format on */
#else
/* clang-format off */
#define TRIAD_DEVICE_SIZES(X) \
  X(64, 8, 1, 1) X(128, 8, 2, 1) X(192, 8, 3, 1) X(256, 8, 4, 1) X(384, 8, 6, 1) X(512, 8, 8, 1) X(1024, 8, 4, 4)
/* clang-format on */
#endif

template <int N> struct factored;
#define TRIAD_FACTORED(n, e, a, b) \
  template <> struct factored<n> { \
    enum { E = e, G = n / e, FIRST = e, A = a, B = b, C = 1, LAST = e }; \
  };
TRIAD_DEVICE_SIZES(TRIAD_FACTORED)

/* Lines along y and z, of many points: more elements a thread save an exchange, or leave room on a multiprocessor
 * for a second block, which is on its way to memory while the first transforms. The x pass, whose threads hold
 * several fields, has no registers for them. */
template <int N> struct strided : factored<N> {
};
#define TRIAD_STRIDED(n, e, first, a, last) \
  template <> struct strided<n> { \
    enum { E = e, G = n / e, FIRST = first, A = a, B = 1, C = 1, LAST = last }; \
  };
#ifndef TRIAD_COMPILED_LENGTHS
#ifdef TRIAD_SINGLE
TRIAD_STRIDED(512, 16, 16, 2, 16)
TRIAD_STRIDED(768, 16, 16, 3, 16)
#else
TRIAD_STRIDED(640, 16, 16, 5, 8)
TRIAD_STRIDED(768, 24, 12, 8, 8)
#endif
TRIAD_STRIDED(1024, 16, 16, 4, 16)
TRIAD_STRIDED(1536, 16, 16, 6, 16)
TRIAD_STRIDED(2048, 16, 16, 8, 16)
#endif

/* Elements m that can hold a kept k >= 0, and a k < 0: at most a third of the wavenumbers is kept, |k| < N/3; where
 * lines are WIDE, for phase shifts, |k| < N/2. Kernels for grid.truncation = "none" are compiled with
 * TRIAD_KEEP_ALL. */
#ifdef TRIAD_KEEP_ALL
enum { keeps_all = 1 };
#else
enum { keeps_all = 0 };
#endif
template <class F, bool WIDE = false> __device__ __forceinline__ constexpr bool low(int m)
{
  return keeps_all || (WIDE ? 2 * m < F::E : 3 * m <= F::E);
}
template <class F, bool WIDE = false> __device__ __forceinline__ constexpr bool high(int m)
{
  return keeps_all || (WIDE ? 2 * (m + 1) > F::E : 3 * (m + 1) >= 2 * F::E);
}

template <int S, int N, int LANES, class F = factored<N>>
__device__ __forceinline__ void transform_line(dcplx *v, dcplx *s, int t, int lane, const dcplx *table)
{
  constexpr int FIRSTS = F::E / F::FIRST, LASTS = F::E / F::LAST, A = F::FIRST * F::A;
#pragma unroll
  for (int q = 0; q < FIRSTS; q++) {
    dcplx w[F::FIRST];
#pragma unroll
    for (int m = 0; m < F::FIRST; m++) w[m] = v[q + m * FIRSTS];
    small<S, F::FIRST>::run(w);
#pragma unroll
    for (int m = 0; m < F::FIRST; m++) s[((t + q * F::G) * F::FIRST + m) * LANES + lane] = w[m];
  }
  __syncthreads();
  if constexpr (F::A > 1) middle<S, N, F::G, LANES, F::A, F::FIRST>(s, t, lane, table);
  if constexpr (F::B > 1) middle<S, N, F::G, LANES, F::B, A>(s, t, lane, table);
  if constexpr (F::C > 1) middle<S, N, F::G, LANES, F::C, A * F::B>(s, t, lane, table);
#pragma unroll
  for (int m = 0; m < F::E; m++) v[m] = s[(t + m * F::G) * LANES + lane];
  __syncthreads();
#pragma unroll
  for (int q = 0; q < LASTS; q++) {
    dcplx w[F::LAST];
#pragma unroll
    for (int m = 0; m < F::LAST; m++) w[m] = v[q + m * LASTS];
    twiddle<S, F::LAST>(w, table, t + q * F::G);
    small<S, F::LAST>::run(w);
#pragma unroll
    for (int m = 0; m < F::LAST; m++) v[q + m * LASTS] = w[m];
  }
}

/* So many lanes, or a half, a quarter .. of them if a block has no shared memory for them all. */
static __device__ constexpr int lanes_that_fit(int lanes, int bytes_each)
{
  return lanes > 1 && lanes * bytes_each > shared_most ? lanes_that_fit(lanes / 2, bytes_each) : lanes;
}

/* Lanes of a block along y and z: enough threads to hide latency, few enough for shared memory and the register file;
 * 128 bytes of lanes if lines are so long that their elements are in many pages (except 640 in single precision, whose
 * eight elements per thread need two blocks). */
template <int N> struct lanes_of {
  enum {
    twice = N >= 512 && sizeof(triad_real) == 4 ? 2 : 1, /* single precision: lanes of half the bytes */
    value = lanes_that_fit(N <= 64 ? 16 : (N > 1024 ? 4 : 8) * (N == 640 ? 1 : twice), N *(int)sizeof(dcplx))
  };
};
/* Threads that must share a multiprocessor, in blocks: as many as its registers are enough for, by those of a
 * thread's elements and 32 more; 1024 at most, or 1280 where blocks have 640. */
template <int N> struct room_of {
  enum {
    words = 2 * (int)strided<N>::E * (int)(sizeof(triad_real) / 4) + 32,
    fit = 65536 / words,
    most = (int)strided<N>::G * (int)lanes_of<N>::value == 640 ? 1280 : 1024,
    value = fit < most ? fit : most
  };
};
template <int N, int LANES> struct blocks_of {
  enum { threads = strided<N>::G * LANES, room = room_of<N>::value, value = threads >= room ? 1 : room / threads };
};
/* Chains of lines along y: shared memory holds a line, and once more what of it can be kept. Lanes: as many as leave
 * room on a multiprocessor for as many blocks as a line by itself has there, or for one; else half of them. Threads
 * of more than 64 registers need more of these than a second block leaves: there one is enough. */
template <int N, bool WIDE> struct chains_of {
  typedef strided<N> F;
  static __device__ constexpr int kept()
  {
    int n = 0;
    for (int m = 0; m < F::E; m++) n += low<F, WIDE>(m) || high<F, WIDE>(m);
    return n;
  }
  enum {
    L = lanes_of<N>::value,
    each = (N + kept() * (int)F::G) * (int)sizeof(dcplx), /* [bytes] a lane */
    room = shared_room,
    wanted = (int)F::E * (int)sizeof(triad_real) > 64 || (int)blocks_of<N, L>::value < 2 ? 1 : 2,
    lanes = lanes_that_fit(L * each * wanted <= room || L == 1 ? L : L / 2, each),
    fit = room / (lanes * each),
    most = blocks_of<N, lanes>::value,
    blocks = fit < 1      ? 1
             : fit < most ? fit
                          : most,
    shared = lanes * each
  };
};
template <int N> struct row_pairs_of {
  enum { value = N <= 64 ? 16 : N <= 256 ? 8 : N <= 512 ? 4 : 2 };
};
/* Lines of a block of the fused x pass; 0: device_fused_lines.h chooses. */
template <int N> struct fused_lanes_of {
  enum { value = 0 };
};

/* Parameters of lengths compiled at run time, which the host provides (fft/gpu/gpu_compiled.c) as one list:
 *   TRIAD_LENGTH(factored, n, e, first, a, b, c, last)   for the x pass, or `strided` for lines along y and z
 *   TRIAD_LENGTH_LANES(lanes_of, n, lanes)               or row_pairs_of, fused_lanes_of; room_of, which are threads */
#define TRIAD_LENGTH(which, n, e, first, a, b, c, last) \
  template <> struct which<n> { \
    enum { E = e, G = n / e, FIRST = first, A = a, B = b, C = c, LAST = last }; \
  };
#define TRIAD_LENGTH_LANES(which, n, lanes) \
  template <> struct which<n> { \
    enum { value = lanes }; \
  };
#ifdef TRIAD_COMPILED_LENGTHS
TRIAD_COMPILED_LENGTHS
#endif

#endif
