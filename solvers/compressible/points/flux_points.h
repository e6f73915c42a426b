/* Fluxes through the face between two cells.
 *
 * A face has a normal direction n and two tangential ones, s and t; vectors of five are (rho, rho u_n, rho u_s, rho
 * u_t, e), so that one text serves all axes. They travel by value: a compiler keeps them in vector registers then. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_POINTS_FLUX_POINTS_H
#define TRIAD_SOLVERS_COMPRESSIBLE_POINTS_FLUX_POINTS_H

#include "solvers/compressible/points/gas_points.h"
#include "solvers/gas/riemann.h"

typedef struct triad_compressible_five {
  triad_real r, n, s, t, e;
} triad_compressible_five;

/* A cell as faces see it: T = c^2. */
typedef struct triad_compressible_cell {
  triad_real rho, n, s, t, T;
} triad_compressible_cell;

/* Roe's average of two cells (Roe 1981, J. Comput. Phys. 43, 357): velocity and enthalpy weighted with sqrt(rho),
 * and what follows of them. rho is the geometric mean. */
typedef struct triad_compressible_average {
  triad_real rho, n, s, t, h, kinetic, c, per_c; /* h: total enthalpy; kinetic = |u|^2/2 */
} triad_compressible_average;

/* f_n of docs/methods/compressible.md eq. (26). */
TRIAD_POINT_INLINE triad_compressible_five triad_compressible_flux(const triad_compressible_gas *g,
                                                                   triad_compressible_five u, triad_real un,
                                                                   triad_real T)
{
  triad_real p = u.r * T * g->per_gamma;
  triad_compressible_five f = {u.n, u.n * un + p, u.s * un, u.t * un, (u.e + p) * un};
  return f;
}

TRIAD_POINT_INLINE triad_real triad_compressible_enthalpy(const triad_compressible_gas *g, triad_compressible_cell a)
{
  return a.T * g->per_gm1 + TRIAD_R(0.5) * (a.n * a.n + a.s * a.s + a.t * a.t);
}

TRIAD_POINT_INLINE triad_compressible_average triad_compressible_roe(const triad_compressible_gas *g,
                                                                     triad_compressible_cell a,
                                                                     triad_compressible_cell b)
{
  triad_real ra = TRIAD_SQRT(a.rho), rb = TRIAD_SQRT(b.rho), wa = ra / (ra + rb), wb = 1 - wa;
  triad_compressible_average m;
  m.rho = ra * rb;
  m.n = wa * a.n + wb * b.n;
  m.s = wa * a.s + wb * b.s;
  m.t = wa * a.t + wb * b.t;
  m.h = wa * triad_compressible_enthalpy(g, a) + wb * triad_compressible_enthalpy(g, b);
  m.kinetic = TRIAD_R(0.5) * (m.n * m.n + m.s * m.s + m.t * m.t);
  m.c = TRIAD_SQRT(g->gm1 * (m.h - m.kinetic));
  m.per_c = 1 / m.c;
  return m;
}

/* One over the units of waves at a face or of values of a cell: density, speed of sound, and |u_n| + c, in which
 * smoothness is measured. 1 in the published scheme. */
typedef struct triad_compressible_units {
  triad_real density, sound, fast;
} triad_compressible_units;

TRIAD_POINT_INLINE triad_compressible_units triad_compressible_units_of(const triad_compressible_gas *g, triad_real rho,
                                                                        triad_real un, triad_real c)
{
  triad_compressible_units of = {1, 1, 1};
  if (g->published) return of;
  of.density = 1 / rho;
  of.sound = 1 / c;
  of.fast = 1 / (TRIAD_ABS(un) + c);
  return of;
}

/* Sizes of the waves u_n - c, u_n, u_n + c at a face; `riemann` is a triad_compressible_riemann, known when this is
 * inlined. */
typedef struct triad_compressible_waves {
  triad_real minus, zero, plus;
} triad_compressible_waves;

/* From 0 to 1 how strong the jump from cell a to b is: 0 where pressure changes by less than a fifth and the normal
 * velocity by less than the speed of sound, 1 where it changes by 70 % or by twice that speed, of the smaller
 * values. Roe's linear waves misjudge such jumps. */
TRIAD_POINT_INLINE triad_real triad_compressible_strength(triad_compressible_cell a, triad_compressible_cell b,
                                                          triad_real ca, triad_real cb)
{
  triad_real pa = a.rho * a.T, pb = b.rho * b.T, low = pa < pb ? pa : pb, slow = ca < cb ? ca : cb;
  triad_real jump = triad_max(2 * TRIAD_ABS(pa - pb) / low - TRIAD_R(0.4), TRIAD_ABS(a.n - b.n) / slow - 1);
  return jump < 0 ? TRIAD_R(0) : jump < 1 ? jump : TRIAD_R(1);
}

TRIAD_POINT_INLINE triad_compressible_waves triad_compressible_wave_sizes(int riemann, const triad_compressible_gas *g,
                                                                          triad_compressible_average m,
                                                                          triad_compressible_cell a,
                                                                          triad_compressible_cell b)
{
  triad_compressible_waves s;
  triad_real ca = TRIAD_SQRT(a.T), cb = TRIAD_SQRT(b.T);
  if (riemann == TRIAD_COMPRESSIBLE_ROE) {
    triad_real minus = triad_max(g->delta, triad_gas_spread(a.n - ca, m.n - m.c, b.n - cb));
    triad_real plus = triad_max(g->delta, triad_gas_spread(a.n + ca, m.n + m.c, b.n + cb));
    s.minus = triad_gas_harten(m.n - m.c, g->published ? g->delta : minus);
    s.zero = triad_gas_harten(m.n, g->delta);
    s.plus = triad_gas_harten(m.n + m.c, g->published ? g->delta : plus);
    triad_real part = g->published ? TRIAD_R(0) : triad_compressible_strength(a, b, ca, cb);
    triad_real fast = triad_max(TRIAD_ABS(m.n) + m.c, triad_max(TRIAD_ABS(a.n) + ca, TRIAD_ABS(b.n) + cb));
    s.minus += part * (fast - s.minus);
    s.zero += part * (fast - s.zero);
    s.plus += part * (fast - s.plus);
    return s;
  }
  if (riemann == TRIAD_COMPRESSIBLE_LLF) {
    s.minus = triad_max(TRIAD_ABS(m.n - m.c), triad_max(TRIAD_ABS(a.n - ca), TRIAD_ABS(b.n - cb)));
    s.zero = triad_max(TRIAD_ABS(m.n), triad_max(TRIAD_ABS(a.n), TRIAD_ABS(b.n)));
    s.plus = triad_max(TRIAD_ABS(m.n + m.c), triad_max(TRIAD_ABS(a.n + ca), TRIAD_ABS(b.n + cb)));
    return s;
  }
  s.plus = triad_max(TRIAD_ABS(m.n) + m.c, triad_max(TRIAD_ABS(a.n) + ca, TRIAD_ABS(b.n) + cb));
  s.minus = s.zero = s.plus;
  return s;
}

/* A difference d as strengths of waves: r entropy d rho - dp/c^2, s and t tangential velocities, n and e sound that
 * moves down and up, du_n -+ dp/(rho c). These are the left eigenvectors (docs/methods/compressible.md eq. 34). */
TRIAD_POINT_INLINE triad_compressible_five triad_compressible_to_waves(const triad_compressible_gas *g,
                                                                       triad_compressible_average m,
                                                                       triad_compressible_five d)
{
  triad_real volume = 1 / m.rho, p = g->gm1 * (d.e - m.n * d.n - m.s * d.s - m.t * d.t + m.kinetic * d.r);
  triad_real u = (d.n - m.n * d.r) * volume, sound = p * volume * m.per_c;
  triad_compressible_five x = {d.r - p * m.per_c * m.per_c, u - sound, (d.s - m.s * d.r) * volume,
                               (d.t - m.t * d.r) * volume, u + sound};
  return x;
}

/* The way back. */
TRIAD_POINT_INLINE triad_compressible_five triad_compressible_from_waves(const triad_compressible_gas *g,
                                                                         triad_compressible_average m,
                                                                         triad_compressible_five x)
{
  const triad_real half = TRIAD_R(0.5);
  triad_real p = half * m.rho * m.c * (x.e - x.n), u = half * (x.n + x.e), r = x.r + p * m.per_c * m.per_c;
  triad_compressible_five d = {r, m.rho * u + m.n * r, m.rho * x.s + m.s * r, m.rho * x.t + m.t * r,
                               p * g->per_gm1 + m.kinetic * r + m.rho * (m.n * u + m.s * x.s + m.t * x.t)};
  return d;
}

/* F = (f_L + f_R)/2 - |A| (U_R - U_L)/2 (docs/methods/compressible.md eq. 35), |A| by strengths of waves. */
TRIAD_POINT_INLINE triad_compressible_five triad_compressible_face(
  int riemann, const triad_compressible_gas *g, triad_compressible_cell a, triad_compressible_cell b,
  triad_compressible_five ul, triad_compressible_five ur, triad_compressible_five fl, triad_compressible_five fr)
{
  const triad_real half = TRIAD_R(0.5);
  triad_compressible_average m = triad_compressible_roe(g, a, b);
  triad_compressible_waves s = triad_compressible_wave_sizes(riemann, g, m, a, b);
  triad_compressible_five d = {ur.r - ul.r, ur.n - ul.n, ur.s - ul.s, ur.t - ul.t, ur.e - ul.e};
  triad_compressible_five x = triad_compressible_to_waves(g, m, d);
  triad_compressible_five sized = {s.zero * x.r, s.minus * x.n, s.zero * x.s, s.zero * x.t, s.plus * x.e};
  d = triad_compressible_from_waves(g, m, sized);
  triad_compressible_five f = {half * (fl.r + fr.r - d.r), half * (fl.n + fr.n - d.n), half * (fl.s + fr.s - d.s),
                               half * (fl.t + fr.t - d.t), half * (fl.e + fr.e - d.e)};
  return f;
}

/* The same where ul .. fr are strengths of waves already. */
TRIAD_POINT_INLINE triad_compressible_five
triad_compressible_face_of_waves(int riemann, const triad_compressible_gas *g, triad_compressible_average m,
                                 triad_compressible_cell a, triad_compressible_cell b, triad_compressible_five ul,
                                 triad_compressible_five ur, triad_compressible_five fl, triad_compressible_five fr)
{
  const triad_real half = TRIAD_R(0.5);
  triad_compressible_waves s = triad_compressible_wave_sizes(riemann, g, m, a, b);
  triad_compressible_five x = {
    half * (fl.r + fr.r - s.zero * (ur.r - ul.r)), half * (fl.n + fr.n - s.minus * (ur.n - ul.n)),
    half * (fl.s + fr.s - s.zero * (ur.s - ul.s)), half * (fl.t + fr.t - s.zero * (ur.t - ul.t)),
    half * (fl.e + fr.e - s.plus * (ur.e - ul.e))};
  return triad_compressible_from_waves(g, m, x);
}

/* The state of reconstructed conserved values u, and that of cell c if they have no positive density and pressure. Its
 * velocity x, y, z is that along n, s, t. */
TRIAD_POINT_INLINE triad_gas_state triad_compressible_state_of(const triad_compressible_gas *g,
                                                               triad_compressible_five u, triad_compressible_cell c)
{
  const triad_real volume = 1 / u.r, p = g->gm1 * (u.e - TRIAD_R(0.5) * volume * (u.n * u.n + u.s * u.s + u.t * u.t));
  const int is_gas = (u.r > 0) & (p > 0);
  return (triad_gas_state){is_gas ? u.r : c.rho, is_gas ? u.n * volume : c.n, is_gas ? u.s * volume : c.s,
                           is_gas ? u.t * volume : c.t, is_gas ? p : c.rho * c.T * g->per_gamma};
}

/* F = (f_L + f_R)/2 - D: the dissipation D is that of a Riemann solver between the reconstructed states, the mean of
 * their fluxes less its flux (docs/methods/compressible.md eq. 35). It vanishes with their difference, so that the
 * order is that of the reconstruction. */
TRIAD_POINT_INLINE triad_compressible_five triad_compressible_face_of_list(
  triad_gas_riemann flux, const triad_compressible_gas *g, triad_compressible_cell a, triad_compressible_cell b,
  triad_compressible_five ul, triad_compressible_five ur, triad_compressible_five fl, triad_compressible_five fr)
{
  const triad_real half = TRIAD_R(0.5);
  const triad_gas_vector n = {1, 0, 0};
  const triad_gas_state l = triad_compressible_state_of(g, ul, a), r = triad_compressible_state_of(g, ur, b);
  const triad_gas_flux x = triad_gas_through(l, n, g->gamma), y = triad_gas_through(r, n, g->gamma),
                       f = triad_gas_between(flux, l, r, n, g->gamma);
  return (triad_compressible_five){half * (fl.r + fr.r - x.mass - y.mass) + f.mass,
                                   half * (fl.n + fr.n - x.x - y.x) + f.x, half * (fl.s + fr.s - x.y - y.y) + f.y,
                                   half * (fl.t + fr.t - x.z - y.z) + f.z,
                                   half * (fl.e + fr.e - x.energy - y.energy) + f.energy};
}

/* The same where ul .. fr are strengths of waves of the average m. */
TRIAD_POINT_INLINE triad_compressible_five triad_compressible_listed_face_of_waves(
  triad_gas_riemann flux, const triad_compressible_gas *g, triad_compressible_average m, triad_compressible_cell a,
  triad_compressible_cell b, triad_compressible_five ul, triad_compressible_five ur, triad_compressible_five fl,
  triad_compressible_five fr)
{
  return triad_compressible_face_of_list(
    flux, g, a, b, triad_compressible_from_waves(g, m, ul), triad_compressible_from_waves(g, m, ur),
    triad_compressible_from_waves(g, m, fl), triad_compressible_from_waves(g, m, fr));
}

/* A face at a boundary that nothing passes. Heat passes those that stick. */
typedef enum triad_compressible_wall_kind {
  TRIAD_COMPRESSIBLE_OPEN,
  TRIAD_COMPRESSIBLE_SLIPS,
  TRIAD_COMPRESSIBLE_STICKS,
  TRIAD_COMPRESSIBLE_STICKS_WITHOUT_HEAT
} triad_compressible_wall_kind;

/* What passes through a wall between its mirror images a and b, from the flux f: no mass, and no energy but the work
 * on a wall that moves, whose velocity is the mean of theirs (docs/methods/compressible.md). */
TRIAD_POINT_INLINE triad_compressible_five triad_compressible_through_wall(int wall, triad_compressible_cell a,
                                                                           triad_compressible_cell b,
                                                                           triad_compressible_five f)
{
  const triad_real half = TRIAD_R(0.5);
  f.r = 0;
  f.e = wall != TRIAD_COMPRESSIBLE_SLIPS ? half * ((a.s + b.s) * f.s + (a.t + b.t) * f.t) : TRIAD_R(0);
  return f;
}

#endif
