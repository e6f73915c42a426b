/* Exponentials of small complex matrices, against closed formulas.
 * quick: 1 */
#include "test.h"

#include "solvers/spectral/plain/exponential.h"

#include <complex.h>

enum { MOST = TRIAD_EXPONENTIAL * TRIAD_EXPONENTIAL };

static void check(int n, const double complex *a, double tau, const double complex *want, double tolerance,
                  const char *what)
{
  double from[2 * MOST], out[2 * MOST];
  for (int i = 0; i < n * n; i++) {
    from[2 * i] = creal(a[i]);
    from[2 * i + 1] = cimag(a[i]);
  }
  triad_exponential(n, from, tau, out);
  for (int i = 0; i < n * n; i++) {
    TRIAD_WITHIN(out[2 * i], creal(want[i]), tolerance, what);
    TRIAD_WITHIN(out[2 * i + 1], cimag(want[i]), tolerance, what);
  }
}

TRIAD_TEST(rotations_and_defective_matrices_are_exact)
{
  const double c = cos(0.7), s = sin(0.7), e = exp(-0.35);
  check(1, (double complex[]){2 * I}, 0.35, (double complex[]){c + s * I}, 1e-15, "exp(i a)");
  check(2, (double complex[]){0, 2, -2, 0}, 0.35, (double complex[]){c, s, -s, c}, 1e-15, "a rotation");
  check(2, (double complex[]){-1, 3, 0, -1}, 0.35, (double complex[]){e, 0.35 * 3 * e, 0, e}, 1e-15, "a Jordan block");
  /* the same beside a third field, which takes the other way */
  check(3, (double complex[]){0, 2, 0, -2, 0, 0, 0, 0, -1}, 0.35, (double complex[]){c, s, 0, -s, c, 0, 0, 0, e}, 1e-14,
        "a rotation and a decay");
  check(3, (double complex[]){-1, 3, 0, 0, -1, 3, 0, 0, -1}, 0.35,
        (double complex[]){e, 1.05 * e, 1.05 * 1.05 / 2 * e, 0, e, 1.05 * e, 0, 0, e}, 1e-14, "a block of three");
}

TRIAD_TEST(long_times_neither_overflow_nor_lose_digits)
{
  /* eigenvalues -1 and -1001: A = V diag V^-1 with V = (1 1; 0 1) */
  const double slow = exp(-1.0);
  check(2, (double complex[]){-1, -1000, 0, -1001}, 1, (double complex[]){slow, -slow, 0, 0}, 1e-14,
        "decay and fast decay");
  check(3, (double complex[]){0, 300, 0, -300, 0, 0, 0, 0, 0}, 1,
        (double complex[]){cos(300), sin(300), 0, -sin(300), cos(300), 0, 0, 0, 1}, 1e-11, "many turns");
  /* 2^14 squarings of roundings: 4e-12 */
  check(3, (double complex[]){0, 1, 0, -1, 0, 0, 0, 0, -5000}, 1,
        (double complex[]){cos(1), sin(1), 0, -sin(1), cos(1), 0, 0, 0, 0}, 1e-11, "a turn, and a far faster decay");
}

TRIAD_TEST(twice_half_the_time_is_the_time)
{
  for (int n = 1; n <= TRIAD_EXPONENTIAL; n++) {
    double a[2 * MOST], half[2 * MOST], whole[2 * MOST];
    for (int i = 0; i < 2 * n * n; i++) a[i] = triad_test_random(3, (uint64_t)(100 * n + i));
    triad_exponential(n, a, 0.8, half);
    triad_exponential(n, a, 1.6, whole);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double complex sum = 0;
        for (int k = 0; k < n; k++)
          sum += (half[2 * (i * n + k)] + I * half[2 * (i * n + k) + 1]) *
                 (half[2 * (k * n + j)] + I * half[2 * (k * n + j) + 1]);
        const double size = exp(1.6 * 2 * n);
        TRIAD_WITHIN(whole[2 * (i * n + j)], creal(sum), 1e-14 * size, "exp(2 A) = exp(A) exp(A)");
        TRIAD_WITHIN(whole[2 * (i * n + j) + 1], cimag(sum), 1e-14 * size, "the same");
      }
  }
}

TRIAD_MAIN
