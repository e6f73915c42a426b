/* Viscous fluxes at a point, by differences of order four. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_POINTS_VISCOUS_POINTS_H
#define TRIAD_SOLVERS_COMPRESSIBLE_POINTS_VISCOUS_POINTS_H

#include "solvers/compressible/points/central_points.h"
#include "solvers/compressible/points/flux_points.h"

/* (f[-2] - 8 f[-1] + 8 f[1] - f[2])/(12 h), `s` reals from point to point; scale = 1/(12 h). On an axis of one point
 * give s = 0: the derivative is 0. */
TRIAD_POINT_INLINE triad_real triad_compressible_d4(const triad_real *f, int64_t s, triad_real scale)
{
  return scale * (8 * (f[s] - f[-s]) - (f[2 * s] - f[-2 * s]));
}

/* One point's neighbourhood: steps from point to point and 1/(12 h) along the flux's axis n and the two others. */
typedef struct triad_compressible_steps {
  int64_t n, s, t;
  triad_real per_n, per_s, per_t;
} triad_compressible_steps;

typedef struct triad_compressible_stress {
  triad_real n, s, t, e;
} triad_compressible_stress;

/* Viscous flux along n of (rho u_n, rho u_s, rho u_t, e): tau_nn, tau_ns, tau_nt, u.tau_n + k dT/dx_n
 * (docs/methods/compressible.md eq. 37), from pointers to u_n, u_s, u_t, T and mu at the point. */
TRIAD_POINT_INLINE triad_compressible_stress triad_compressible_stress_at(const triad_compressible_gas *g,
                                                                          triad_compressible_steps a,
                                                                          const triad_real *un, const triad_real *us,
                                                                          const triad_real *ut, const triad_real *T,
                                                                          const triad_real *mu)
{
  triad_real m = g->viscosity * *mu;
  triad_real nn = triad_compressible_d4(un, a.n, a.per_n);
  triad_real ss = triad_compressible_d4(us, a.s, a.per_s), tt = triad_compressible_d4(ut, a.t, a.per_t);
  triad_real n = m * TRIAD_R(2.0 / 3) * (2 * nn - ss - tt);
  triad_real s = m * (triad_compressible_d4(un, a.s, a.per_s) + triad_compressible_d4(us, a.n, a.per_n));
  triad_real t = m * (triad_compressible_d4(un, a.t, a.per_t) + triad_compressible_d4(ut, a.n, a.per_n));
  triad_compressible_stress f = {n, s, t,
                                 *un * n + *us * s + *ut * t + g->heat * *mu * triad_compressible_d4(T, a.n, a.per_n)};
  return f;
}

/* f less the flux (-s_{-2} + 7 s_{-1} + 7 s_0 - s_1)/12 through the face between points -1 and 0: differences of
 * that are the difference of order four of s. */
TRIAD_POINT_INLINE triad_compressible_five triad_compressible_less_stress(triad_compressible_five f,
                                                                          triad_compressible_stress a,
                                                                          triad_compressible_stress b,
                                                                          triad_compressible_stress c,
                                                                          triad_compressible_stress d)
{
  const triad_real part = TRIAD_R(1.0 / 12);
  f.n -= part * (7 * (b.n + c.n) - (a.n + d.n));
  f.s -= part * (7 * (b.s + c.s) - (a.s + d.s));
  f.t -= part * (7 * (b.t + c.t) - (a.t + d.t));
  f.e -= part * (7 * (b.e + c.e) - (a.e + d.e));
  return f;
}

/* Viscous fluxes at a face, as sharp as central fluxes.
 *
 * A difference of points at points, taken twice, hardly sees the shortest waves that the grid holds; with nothing
 * else to damp them they would stay. From points to faces and back to points it sees them all. */
/* h df/dn half way between f[-s] and f[0]. Of order four; the third coefficient is chosen so that with the
 * difference of order four back to points (27, -1)/24 the second derivative is right to 0.1 % up to k h = 1.25, and
 * to 0.5 % up to 1.5. */
TRIAD_POINT_INLINE triad_real triad_compressible_face_slope(const triad_real *f, int64_t s)
{
  return TRIAD_R(249.0 / 200) * (f[0] - f[-s]) - TRIAD_R(61.0 / 600) * (f[s] - f[-2 * s]) +
         TRIAD_R(3.0 / 250) * (f[2 * s] - f[-3 * s]);
}

/* A value half way between the second and the first of three pairs of points, of order six. */
TRIAD_POINT_INLINE triad_real triad_compressible_half_way(triad_real near, triad_real next, triad_real far)
{
  return TRIAD_R(150.0 / 256) * near - TRIAD_R(25.0 / 256) * next + TRIAD_R(3.0 / 256) * far;
}

TRIAD_POINT_INLINE triad_real triad_compressible_face_value(const triad_real *f, int64_t s)
{
  return triad_compressible_half_way(f[0] + f[-s], f[s] + f[-2 * s], f[2 * s] + f[-3 * s]);
}

/* h df/ds along the face, half way between f[-n] and f[0]. */
TRIAD_POINT_INLINE triad_real triad_compressible_face_across(const triad_real *f, int64_t n, int64_t s)
{
  return triad_compressible_half_way(triad_compressible_d9(f, s) + triad_compressible_d9(f - n, s),
                                     triad_compressible_d9(f + n, s) + triad_compressible_d9(f - 2 * n, s),
                                     triad_compressible_d9(f + 2 * n, s) + triad_compressible_d9(f - 3 * n, s));
}

/* triad_compressible_stress_at of the face between the points at -n and 0; a.per_* are 1/h. */
TRIAD_POINT_INLINE triad_compressible_stress
triad_compressible_stress_at_face(const triad_compressible_gas *g, triad_compressible_steps a, const triad_real *un,
                                  const triad_real *us, const triad_real *ut, const triad_real *T, const triad_real *mu)
{
  triad_real share = triad_compressible_face_value(mu, a.n), m = g->viscosity * share;
  triad_real nn = a.per_n * triad_compressible_face_slope(un, a.n);
  triad_real ss = a.per_s * triad_compressible_face_across(us, a.n, a.s),
             tt = a.per_t * triad_compressible_face_across(ut, a.n, a.t);
  triad_real n = m * TRIAD_R(2.0 / 3) * (2 * nn - ss - tt);
  triad_real s =
    m * (a.per_s * triad_compressible_face_across(un, a.n, a.s) + a.per_n * triad_compressible_face_slope(us, a.n));
  triad_real t =
    m * (a.per_t * triad_compressible_face_across(un, a.n, a.t) + a.per_n * triad_compressible_face_slope(ut, a.n));
  triad_real work = triad_compressible_face_value(un, a.n) * n + triad_compressible_face_value(us, a.n) * s +
                    triad_compressible_face_value(ut, a.n) * t;
  triad_compressible_stress f = {n, s, t, work + g->heat * share * a.per_n * triad_compressible_face_slope(T, a.n)};
  return f;
}

/* f less (-s_{-1} + 26 s_0 - s_1)/24 of the faces below, at and above: differences of that are (27, -1)/24 of s. */
TRIAD_POINT_INLINE triad_compressible_five triad_compressible_less_face_stress(triad_compressible_five f,
                                                                               triad_compressible_stress below,
                                                                               triad_compressible_stress at,
                                                                               triad_compressible_stress above)
{
  const triad_real part = TRIAD_R(1.0 / 24);
  f.n -= part * (26 * at.n - (below.n + above.n));
  f.s -= part * (26 * at.s - (below.s + above.s));
  f.t -= part * (26 * at.t - (below.t + above.t));
  f.e -= part * (26 * at.e - (below.e + above.e));
  return f;
}

#endif
