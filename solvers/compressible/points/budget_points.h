/* The contribution of one point to the budgets. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_POINTS_BUDGET_POINTS_H
#define TRIAD_SOLVERS_COMPRESSIBLE_POINTS_BUDGET_POINTS_H

#include "solvers/compressible/points/viscous_points.h"

/* Terms whose means are taken. */
enum {
  TRIAD_COMPRESSIBLE_ENERGY,
  TRIAD_COMPRESSIBLE_KINETIC,
  TRIAD_COMPRESSIBLE_ENSTROPHY,
  TRIAD_COMPRESSIBLE_DISSIPATION,
  TRIAD_COMPRESSIBLE_SOLENOIDAL,
  TRIAD_COMPRESSIBLE_DILATATIONAL,
  TRIAD_COMPRESSIBLE_PRESSURE_WORK,
  TRIAD_COMPRESSIBLE_MASS,
  TRIAD_COMPRESSIBLE_MOMENTUM,
  TRIAD_COMPRESSIBLE_MACH_SQUARED = TRIAD_COMPRESSIBLE_MOMENTUM + 3,
  TRIAD_COMPRESSIBLE_DILATATION_SQUARED,
  TRIAD_COMPRESSIBLE_DENSITY_SQUARED,
  TRIAD_COMPRESSIBLE_SUMS
};

/* Those whose largest values are taken. */
enum {
  TRIAD_COMPRESSIBLE_MACH,
  TRIAD_COMPRESSIBLE_DENSITY_MOST,
  TRIAD_COMPRESSIBLE_DENSITY_LEAST, /* its negative */
  TRIAD_COMPRESSIBLE_PRESSURE_LEAST,
  TRIAD_COMPRESSIBLE_EXTREMES
};

/* Steps from point to point and one over the spacings; of an axis of one point the step is 0. */
typedef struct triad_compressible_differences {
  int64_t step[3];
  triad_real per[3];
  int central; /* the scheme's fluxes are */
  triad_compressible_gas gas;
  double gamma, viscosity;
} triad_compressible_differences;

/* du_i/dx_j, from a pointer to u_i at the point, about as sharp as the scheme's. */
TRIAD_POINT_INLINE double triad_compressible_slope(const triad_compressible_differences *d, const triad_real *u, int j)
{
  if (d->central) return (double)(d->per[j] * triad_compressible_d9(u, d->step[j]));
  return (double)triad_compressible_d4(u, d->step[j], d->per[j] / 12);
}

/* What central fluxes' viscous terms take from kinetic energy, at the faces below place `at`: the stress times the
 * difference whose transpose they apply to it. Sums over a periodic box are what they take, to rounding. */
TRIAD_POINT_INLINE double triad_compressible_taken_at_faces(const triad_compressible_differences *d,
                                                            triad_real *const primitive[5], int64_t at)
{
  double sum = 0;
  for (int n = 0; n < 3; n++) {
    const int s = (n + 1) % 3, t = (n + 2) % 3;
    const triad_compressible_steps a = {d->step[n], d->step[s], d->step[t], d->per[n], d->per[s], d->per[t]};
    const triad_real *u[3] = {primitive[n] + at, primitive[s] + at, primitive[t] + at};
    triad_compressible_stress f =
      triad_compressible_stress_at_face(&d->gas, a, u[0], u[1], u[2], primitive[3] + at, primitive[4] + at);
    const triad_real tau[3] = {f.n, f.s, f.t};
    for (int i = 0; i < 3; i++)
      sum += (double)(tau[i] * (27 * (u[i][0] - u[i][-a.n]) - (u[i][a.n] - u[i][-2 * a.n])) * a.per_n / 24);
  }
  return sum;
}

/* primitive: the fields u, v, w. */
TRIAD_POINT_INLINE double triad_compressible_divergence(const triad_compressible_differences *d,
                                                        triad_real *const primitive[3], int64_t at)
{
  return triad_compressible_slope(d, primitive[0] + at, 0) + triad_compressible_slope(d, primitive[1] + at, 1) +
         triad_compressible_slope(d, primitive[2] + at, 2);
}

/* The point at place `at` of the state's fields and of its primitives u, v, w, T and, with viscosity, mu. */
TRIAD_POINT_INLINE void triad_compressible_terms(const triad_compressible_differences *d, triad_real *const state[5],
                                                 triad_real *const primitive[5], int64_t at,
                                                 double term[TRIAD_COMPRESSIBLE_SUMS],
                                                 double extreme[TRIAD_COMPRESSIBLE_EXTREMES])
{
  double g[3][3], rho = (double)state[0][at], T = (double)primitive[3][at], p = rho * T / d->gamma;
  double mu = d->viscosity > 0 ? d->viscosity * (double)primitive[4][at] : 0, u2 = 0;
  for (int i = 0; i < 3; i++) {
    double u = (double)primitive[i][at];
    u2 += u * u;
    term[TRIAD_COMPRESSIBLE_MOMENTUM + i] = (double)state[1 + i][at];
    for (int j = 0; j < 3; j++) g[i][j] = triad_compressible_slope(d, primitive[i] + at, j);
  }
  double x = g[2][1] - g[1][2], y = g[0][2] - g[2][0], z = g[1][0] - g[0][1], curl2 = x * x + y * y + z * z;
  double div = g[0][0] + g[1][1] + g[2][2], strain = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) strain += (g[i][j] + g[j][i]) * g[i][j];
  term[TRIAD_COMPRESSIBLE_ENERGY] = (double)state[4][at];
  term[TRIAD_COMPRESSIBLE_KINETIC] = rho * u2 / 2;
  term[TRIAD_COMPRESSIBLE_ENSTROPHY] = curl2 / 2;
  int at_faces = d->central && d->viscosity > 0;
  term[TRIAD_COMPRESSIBLE_DISSIPATION] =
    at_faces ? triad_compressible_taken_at_faces(d, primitive, at) : mu * (strain - div * div * 2 / 3);
  term[TRIAD_COMPRESSIBLE_SOLENOIDAL] = mu * curl2;
  term[TRIAD_COMPRESSIBLE_DILATATIONAL] = mu * div * div * 4 / 3;
  term[TRIAD_COMPRESSIBLE_PRESSURE_WORK] = p * div;
  term[TRIAD_COMPRESSIBLE_MASS] = rho;
  term[TRIAD_COMPRESSIBLE_MACH_SQUARED] = u2 / T;
  term[TRIAD_COMPRESSIBLE_DILATATION_SQUARED] = div * div;
  term[TRIAD_COMPRESSIBLE_DENSITY_SQUARED] = rho * rho;
  extreme[TRIAD_COMPRESSIBLE_MACH] = sqrt(u2 / T);
  extreme[TRIAD_COMPRESSIBLE_DENSITY_MOST] = rho;
  extreme[TRIAD_COMPRESSIBLE_DENSITY_LEAST] = -rho;
  extreme[TRIAD_COMPRESSIBLE_PRESSURE_LEAST] = -p;
}

#endif
