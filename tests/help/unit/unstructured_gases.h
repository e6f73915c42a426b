/* Random gases and normals, their exact fluxes, and HLLC beside the textbook's: of one way of arithmetic in each
 * program. */
#ifndef TRIAD_TESTS_FCT_GASES_H
#define TRIAD_TESTS_FCT_GASES_H

#include "test.h"

#include "solvers/unstructured/points/transport_points.h"

/* In [0, 1). */
static inline double random_at(uint64_t i) { return (1 + triad_test_random(11, i)) / 2; }

static const double gamma_of_air = 1.4;

/* A random gas: densities and pressures over `decades` decades about 1, Mach numbers up to 3. */
static inline void random_gas(uint64_t i, double decades, triad_real q[5])
{
  q[0] = (triad_real)pow(10, decades * (random_at(8 * i) - 0.5));
  q[4] = (triad_real)pow(10, decades * (random_at(8 * i + 1) - 0.5));
  double c = sqrt(gamma_of_air * (double)q[4] / (double)q[0]);
  for (int a = 0; a < 3; a++) q[1 + a] = (triad_real)(3 * c * (2 * random_at(8 * i + 2 + (uint64_t)a) - 1));
}

static inline void random_normal(uint64_t i, triad_real n[3])
{
  double z = 2 * random_at(1000003 + 2 * i) - 1, turn = 2 * TRIAD_PI * random_at(1000004 + 2 * i), r = sqrt(1 - z * z);
  n[0] = (triad_real)(r * cos(turn));
  n[1] = (triad_real)(r * sin(turn));
  n[2] = (triad_real)z;
}

/* rho u.n, rho u u.n + p n, (E + p) u.n in extended precision. */
static inline void exact_flux(const triad_real q[5], const triad_real n[3], long double f[5])
{
  long double un = 0, square = 0;
  for (int a = 0; a < 3; a++) {
    un += (long double)q[1 + a] * n[a];
    square += (long double)q[1 + a] * q[1 + a];
  }
  f[0] = q[0] * un;
  for (int a = 0; a < 3; a++) f[1 + a] = f[0] * q[1 + a] + (long double)q[4] * n[a];
  f[4] = un * (q[4] / 0.4L + q[0] * square / 2 + q[4]);
}

static inline double size_of(const long double f[5])
{
  return (double)(fabsl(f[0]) + fabsl(f[1]) + fabsl(f[2]) + fabsl(f[3]) + fabsl(f[4]));
}

/* HLLC as Toro (2009) writes it, eq. 10.37 to 10.39 and 10.71 to 10.73, with Davis's waves, in extended precision. */
static inline void textbook_hllc(const triad_real l[5], const triad_real r[5], const triad_real n[3], long double f[5])
{
  const triad_real *const side[2] = {l, r};
  long double un[2] = {0, 0}, c[2], square[2] = {0, 0};
  for (int s = 0; s < 2; s++) {
    for (int a = 0; a < 3; a++) {
      un[s] += (long double)side[s][1 + a] * n[a];
      square[s] += (long double)side[s][1 + a] * side[s][1 + a];
    }
    c[s] = sqrtl((long double)gamma_of_air * side[s][4] / side[s][0]);
  }
  const long double wave[2] = {fminl(un[0] - c[0], un[1] - c[1]), fmaxl(un[0] + c[0], un[1] + c[1])};
  const long double ml = l[0] * (wave[0] - un[0]), mr = r[0] * (wave[1] - un[1]);
  const long double middle = ((long double)r[4] - l[4] + ml * un[0] - mr * un[1]) / (ml - mr);
  const int s = wave[0] >= 0 || (wave[1] > 0 && middle >= 0) ? 0 : 1;
  const triad_real *q = side[s];
  exact_flux(q, n, f);
  if (wave[0] >= 0 || wave[1] <= 0) return;
  const long double energy = q[4] / 0.4L + q[0] * square[s] / 2, factor = q[0] * (wave[s] - un[s]) / (wave[s] - middle);
  const long double star = factor * (energy / q[0] + (middle - un[s]) * (middle + q[4] / (q[0] * (wave[s] - un[s]))));
  f[0] += wave[s] * (factor - q[0]);
  for (int a = 0; a < 3; a++)
    f[1 + a] += wave[s] * (factor * (q[1 + a] + (middle - un[s]) * n[a]) - (long double)q[0] * q[1 + a]);
  f[4] += wave[s] * (star - energy);
}

static inline void hllc_holds_to_the_textbook(void)
{
  const triad_gas_constants g = triad_gas_constants_of(gamma_of_air);
  for (uint64_t i = 0; i < 2000; i++) {
    triad_real l[5], r[5], n[3], f[5], along[3] = {1, 0, 0};
    long double expected[5];
    random_gas(2 * i, 2, l);
    random_gas(2 * i + 1, 2, r);
    random_normal(i, n);
    for (int which = 0; which < 2; which++) { /* along any normal, and along the first axis */
      textbook_hllc(l, r, which ? along : n, expected);
      triad_gas_values_hllc(&g, l, r, which ? NULL : n, f);
      const double c = (double)(triad_gas_values_sound(&g, l) + triad_gas_values_sound(&g, r)),
                   rho = (double)(l[0] + r[0]);
      const double unit[5] = {rho * c, rho * c * c, rho * c * c, rho * c * c, rho * c * c * c};
      for (int k = 0; k < 5;
           k++) /* some 50 roundings of numbers up to 10 times as large, as Mach numbers are up to 5 */
        TRIAD_WITHIN(f[k], (double)expected[k], 500 * TRIAD_EPSILON * unit[k], "flux");
    }
  }
}

#endif
