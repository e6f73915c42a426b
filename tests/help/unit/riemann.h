/* The exact solution of a Riemann problem of the ideal gas (Toro 2009, Riemann Solvers and Numerical Methods for Fluid
 * Dynamics, chapter 4). */
#ifndef TRIAD_TESTS_UNIT_RIEMANN_H
#define TRIAD_TESTS_UNIT_RIEMANN_H

#include <math.h>

typedef struct test_side {
  double rho, u, p;
} test_side;

typedef struct test_riemann {
  double gamma, p, u, t; /* pressure and velocity between the waves; a time for whoever wants it */
  test_side left, right;
} test_riemann;

/* The change of velocity across a wave from a side's state to pressure p (eq. 4.6, 4.7). */
static inline double test_riemann_jump(double g, test_side s, double p)
{
  double c = sqrt(g * s.p / s.rho);
  if (p > s.p) return (p - s.p) * sqrt(2 / ((g + 1) * s.rho) / (p + (g - 1) / (g + 1) * s.p));
  return 2 * c / (g - 1) * (pow(p / s.p, (g - 1) / (2 * g)) - 1);
}

static inline test_riemann test_riemann_solve(double g, test_side left, test_side right)
{
  double low = 1e-12, high = 1e3; /* the sum of jumps grows with p: halve the interval until nothing is left of it */
  for (int i = 0; i < 200; i++) {
    double p = (low + high) / 2;
    if (test_riemann_jump(g, left, p) + test_riemann_jump(g, right, p) + right.u - left.u > 0) high = p;
    else low = p;
  }
  test_riemann r = {g, low, 0, 0, left, right};
  r.u = (left.u + right.u + test_riemann_jump(g, right, low) - test_riemann_jump(g, left, low)) / 2;
  return r;
}

/* The density at x/t = xi on the left of the contact; the right is the same seen in a mirror. */
static inline double test_riemann_left(const test_riemann *r, test_side s, double u, double xi)
{
  double g = r->gamma, c = sqrt(g * s.p / s.rho), ratio = r->p / s.p, q = (g - 1) / (g + 1);
  if (ratio > 1) {
    double speed = s.u - c * sqrt((g + 1) / (2 * g) * ratio + (g - 1) / (2 * g));
    return xi < speed ? s.rho : s.rho * (ratio + q) / (q * ratio + 1);
  }
  double behind = c * pow(ratio, (g - 1) / (2 * g));
  if (xi < s.u - c) return s.rho;
  if (xi > u - behind) return s.rho * pow(ratio, 1 / g);
  return s.rho * pow(2 / (g + 1) + q / c * (s.u - xi), 2 / (g - 1));
}

static inline double test_riemann_density(const test_riemann *r, double xi)
{
  if (xi < r->u) return test_riemann_left(r, r->left, r->u, xi);
  test_side mirrored = {r->right.rho, -r->right.u, r->right.p};
  return test_riemann_left(r, mirrored, -r->u, -xi);
}

#endif
