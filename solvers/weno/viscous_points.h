/* Viscous fluxes at a point, by differences of order four. */
#ifndef TRIAD_SOLVERS_WENO_VISCOUS_POINTS_H
#define TRIAD_SOLVERS_WENO_VISCOUS_POINTS_H

#include "solvers/weno/flux_points.h"

/* (f[-2] - 8 f[-1] + 8 f[1] - f[2])/(12 h), `s` reals from point to point; scale = 1/(12 h). On an axis of one point give
 * s = 0: the derivative is 0. */
TRIAD_POINT_INLINE triad_real triad_weno_d4(const triad_real *f, int64_t s, triad_real scale)
{
  return scale * (8 * (f[s] - f[-s]) - (f[2 * s] - f[-2 * s]));
}

/* One point's neighbourhood: steps from point to point and 1/(12 h) along the flux's axis n and the two others. */
typedef struct triad_weno_steps {
  int64_t n, s, t;
  triad_real per_n, per_s, per_t;
} triad_weno_steps;

typedef struct triad_weno_stress {
  triad_real n, s, t, e;
} triad_weno_stress;

/* Viscous flux along n of (rho u_n, rho u_s, rho u_t, e): tau_nn, tau_ns, tau_nt, u.tau_n + k dT/dx_n (docs/numerics.md eq.
 * 37), from pointers to u_n, u_s, u_t, T and mu at the point. */
TRIAD_POINT_INLINE triad_weno_stress triad_weno_stress_at(const triad_weno_gas *g, triad_weno_steps a, const triad_real *un,
                                                   const triad_real *us, const triad_real *ut, const triad_real *T,
                                                   const triad_real *mu)
{
  triad_real m = g->viscosity * *mu;
  triad_real nn = triad_weno_d4(un, a.n, a.per_n);
  triad_real ss = triad_weno_d4(us, a.s, a.per_s), tt = triad_weno_d4(ut, a.t, a.per_t);
  triad_real n = m * TRIAD_R(2.0 / 3) * (2 * nn - ss - tt);
  triad_real s = m * (triad_weno_d4(un, a.s, a.per_s) + triad_weno_d4(us, a.n, a.per_n));
  triad_real t = m * (triad_weno_d4(un, a.t, a.per_t) + triad_weno_d4(ut, a.n, a.per_n));
  triad_weno_stress f = {n, s, t, *un * n + *us * s + *ut * t + g->heat * *mu * triad_weno_d4(T, a.n, a.per_n)};
  return f;
}

/* f less the flux (-s_{-2} + 7 s_{-1} + 7 s_0 - s_1)/12 through the face between points -1 and 0: differences of that are
 * the difference of order four of s. */
TRIAD_POINT_INLINE triad_weno_five triad_weno_less_stress(triad_weno_five f, triad_weno_stress a, triad_weno_stress b,
                                                          triad_weno_stress c, triad_weno_stress d)
{
  const triad_real part = TRIAD_R(1.0 / 12);
  f.n -= part * (7 * (b.n + c.n) - (a.n + d.n));
  f.s -= part * (7 * (b.s + c.s) - (a.s + d.s));
  f.t -= part * (7 * (b.t + c.t) - (a.t + d.t));
  f.e -= part * (7 * (b.e + c.e) - (a.e + d.e));
  return f;
}

#endif
