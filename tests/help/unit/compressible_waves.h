/* Smooth flows in a box with exact solutions, and the solver's L2 error of the density on them. */
#ifndef TRIAD_TESTS_UNIT_WENO_WAVES_H
#define TRIAD_TESTS_UNIT_WENO_WAVES_H

#include "compressible.h"

static inline double carried_product(const double x[3], const void *what)
{
  double t = *(const double *)what, p = 1;
  for (int i = 0; i < 3; i++) p *= sin(6.283185307179586 * (x[i] - t));
  return 1 + 0.1 * p;
}

/* rho = 1 + 0.1 sin sin sin, carried along the diagonal of n^3 points until t = 1/4. */
static inline double test_product_error(int n)
{
  double end = 0.25;
  triad_compressible_setup s = test_gas_setup(n, n, n, 1, 1, 1);
  triad_compressible_start start = test_gas_start("entropy-wave");
  test_gas_published(&s);
  s.weights = TRIAD_WENO_JS;
  s.scheme = triad_scheme_find("rk4", TRIAD_SCHEME_START);
  start.amplitude = 0.1;
  for (int i = 0; i < 3; i++) start.velocity[i] = 1;
  test_gas g = test_gas_make(test_gas_together(), &s, &start, NULL);
  test_gas_run(&g, 0.2 / n, end);
  double e = test_gas_error(&g, carried_product, &end, 2);
  test_gas_free(&g);
  return e;
}

static inline double carried_vortex(const double x[3], const void *what)
{
  const test_gas *g = what;
  double state[5];
  triad_compressible_start_state(&g->start, &g->setup, x, state); /* after one period of 20 */
  return state[0];
}

/* The isentropic vortex after one period. */
static inline double test_vortex_error(int n, triad_compressible_weights weights)
{
  triad_compressible_setup s = test_gas_setup(n, n, 1, 10, 10, 1);
  triad_compressible_start start = test_gas_start("isentropic-vortex");
  test_gas_published(&s);
  s.weights = weights;
  start.amplitude = 0.5;
  start.velocity[0] = 0.5;
  test_gas g = test_gas_make(test_gas_together(), &s, &start, NULL);
  test_gas_run(&g, 1.6 / n, 20);
  double e = test_gas_error(&g, carried_vortex, &g, 2);
  test_gas_free(&g);
  return e;
}

#endif
