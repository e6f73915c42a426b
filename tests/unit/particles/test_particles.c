/* Weights of B-splines and lattices: what holds of them by theory. quick: 1 */
#include "test.h"
#include "solvers/particles/start.h"

#include "solvers/spectral/plain/groups.h"
#include "solvers/particles/spline_points.h"

int triad_start_lattice(int64_t count, const double length[3], int64_t n[3]);

/* beta_m by truncated powers, sum_j (-1)^j C(m, j) (x + m/2 - j)_+^(m-1)/(m-1)! (Schoenberg 1946): another formula. */
static double spline(int m, double x)
{
  double sum = 0, binomial = 1, factorial = 1;
  for (int i = 2; i < m; i++) factorial *= i;
  for (int j = 0; j <= m; j++) {
    double base = x + m / 2. - j;
    if (base > 0) sum += (j % 2 ? -1 : 1) * binomial * pow(base, m - 1);
    binomial *= (double)(m - j) / (j + 1);
  }
  return sum / factorial;
}

TRIAD_TEST(weights_are_the_splines_and_add_up_to_one)
{
  for (int m = 2; m <= TRIAD_SPLINE_MOST; m += 2)
    for (int s = 0; s < 37; s++) {
      double w[TRIAD_SPLINE_MOST], f = s / 37., sum = 0;
      triad_spline_weights(m, f, w);
      for (int i = 0; i < m; i++) {
        sum += w[i];
        /* powers up to 3^5 = 243 cancel in the formula */
        TRIAD_NEAR(1 + w[i], 1 + spline(m, f + m / 2 - 1 - i), 300 * DBL_EPSILON, "a weight");
        TRIAD_HOLDS(w[i] >= 0, "a weight of %g", w[i]);
      }
      TRIAD_NEAR(sum, 1, 8 * DBL_EPSILON, "their sum");
    }
}

/* m points give each power up to m - 1 as it is: sum_j w_j (x_j - f)^p = 0 but for p = 0. */
TRIAD_TEST(polynomials_come_out_as_they_are)
{
  for (int m = 2; m <= TRIAD_WEIGHTS_MOST; m += 2)
    for (int s = 0; s < 37; s++) {
      double w[TRIAD_WEIGHTS_MOST], f = s / 37.;
      triad_lagrange_weights(m, f, w);
      for (int p = 0; p < m; p++) {
        double sum = 0, size = 0;
        for (int j = 0; j < m; j++) {
          const double term = w[j] * pow(j - m / 2 + 1 - f, p);
          sum += term;
          size += fabs(term);
        }
        TRIAD_NEAR(1 + sum, p == 0 ? 2 : 1, (2 * m + p) * DBL_EPSILON * (1 + size), "a power");
      }
    }
}

/* Eight places at once are those places one by one, to what a compiler may contract. */
TRIAD_TEST(places_abreast_have_the_weights_of_single_ones)
{
  enum { LANES = 8 };
  double f[LANES], w[TRIAD_WEIGHTS_MOST * LANES], one[TRIAD_WEIGHTS_MOST];
  for (int l = 0; l < LANES; l++) f[l] = (double)(triad_test_bits(7, (uint64_t)l) >> 11) * 0x1p-53;
  for (int m = 2; m <= TRIAD_WEIGHTS_MOST; m += 2)
    for (int spline = 0; spline < 2; spline++) {
      if (spline) triad_spline_weights_of(LANES, m, f, w);
      else triad_lagrange_weights_of(LANES, m, f, w);
      for (int l = 0; l < LANES; l++) {
        if (spline) triad_spline_weights(m, f[l], one);
        else triad_lagrange_weights(m, f[l], one);
        for (int j = 0; j < m; j++) TRIAD_NEAR(1 + w[j * LANES + l], 1 + one[j], 40 * DBL_EPSILON, "a weight");
      }
    }
}

/* Averaged over places, sum_j beta(x - j) exp(i theta (j - x)) is the spline's Fourier transform at theta. */
TRIAD_TEST(transfer_is_what_the_weights_make_of_a_mode)
{
  enum { PLACES = 4096 }; /* the midpoint rule over a period, of a function whose harmonics fall as 1/l^m */
  for (int m = 4; m <= TRIAD_SPLINE_MOST; m += 2)
    for (int k = 0; k < 10; k++) {
      double theta = 0.3 * k, mean = 0, w[TRIAD_SPLINE_MOST];
      for (int s = 0; s < PLACES; s++) {
        double f = (s + 0.5) / PLACES;
        triad_spline_weights(m, f, w);
        for (int i = 0; i < m; i++) mean += w[i] * cos(theta * (i - m / 2 + 1 - f)) / PLACES;
      }
      TRIAD_NEAR(triad_spline_transfer(m, theta), mean, 1e-7, "the transfer"); /* 1/(24 PLACES^2) = 2.5e-9 a period */
    }
}

TRIAD_TEST(a_place_outside_is_the_one_inside)
{
  for (int turns = -3; turns <= 3; turns++)
    for (int s = 0; s < 50; s++) {
      double part, x = 0.131 * s;
      int64_t cell = triad_particle_cell(x + 8. * turns, 2, 16, &part);
      TRIAD_EQUAL(cell, (int64_t)floor(2 * fmod(x, 8)), "cell of a place");
      TRIAD_NEAR(1 + part, 1 + 2 * x - floor(2 * x), 1e-13, "its part of a cell");
    }
  double part;
  TRIAD_HOLDS(triad_particle_cell(-1e-300, 2, 16, &part) < 16 && part >= 0 && part <= 1, "just below 0");
}

TRIAD_TEST(lattices_are_evenly_spaced)
{
  const double cube[3] = {1, 1, 1}, flat[3] = {4, 2, 1};
  int64_t n[3];
  TRIAD_HOLDS(triad_start_lattice(27, cube, n) && n[0] == 3 && n[1] == 3 && n[2] == 3, "27 of a cube");
  TRIAD_HOLDS(!triad_start_lattice(28, cube, n), "28 make none");
  TRIAD_HOLDS(triad_start_lattice(64, flat, n) && n[0] == 8 && n[1] == 4 && n[2] == 2, "64 of a flat box");
}

TRIAD_MAIN
