/* What tests of the arithmetic of one point and one mode share: random numbers, and vectors of complex numbers in
 * extended precision, so that what is expected has no rounding of its own.
 *
 * Tolerances: a result of n roundings of terms whose sizes sum to `scale` is off by at most n epsilon scale. */
#ifndef TRIAD_TESTS_UNIT_MODES_H
#define TRIAD_TESTS_UNIT_MODES_H

#include "test.h"

#include "solvers/spectral/equations/mode_points.h"

#include <complex.h>
#include <float.h>

#undef I /* cmocka's and ours are other things */
#define TEST_I _Complex_I

enum { TEST_DRAWS = 200 };

typedef long double complex test_complex;

typedef struct test_vector {
  test_complex x[3];
} test_vector;

static inline test_complex test_value(triad_cplx a) { return (long double)a.re + TEST_I * (long double)a.im; }

static inline test_vector test_vector_of(const triad_cplx a[3])
{
  return (test_vector){{test_value(a[0]), test_value(a[1]), test_value(a[2])}};
}

static inline test_vector test_vector_real(const long double a[3]) { return (test_vector){{a[0], a[1], a[2]}}; }

/* a x b, a.b (no conjugate), s a, a + b, sum |a_i|. */
static inline test_vector test_cross(test_vector a, test_vector b)
{
  return (test_vector){
    {a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2], a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}
static inline test_complex test_inner(test_vector a, test_vector b)
{
  return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}
static inline test_vector test_scaled(test_complex s, test_vector a)
{
  return (test_vector){{s * a.x[0], s * a.x[1], s * a.x[2]}};
}
static inline test_vector test_added(test_vector a, test_vector b)
{
  return (test_vector){{a.x[0] + b.x[0], a.x[1] + b.x[1], a.x[2] + b.x[2]}};
}
static inline long double test_size(test_vector a) { return cabsl(a.x[0]) + cabsl(a.x[1]) + cabsl(a.x[2]); }

/* Re conj(a).b. */
static inline long double test_real_inner(test_vector a, test_vector b)
{
  test_vector c = {{conjl(a.x[0]), conjl(a.x[1]), conjl(a.x[2])}};
  return creall(test_inner(c, b));
}

/* ---- one random mode ---- */

typedef struct test_mode {
  triad_real k[3], inverse_k2; /* as rates take them    */
  double wide[3];              /* the same, as sums do  */
  triad_wave_numbers both;     /* the same, of derivatives and by size */
  test_vector wave;            /* the same again        */
  long double k2;
  triad_cplx u[8], t[16];
} test_mode;

static inline void test_random_numbers(uint64_t stream, uint64_t i, int n, triad_cplx *to)
{
  for (int f = 0; f < n; f++) {
    to[f].re = (triad_real)triad_test_random(stream, 100 * i + 2 * (uint64_t)f);
    to[f].im = (triad_real)triad_test_random(stream, 100 * i + 2 * (uint64_t)f + 1);
  }
}

/* Draw i: k = 0 now and then, components that are 0 more often. */
static inline test_mode test_mode_draw(uint64_t i)
{
  test_mode m = {.k2 = 0};
  for (int c = 0; c < 3; c++) {
    int none = i % 10 == 0 || triad_test_below(1, 3 * i + (uint64_t)c, 4) == 0;
    m.k[c] = none ? 0 : (triad_real)(20 * triad_test_random(2, 3 * i + (uint64_t)c));
    m.wide[c] = m.both.derivative[c] = m.both.size[c] = (double)m.k[c];
    m.wave.x[c] = (long double)m.k[c];
    m.k2 += (long double)m.k[c] * (long double)m.k[c];
  }
  m.inverse_k2 = m.k2 > 0 ? (triad_real)(1 / m.k2) : 0;
  test_random_numbers(3, i, 8, m.u);
  test_random_numbers(4, i, 16, m.t);
  return m;
}

/* i k x a. */
static inline test_vector test_curl_of(const test_mode *m, test_vector a)
{
  return test_scaled(TEST_I, test_cross(m->wave, a));
}

/* What is left of an acceleration when its gradient part is taken away: -k x (k x a)/k^2. */
static inline test_vector test_solenoidal(const test_mode *m, test_vector a)
{
  return m->k2 > 0 ? test_scaled(-1 / m->k2, test_cross(m->wave, test_cross(m->wave, a))) : a;
}

/* -i k_j T_ij of a symmetric tensor with zz = 0, of which i k_x T_ix + i k_y T_iy are given for i = x and y, and xz
 * and yz. */
static inline test_vector test_advection_of(const test_mode *m, const triad_cplx t[4])
{
  const test_complex xz = test_value(t[2]), yz = test_value(t[3]);
  const test_complex along[3] = {test_value(t[0]), test_value(t[1]), TEST_I * (m->wave.x[0] * xz + m->wave.x[1] * yz)};
  return (test_vector){{-along[0] - TEST_I * m->wave.x[2] * xz, -along[1] - TEST_I * m->wave.x[2] * yz, -along[2]}};
}

/* -i k.f of a vector of which i k_x f_x + i k_y f_y and f_z are given. */
static inline test_complex test_divergence_of(const test_mode *m, const triad_cplx f[2])
{
  return -test_value(f[0]) - TEST_I * m->wave.x[2] * test_value(f[1]);
}

static inline void test_near_complex(triad_cplx value, test_complex expected, double tolerance, const char *what)
{
  TRIAD_WITHIN(value.re, (double)creall(expected), tolerance, what);
  TRIAD_WITHIN(value.im, (double)cimagl(expected), tolerance, what);
}

/* The rates of a velocity, and the largest that its terms come to, are off by some 30 roundings of numbers in the
 * fields' precision: 5 of advection, 4 of rotation, 10 of the projection, which may triple a size. */
static inline double test_rate_tolerance(long double scale)
{
  return (double)(32 * (long double)TRIAD_EPSILON * scale);
}

/* Sums are in double: at most some 30 roundings. */
static inline double test_sum_tolerance(long double scale) { return (double)(32 * (long double)DBL_EPSILON * scale); }

#endif
