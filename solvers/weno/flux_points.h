/* Fluxes through the face between two cells.
 *
 * A face has a normal direction n and two tangential ones; vectors of five are (rho, rho u_n, rho u_t1, rho u_t2, e), so
 * that one text serves all axes. */
#ifndef TRIAD_SOLVERS_WENO_FLUX_POINTS_H
#define TRIAD_SOLVERS_WENO_FLUX_POINTS_H

#include "solvers/weno/gas_points.h"

/* A cell as faces see it: T = c^2. */
typedef struct triad_weno_cell {
  triad_real rho, n, s, t, T;
} triad_weno_cell;

/* Roe's average of two cells (Roe 1981, J. Comput. Phys. 43, 357): velocity and enthalpy weighted with sqrt(rho), and what
 * follows of them. rho is the geometric mean. */
typedef struct triad_weno_average {
  triad_real rho, n, s, t, h, kinetic, c, per_c; /* h: total enthalpy; kinetic = |u|^2/2 */
} triad_weno_average;

/* f_n of docs/numerics.md eq. (40). */
TRIAD_POINT void triad_weno_flux(const triad_weno_gas *g, triad_real rho, triad_real mn, triad_real ms, triad_real mt,
                                 triad_real e, triad_real un, triad_real T, triad_real f[5])
{
  triad_real p = rho * T * g->per_gamma;
  f[0] = mn;
  f[1] = mn * un + p;
  f[2] = ms * un;
  f[3] = mt * un;
  f[4] = (e + p) * un;
}

TRIAD_POINT triad_real triad_weno_enthalpy(const triad_weno_gas *g, triad_weno_cell a)
{
  return a.T * g->per_gm1 + TRIAD_R(0.5) * (a.n * a.n + a.s * a.s + a.t * a.t);
}

TRIAD_POINT triad_weno_average triad_weno_roe(const triad_weno_gas *g, triad_weno_cell a, triad_weno_cell b)
{
  triad_real ra = TRIAD_SQRT(a.rho), rb = TRIAD_SQRT(b.rho), wa = ra / (ra + rb), wb = 1 - wa;
  triad_weno_average m;
  m.rho = ra * rb;
  m.n = wa * a.n + wb * b.n;
  m.s = wa * a.s + wb * b.s;
  m.t = wa * a.t + wb * b.t;
  m.h = wa * triad_weno_enthalpy(g, a) + wb * triad_weno_enthalpy(g, b);
  m.kinetic = TRIAD_R(0.5) * (m.n * m.n + m.s * m.s + m.t * m.t);
  m.c = TRIAD_SQRT(g->gm1 * (m.h - m.kinetic));
  m.per_c = 1 / m.c;
  return m;
}

/* |lambda|, rounded off within delta of 0 (Harten 1983, J. Comput. Phys. 49, 357): (lambda^2 + delta^2)/(2 delta) there. */
TRIAD_POINT triad_real triad_weno_harten(const triad_weno_gas *g, triad_real lambda)
{
  triad_real size = TRIAD_ABS(lambda);
  triad_real round = (lambda * lambda + g->delta * g->delta) * g->half_per_delta;
  return size < g->delta ? round : size;
}

TRIAD_POINT triad_real triad_weno_larger(triad_real a, triad_real b) { return a > b ? a : b; }

/* Sizes of the waves u_n - c, u_n, u_n + c at a face; `riemann` is a triad_weno_riemann, known when this is inlined. */
typedef struct triad_weno_waves {
  triad_real minus, zero, plus;
} triad_weno_waves;

TRIAD_POINT triad_weno_waves triad_weno_wave_sizes(int riemann, const triad_weno_gas *g, const triad_weno_average *m,
                                                   triad_weno_cell a, triad_weno_cell b)
{
  triad_weno_waves s;
  if (riemann == TRIAD_WENO_ROE) {
    s.minus = triad_weno_harten(g, m->n - m->c);
    s.zero = triad_weno_harten(g, m->n);
    s.plus = triad_weno_harten(g, m->n + m->c);
    return s;
  }
  triad_real ca = TRIAD_SQRT(a.T), cb = TRIAD_SQRT(b.T);
  if (riemann == TRIAD_WENO_LLF) {
    s.minus = triad_weno_larger(TRIAD_ABS(m->n - m->c),
                                triad_weno_larger(TRIAD_ABS(a.n - ca), TRIAD_ABS(b.n - cb)));
    s.zero = triad_weno_larger(TRIAD_ABS(m->n), triad_weno_larger(TRIAD_ABS(a.n), TRIAD_ABS(b.n)));
    s.plus = triad_weno_larger(TRIAD_ABS(m->n + m->c), triad_weno_larger(TRIAD_ABS(a.n + ca), TRIAD_ABS(b.n + cb)));
    return s;
  }
  s.plus = triad_weno_larger(TRIAD_ABS(m->n) + m->c, triad_weno_larger(TRIAD_ABS(a.n) + ca, TRIAD_ABS(b.n) + cb));
  s.minus = s.zero = s.plus;
  return s;
}

/* Strengths of the waves in a difference d: x[0] entropy d rho - dp/c^2, x[1] and x[2] tangential velocities, x[3] and x[4]
 * sound, du_n -+ dp/(rho c): the left eigenvectors (docs/numerics.md eq. 47). */
TRIAD_POINT void triad_weno_to_waves(const triad_weno_gas *g, const triad_weno_average *m, const triad_real d[5],
                                     triad_real x[5])
{
  triad_real volume = 1 / m->rho;
  triad_real p = g->gm1 * (d[4] - m->n * d[1] - m->s * d[2] - m->t * d[3] + m->kinetic * d[0]);
  triad_real u = (d[1] - m->n * d[0]) * volume, sound = p * volume * m->per_c;
  x[0] = d[0] - p * m->per_c * m->per_c;
  x[1] = (d[2] - m->s * d[0]) * volume;
  x[2] = (d[3] - m->t * d[0]) * volume;
  x[3] = u - sound;
  x[4] = u + sound;
}

/* The way back. */
TRIAD_POINT void triad_weno_from_waves(const triad_weno_gas *g, const triad_weno_average *m, const triad_real x[5],
                                       triad_real d[5])
{
  const triad_real half = TRIAD_R(0.5);
  triad_real p = half * m->rho * m->c * (x[4] - x[3]), u = half * (x[3] + x[4]);
  d[0] = x[0] + p * m->per_c * m->per_c;
  d[1] = m->rho * u + m->n * d[0];
  d[2] = m->rho * x[1] + m->s * d[0];
  d[3] = m->rho * x[2] + m->t * d[0];
  d[4] = p * g->per_gm1 + m->kinetic * d[0] + m->rho * (m->n * u + m->s * x[1] + m->t * x[2]);
}

/* F = (f_L + f_R)/2 - |A| (U_R - U_L)/2 (docs/numerics.md eq. 48), |A| by wave strengths. */
TRIAD_POINT void triad_weno_face(int riemann, const triad_weno_gas *g, triad_weno_cell a, triad_weno_cell b,
                                 const triad_real ul[5], const triad_real ur[5], const triad_real fl[5],
                                 const triad_real fr[5], triad_real f[5])
{
  const triad_real half = TRIAD_R(0.5);
  triad_weno_average m = triad_weno_roe(g, a, b);
  triad_weno_waves s = triad_weno_wave_sizes(riemann, g, &m, a, b);
  triad_real d[5], x[5];
  for (int k = 0; k < 5; k++) d[k] = ur[k] - ul[k];
  triad_weno_to_waves(g, &m, d, x);
  x[0] *= s.zero;
  x[1] *= s.zero;
  x[2] *= s.zero;
  x[3] *= s.minus;
  x[4] *= s.plus;
  triad_weno_from_waves(g, &m, x, d);
  for (int k = 0; k < 5; k++) f[k] = half * (fl[k] + fr[k] - d[k]);
}

/* The same where ul .. fr are wave strengths already. */
TRIAD_POINT void triad_weno_face_of_waves(int riemann, const triad_weno_gas *g, const triad_weno_average *m,
                                          triad_weno_cell a, triad_weno_cell b, const triad_real ul[5],
                                          const triad_real ur[5], const triad_real fl[5], const triad_real fr[5],
                                          triad_real f[5])
{
  triad_weno_waves s = triad_weno_wave_sizes(riemann, g, m, a, b);
  const triad_real size[5] = {s.zero, s.zero, s.zero, s.minus, s.plus};
  triad_real x[5];
  for (int k = 0; k < 5; k++) x[k] = TRIAD_R(0.5) * (fl[k] + fr[k] - size[k] * (ur[k] - ul[k]));
  triad_weno_from_waves(g, m, x, f);
}

#endif
