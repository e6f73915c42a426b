/* Transforms of R points over the lanes of vector registers: one line per lane, real and imaginary parts in separate
 * registers, so that a factor is the same for all lanes and a multiplication by i renames registers. Forward, exp(-2 pi
 * i j k/R), not scaled; in place, in natural order. Vectors of AVX-512 or AVX2 are written in the vector extension of
 * the compilers, without intrinsics. TRIAD_LANE_LINES is undefined if the target lacks them or the compiler lacks the
 * extension. For lane_lines.c and lane_rows.c only. */
#ifndef TRIAD_FFT_LINES_LANE_RADICES_H
#define TRIAD_FFT_LINES_LANE_RADICES_H

#include "base/precision.h"

#if defined(__AVX2__) && defined(__FMA__) && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define TRIAD_LANE_LINES
#endif
#endif

#ifdef TRIAD_LANE_LINES

#ifdef __AVX512F__
enum { LANE_BYTES = 64 };
#else
enum { LANE_BYTES = 32 };
#endif

/* All that a register holds; or, for neighbours in one line, 8 of either precision, which transpose alike. */
#if defined(LANES_OF_ROWS) && defined(__AVX512F__)
enum { LANES = 8 };
#else
enum { LANES = LANE_BYTES / (int)sizeof(triad_real) };
#endif

#define LANE_INLINE static inline __attribute__((always_inline))
#define LANE_UNROLL _Pragma("GCC unroll 16")

typedef triad_real lane_vector
  __attribute__((vector_size(LANES * sizeof(triad_real)), aligned(sizeof(triad_real)), may_alias));

typedef struct lane_row {
  lane_vector re, im;
} lane_row;

LANE_INLINE lane_row lane_sum(lane_row a, lane_row b) { return (lane_row){a.re + b.re, a.im + b.im}; }
LANE_INLINE lane_row lane_difference(lane_row a, lane_row b) { return (lane_row){a.re - b.re, a.im - b.im}; }
LANE_INLINE lane_row lane_times(lane_row a, triad_real re, triad_real im)
{
  return (lane_row){a.re * re - a.im * im, a.im * re + a.re * im};
}
LANE_INLINE lane_row lane_minus_i(lane_row a) { return (lane_row){a.im, -a.re}; }

LANE_INLINE void lane_two(lane_row *v)
{
  lane_row a = v[0], b = v[1];
  v[0] = lane_sum(a, b);
  v[1] = lane_difference(a, b);
}

LANE_INLINE void lane_four(lane_row *v)
{
  lane_row a = lane_sum(v[0], v[2]), b = lane_difference(v[0], v[2]);
  lane_row c = lane_sum(v[1], v[3]), d = lane_difference(v[1], v[3]);
  v[0] = lane_sum(a, c);
  v[2] = lane_difference(a, c);
  v[1] = (lane_row){b.re + d.im, b.im - d.re};
  v[3] = (lane_row){b.re - d.im, b.im + d.re};
}

LANE_INLINE void lane_eight(lane_row *v)
{
  const triad_real h = (triad_real)0.70710678118654752440;
  lane_row e[4] = {v[0], v[2], v[4], v[6]}, o[4] = {v[1], v[3], v[5], v[7]};
  lane_four(e);
  lane_four(o);
  o[1] = (lane_row){h * (o[1].re + o[1].im), h * (o[1].im - o[1].re)};
  o[3] = (lane_row){h * (o[3].im - o[3].re), -h * (o[3].re + o[3].im)};
  o[2] = lane_minus_i(o[2]);
  LANE_UNROLL for (int i = 0; i < 4; i++)
  {
    v[i] = lane_sum(e[i], o[i]);
    v[i + 4] = lane_difference(e[i], o[i]);
  }
}

LANE_INLINE void lane_sixteen(lane_row *v)
{
  const triad_real h = (triad_real)0.70710678118654752440, c = (triad_real)0.92387953251128675613,
                   s = (triad_real)0.38268343236508977173;
  /* exp(-2 pi i j k/16) */
  const triad_real re[10] = {1, c, h, s, 0, -s, -h, -c, -1, -c}, im[10] = {0, -s, -h, -c, -1, -c, -h, -s, 0, s};
  lane_row t[4][4];
  LANE_UNROLL for (int j = 0; j < 4; j++)
  {
    LANE_UNROLL for (int i = 0; i < 4; i++) t[j][i] = v[j + 4 * i];
    lane_four(t[j]);
  }
  LANE_UNROLL for (int j = 1; j < 4; j++) LANE_UNROLL for (int k = 1; k < 4; k++)
  {
    if (j * k == 4) t[j][k] = lane_minus_i(t[j][k]);
    else t[j][k] = lane_times(t[j][k], re[j * k], im[j * k]);
  }
  LANE_UNROLL for (int k = 0; k < 4; k++)
  {
    lane_row r[4] = {t[0][k], t[1][k], t[2][k], t[3][k]};
    lane_four(r);
    LANE_UNROLL for (int i = 0; i < 4; i++) v[k + 4 * i] = r[i];
  }
}

/* An odd prime R: pairs v_j +- v_{R-j}; cosine[j], sine[j] of 2 pi j/R. */
LANE_INLINE void lane_odd(lane_row *v, const int R, const triad_real *cosine, const triad_real *sine)
{
  lane_row zero = v[0], p[8], m[8];
  LANE_UNROLL for (int j = 1; 2 * j < R; j++)
  {
    p[j] = lane_sum(v[j], v[R - j]);
    m[j] = lane_difference(v[j], v[R - j]);
    v[0] = lane_sum(v[0], p[j]);
  }
  LANE_UNROLL for (int k = 1; 2 * k < R; k++)
  {
    lane_row even = zero, odd = {{0}, {0}};
    LANE_UNROLL for (int j = 1; 2 * j < R; j++)
    {
      const triad_real c = cosine[j * k % R], s = sine[j * k % R];
      even = (lane_row){even.re + c * p[j].re, even.im + c * p[j].im};
      odd = j == 1 ? (lane_row){s * m[j].re, s * m[j].im} : (lane_row){odd.re + s * m[j].re, odd.im + s * m[j].im};
    }
    v[k] = (lane_row){even.re + odd.im, even.im - odd.re};
    v[R - k] = (lane_row){even.re - odd.im, even.im + odd.re};
  }
}

LANE_INLINE void lane_three(lane_row *v)
{
  const triad_real h = (triad_real)0.86602540378443864676;
  lane_row sum = lane_sum(v[1], v[2]), turn = lane_difference(v[1], v[2]);
  lane_row mid = {v[0].re - (triad_real)0.5 * sum.re, v[0].im - (triad_real)0.5 * sum.im};
  v[0] = lane_sum(v[0], sum);
  v[1] = (lane_row){mid.re + h * turn.im, mid.im - h * turn.re};
  v[2] = (lane_row){mid.re - h * turn.im, mid.im + h * turn.re};
}

LANE_INLINE void lane_five(lane_row *v)
{
  const triad_real c1 = (triad_real)0.30901699437494742410, c2 = (triad_real)-0.80901699437494742410;
  const triad_real s1 = (triad_real)0.95105651629515357212, s2 = (triad_real)0.58778525229247312917;
  const triad_real cosine[5] = {1, c1, c2, c2, c1}, sine[5] = {0, s1, s2, -s2, -s1};
  lane_odd(v, 5, cosine, sine);
}

LANE_INLINE void lane_seven(lane_row *v)
{
  const triad_real c1 = (triad_real)0.62348980185873353053, c2 = (triad_real)-0.22252093395631440429,
                   c3 = (triad_real)-0.90096886790241912624, s1 = (triad_real)0.78183148246802980871,
                   s2 = (triad_real)0.97492791218182360702, s3 = (triad_real)0.43388373911755812048;
  const triad_real cosine[7] = {1, c1, c2, c3, c3, c2, c1}, sine[7] = {0, s1, s2, s3, -s3, -s2, -s1};
  lane_odd(v, 7, cosine, sine);
}

/* The k with k = i mod A and k = j mod B. */
LANE_INLINE int lane_place(int a, int b, int i, int j)
{
  int k = j;
  LANE_UNROLL for (int tries = 0; tries < a; tries++) if (k % a != i) k += b;
  return k;
}
/* R = A B without a common factor (Good 1958): no factors between the two. */
#define LANE_COPRIME(name, A, B, of_a, of_b) \
  LANE_INLINE void name(lane_row *v) \
  { \
    enum { R = (A) * (B) }; \
    lane_row t[A][B]; \
    LANE_UNROLL for (int i = 0; i < (A); i++) \
    { \
      LANE_UNROLL for (int j = 0; j < (B); j++) t[i][j] = v[((B)*i + (A)*j) % R]; \
      of_b(t[i]); \
    } \
    LANE_UNROLL for (int j = 0; j < (B); j++) \
    { \
      lane_row r[A]; \
      LANE_UNROLL for (int i = 0; i < (A); i++) r[i] = t[i][j]; \
      of_a(r); \
      LANE_UNROLL for (int i = 0; i < (A); i++) v[lane_place(A, B, i, j)] = r[i]; \
    } \
  }

LANE_COPRIME(lane_six, 3, 2, lane_three, lane_two)
LANE_COPRIME(lane_ten, 5, 2, lane_five, lane_two)
LANE_COPRIME(lane_twelve, 3, 4, lane_three, lane_four)
LANE_COPRIME(lane_fifteen, 5, 3, lane_five, lane_three)

LANE_INLINE void lane_nine(lane_row *v)
{
  const triad_real c1 = (triad_real)0.76604444311897803520, s1 = (triad_real)-0.64278760968653932632;
  const triad_real c2 = (triad_real)0.17364817766693034885, s2 = (triad_real)-0.98480775301220805937;
  const triad_real c4 = (triad_real)-0.93969262078590838405, s4 = (triad_real)-0.34202014332566873304;
  lane_row t[3][3];
  LANE_UNROLL for (int j = 0; j < 3; j++)
  {
    LANE_UNROLL for (int i = 0; i < 3; i++) t[j][i] = v[j + 3 * i];
    lane_three(t[j]);
  }
  t[1][1] = lane_times(t[1][1], c1, s1);
  t[1][2] = lane_times(t[1][2], c2, s2);
  t[2][1] = lane_times(t[2][1], c2, s2);
  t[2][2] = lane_times(t[2][2], c4, s4);
  LANE_UNROLL for (int k = 0; k < 3; k++)
  {
    lane_row r[3] = {t[0][k], t[1][k], t[2][k]};
    lane_three(r);
    LANE_UNROLL for (int i = 0; i < 3; i++) v[k + 3 * i] = r[i];
  }
}

#endif
#endif
