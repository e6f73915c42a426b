/* Eigenvalues of small complex matrices, against closed formulas; and those that cannot be found say so.
 * quick: 1 */
#include "test.h"

#include "solvers/spectral/text/compile/linear.h"

#include <complex.h>

enum { N = TRIAD_TEXT_FIELDS };

TRIAD_TEST(a_ring_has_the_roots_of_one)
{
  double complex a[N * N] = {0}, lambda[N];
  for (int i = 0; i < N; i++) a[i * N + (i + 1) % N] = 1;
  TRIAD_EQUAL(triad_text_eigenvalues(N, a, lambda), 1, "were they found?");
  for (int k = 0; k < N; k++) {
    double nearest = INFINITY;
    for (int i = 0; i < N; i++) nearest = fmin(nearest, cabs(lambda[i] - cexp(2 * TRIAD_PI * I * k / N)));
    TRIAD_WITHIN(nearest, 0, 1e-12, "a root of one");
  }
}

/* Defective: all elements near those that are 0 to rounding are 0 to rounding too, so that these have to be compared
 * with the whole matrix. */
TRIAD_TEST(a_matrix_whose_eigenvalues_are_all_0_is_done)
{
  for (int n = 2; n <= 8; n++) {
    double complex a[N * N] = {0}, lambda[N];
    for (int i = 1; i < n; i++)
      for (int j = 0; j < i; j++) a[i * n + j] = 1 + triad_test_random(7, (uint64_t)(i * n + j)) * I;
    TRIAD_EQUAL(triad_text_eigenvalues(n, a, lambda), 1, "were they found?");
    for (int i = 0; i < n; i++) TRIAD_WITHIN(cabs(lambda[i]), 0, 1e-1, "an eigenvalue of 0");
  }
}

TRIAD_TEST(the_largest_numbers_do_not_overflow)
{
  double complex a[9] = {0, 1e250, 0, -1e250, 0, 0, 0, 0, -1e200}, lambda[N];
  double most = 0;
  TRIAD_EQUAL(triad_text_eigenvalues(3, a, lambda), 1, "were they found?");
  for (int i = 0; i < 3; i++) most = fmax(most, cimag(lambda[i]));
  TRIAD_WITHIN(most / 1e250, 1, 1e-14, "the frequency of a rotation");
}

TRIAD_TEST(what_is_not_finite_has_no_eigenvalues)
{
  double complex a[9] = {1, 2, 3, 4, NAN, 6, 7, 8, 9}, b[4] = {1, INFINITY, 2, 1}, lambda[N];
  TRIAD_EQUAL(triad_text_eigenvalues(3, a, lambda), 0, "were they found?");
  TRIAD_EQUAL(triad_text_eigenvalues(2, b, lambda), 0, "were they found?");
}

TRIAD_MAIN
