/* Kernels of lines whose lengths are not built in (fft/gpu_compiled.h), on the host (tests/unit/fake): every length from 16 to
 * 512 with no prime factor above 13 against the sum that defines its transform.   timeout: 120 */
#include "test.h"

#include "fft/radices.h"

#include <complex.h>
#include <math.h>

enum { MOST = 512, LANES = 64, PITCH = 256, ROWS = 128 };

int test_strided(int n, int sign, const triad_cplx *in, triad_cplx *out, const triad_cplx *table);
int test_fused(int n, const triad_cplx *in, triad_real *points, triad_cplx *out, int kx_most, int64_t pitch, const triad_cplx *table);

static triad_cplx table[MOST];

static double turn(int a, int n) { return 6.283185307179586476925286766559 * (a % n) / n; }

static void fill_table(int n)
{
  for (int j = 0; j < n; j++) table[j] = (triad_cplx){cos(turn(j, n)), -sin(turn(j, n))};
}

/* Numbers between -1 and 1, of no pattern that a length could share. */
static double number(int i) { return 2 * fmod(0.754877666246693 * i * (1 + 1e-3 * i), 1) - 1; }

/* Rounding of log2 n passes on sums of n numbers below 1, of root mean square sqrt(2 n/3): eight errors a pass are enough for
 * the largest of all. */
static double allowed(int n) { return 8 * DBL_EPSILON * log2(n) * sqrt(n); }

static double off(triad_cplx a, double complex b) { return hypot(a.re - creal(b), a.im - cimag(b)); }

/* The first and the last lane of a block; the others are their neighbours. */
static double strided_error(int n, int sign)
{
  static triad_cplx in[MOST * LANES], out[MOST * LANES];
  double worst = 0;
  for (int i = 0; i < MOST * LANES; i++) in[i] = (triad_cplx){number(2 * i), number(2 * i + 1)};
  const int lanes = test_strided(n, sign, in, out, table);
  for (int lane = 0; lane < lanes; lane += lanes > 1 ? lanes - 1 : 1)
    for (int k = 0; k < n; k++) {
      double complex sum = 0;
      for (int j = 0; j < n; j++) {
        const triad_cplx w = table[(int64_t)j * k % n], u = in[j * lanes + lane];
        sum += (u.re + I * u.im) * (w.re - I * (sign * w.im));
      }
      worst = fmax(worst, off(out[k * lanes + lane], sum));
    }
  return lanes > 0 ? worst : INFINITY;
}

TRIAD_TEST(lines_along_y_and_z_are_the_sums_that_define_them)
{
  for (int n = TRIAD_RADICES_LEAST; n <= MOST; n++) {
    if (!triad_radices_serve(n, 0)) continue;
    fill_table(n);
    for (int sign = -1; sign <= 1; sign += 2)
      TRIAD_HOLDS(strided_error(n, sign) <= allowed(n), "%d points, sign %d: off by %g", n, sign, strided_error(n, sign));
  }
}

/* x(i) = sum over |k| <= K of X(k) exp(2 pi i k i/n), X(-k) = conj X(k). */
static double point_of(const triad_cplx *modes, int k_most, int i, int n)
{
  double sum = modes[0].re;
  for (int k = 1; k <= k_most; k++) {
    const triad_cplx w = table[(int64_t)i * k % n];
    sum += 2 * (modes[k].re * w.re + modes[k].im * w.im);
  }
  return sum;
}

/* Points of the first and the last row against sums; and what comes back is n times what went. */
static double fused_error(int n, int k_most)
{
  static triad_cplx in[ROWS * PITCH], out[ROWS * PITCH];
  static triad_real points[ROWS * MOST];
  double worst = 0;
  for (int i = 0; i < ROWS * PITCH; i++) in[i] = (triad_cplx){number(2 * i), i % PITCH ? number(2 * i + 1) : 0};
  const int rows = test_fused(n, in, points, out, k_most, PITCH, table);
  for (int row = 0; row < rows; row += rows > 1 ? rows - 1 : 1)
    for (int i = 0; i < n; i++) worst = fmax(worst, fabs(points[row * n + i] - point_of(in + row * PITCH, k_most, i, n)));
  for (int row = 0; row < rows; row++)
    for (int k = 0; k <= k_most; k++) {
      const triad_cplx u = in[row * PITCH + k];
      worst = fmax(worst, off(out[row * PITCH + k], n * (u.re + I * u.im)) / sqrt(n));
    }
  return rows > 0 ? worst : INFINITY;
}

TRIAD_TEST(rows_of_the_fused_pass_are_the_sums_that_define_them_and_come_back)
{
  for (int n = TRIAD_RADICES_LEAST; n <= MOST; n++) {
    if (!triad_radices_serve(n, 1)) continue;
    fill_table(n);
    TRIAD_HOLDS(fused_error(n, (n - 1) / 3) <= 2 * allowed(n), "%d points: off by %g", n, fused_error(n, (n - 1) / 3));
  }
}

/* With phase shifts sqrt(2)/3 n modes are kept. */
TRIAD_TEST(rows_that_keep_more_than_a_third_are_the_sums_that_define_them)
{
  for (int n = 20; n <= MOST; n += 20) {
    const int most = (int)(sqrt(2) / 3 * n);
    if (!triad_radices_serve(n, 1)) continue;
    fill_table(n);
    TRIAD_HOLDS(fused_error(n, most) <= 2 * allowed(n), "%d points: off by %g", n, fused_error(n, most));
  }
}

static int smooth(int n, int most)
{
  for (int p = 2; p <= most; p++)
    while (n % p == 0) n /= p;
  return n == 1;
}

/* Every length of the factors 2, 3, 5, 7 to 4096 has kernels, along x too where rows can be halved; primes have none. */
TRIAD_TEST(every_smooth_length_has_radices_that_make_it)
{
  for (int n = TRIAD_RADICES_LEAST; n <= TRIAD_RADICES_MOST; n++) {
    triad_radices r;
    const int even = n % 2 == 0, whole = triad_radices_serve(n, 0);
    if (smooth(n, 7)) TRIAD_HOLDS(triad_radices_serve(n, even), "%d points have no kernels", n);
    if (!smooth(n, 13)) TRIAD_HOLDS(!whole, "%d points have kernels", n);
    if (!triad_radices_serve(n, 0) || !triad_radices_strided(n, &r)) continue;
    const int product = r.first * r.middle[0] * r.middle[1] * r.middle[2] * r.last, rest = n % r.each + r.each % r.first + r.each % r.last;
    TRIAD_HOLDS(product == n && rest == 0,
                "%d points are not %d %d %d %d %d of %d a thread", n, r.first, r.middle[0], r.middle[1], r.middle[2], r.last, r.each);
    TRIAD_HOLDS(n / r.each * r.lanes <= 1024 && (int64_t)n * r.lanes * 16 <= TRIAD_RADICES_SHARED, "%d points: a block of %d lines",
                n, r.lanes);
  }
}

TRIAD_MAIN
