/* Fluxes through the face between two cells.
 *
 * A face has a normal direction n and two tangential ones, s and t; vectors of five are (rho, rho u_n, rho u_s, rho
 * u_t, e), so that one text serves all axes. They travel by value: a compiler keeps them in vector registers then. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_POINTS_FLUX_POINTS_H
#define TRIAD_SOLVERS_COMPRESSIBLE_POINTS_FLUX_POINTS_H

#include "solvers/compressible/points/gas_points.h"
#include "solvers/compressible/points/weights_points.h"
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
  triad_real rho, n, s, t, kinetic, c, per_rho, per_c; /* kinetic = |u|^2/2; one over rho and c */
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

/* |u|^2. In the functions of waves a sum of two products names the one that is rounded first, so that a face has the
 * same bits in a vector and in the rest of a row. */
TRIAD_POINT_INLINE triad_real triad_compressible_square(triad_real n, triad_real s, triad_real t)
{
  return triad_fma(n, n, triad_fma(s, s, t * t));
}

/* Means are half of the sum and w times the difference, w = (w_b - w_a)/2, so that a face and its mirror image have the
 * same to the last bit. The speed of sound of the mean enthalpy, c^2 = (gamma - 1) (h - |u|^2/2), is that of the mean
 * c^2 and of the jump of the velocities. */
TRIAD_POINT_INLINE triad_compressible_average triad_compressible_roe(const triad_compressible_gas *g,
                                                                     triad_compressible_cell a,
                                                                     triad_compressible_cell b)
{
  const triad_real half = TRIAD_R(0.5);
  triad_real pa = triad_gas_quick_per_root(a.rho), pb = triad_gas_quick_per_root(b.rho), ra = a.rho * pa,
             rb = b.rho * pb;
  triad_real w = half * (rb - ra) * triad_gas_quick_per(ra + rb), n = b.n - a.n, s = b.s - a.s, t = b.t - a.t;
  triad_compressible_average m;
  m.rho = ra * rb;
  m.per_rho = pa * pb;
  m.n = triad_fma(w, n, half * (a.n + b.n));
  m.s = triad_fma(w, s, half * (a.s + b.s));
  m.t = triad_fma(w, t, half * (a.t + b.t));
  m.kinetic = half * triad_compressible_square(m.n, m.s, m.t);
  triad_real jump = half * g->gm1 * (TRIAD_R(0.25) - w * w); /* w_a w_b (gamma - 1)/2 */
  triad_real mean = triad_fma(w, b.T - a.T, half * (a.T + b.T)),
             square = triad_fma(jump, triad_compressible_square(n, s, t), mean);
  m.per_c = triad_gas_quick_per_root(square);
  m.c = square * m.per_c;
  return m;
}

/* One over the units of a cell's values, density and |u_n| + c, in which smoothness is measured. 1 in the published
 * scheme. */
typedef struct triad_compressible_units {
  triad_real density, fast;
} triad_compressible_units;

TRIAD_POINT_INLINE triad_compressible_units triad_compressible_units_of(const triad_compressible_gas *g, triad_real rho,
                                                                        triad_real un, triad_real c)
{
  triad_compressible_units of = {1, 1};
  if (g->published) return of;
  of.density = triad_gas_quick_per(rho);
  of.fast = triad_gas_quick_per(TRIAD_ABS(un) + c);
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
  triad_real jump = triad_max(2 * TRIAD_ABS(pa - pb) * triad_gas_quick_per(low) - TRIAD_R(0.4),
                              TRIAD_ABS(a.n - b.n) * triad_gas_quick_per(slow) - 1);
  return jump < 0 ? TRIAD_R(0) : jump < 1 ? jump : TRIAD_R(1);
}

TRIAD_POINT_INLINE triad_compressible_waves triad_compressible_wave_sizes(int riemann, const triad_compressible_gas *g,
                                                                          triad_compressible_average m,
                                                                          triad_compressible_cell a,
                                                                          triad_compressible_cell b)
{
  triad_compressible_waves s;
  triad_real ca = triad_gas_quick_root(a.T), cb = triad_gas_quick_root(b.T);
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
  triad_real volume = m.per_rho, p = g->gm1 * (d.e - m.n * d.n - m.s * d.s - m.t * d.t + m.kinetic * d.r);
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

/* U of a cell. */
TRIAD_POINT_INLINE triad_compressible_five triad_compressible_conserved(const triad_compressible_gas *g,
                                                                        triad_compressible_cell q)
{
  triad_real kinetic = TRIAD_R(0.5) * (q.n * q.n + q.s * q.s + q.t * q.t);
  return (triad_compressible_five){q.rho, q.rho * q.n, q.rho * q.s, q.rho * q.t,
                                   q.rho * (q.T * (g->per_gamma * g->per_gm1) + kinetic)};
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

/* ---- waves at a face in units of its average: of density, of sound, and in fluxes times |u_n| + c ---- */

/* What waves of cells near a face are made with. */
typedef struct triad_compressible_frame {
  triad_compressible_average m;
  triad_real fast, per_fast, per_rho_c, push; /* |u_n| + c; one over it, over rho c and over c (|u_n| + c) */
} triad_compressible_frame;

TRIAD_POINT_INLINE triad_compressible_frame triad_compressible_frame_of(triad_compressible_average m)
{
  triad_compressible_frame f = {m, TRIAD_ABS(m.n) + m.c, 0, m.per_rho * m.per_c, 0};
  f.per_fast = triad_gas_quick_per(f.fast);
  f.push = m.per_c * f.per_fast;
  return f;
}

/* Epsilon in these units, of the waves of U and of the flux: that of the published scheme is in the user's. */
typedef struct triad_compressible_epsilons {
  triad_real entropy, sound, flux_entropy, flux_sound;
} triad_compressible_epsilons;

TRIAD_POINT_INLINE triad_compressible_epsilons triad_compressible_epsilons_of(const triad_compressible_gas *g,
                                                                              triad_compressible_frame f,
                                                                              triad_real epsilon)
{
  triad_compressible_epsilons e = {epsilon, epsilon, epsilon, epsilon};
  if (!g->published) return e;
  e.entropy *= f.m.per_rho * f.m.per_rho;
  e.sound *= f.m.per_c * f.m.per_c;
  e.flux_entropy = e.entropy * f.per_fast * f.per_fast;
  e.flux_sound = e.sound * f.per_fast * f.per_fast;
  return e;
}

/* A wave of a cell: of its U and of its flux. */
typedef struct triad_compressible_wave {
  triad_real u, f;
} triad_compressible_wave;

/* The wave of a tangential velocity, of a cell of density rho and velocity n across the face; `velocity` is the
 * tangential one less that of the average. */
TRIAD_POINT_INLINE triad_compressible_wave triad_compressible_shear(triad_compressible_frame f, triad_real rho,
                                                                    triad_real n, triad_real velocity)
{
  triad_real w = rho * f.per_rho_c * velocity;
  return (triad_compressible_wave){w, n * f.per_fast * w};
}

/* Entropy, and sound that moves down and up. With u the velocity less that of the average, the pressure of U there is
 * p + (gamma - 1) rho |u|^2/2, and the flux is u_n U and what p does. */
typedef struct triad_compressible_sound {
  triad_compressible_wave entropy, down, up;
} triad_compressible_sound;

TRIAD_POINT_INLINE triad_compressible_sound triad_compressible_sound_of(const triad_compressible_gas *g,
                                                                        triad_compressible_frame f,
                                                                        triad_compressible_cell q)
{
  triad_real n = q.n - f.m.n, s = q.s - f.m.s, t = q.t - f.m.t, rho = q.rho * f.m.per_rho, per = f.m.per_c * f.m.per_c;
  triad_real p = rho * (q.T * g->per_gamma), v = q.n * f.per_fast;
  triad_real pressure = triad_fma(rho * (TRIAD_R(0.5) * g->gm1), triad_compressible_square(n, s, t), p);
  triad_real u = rho * f.m.per_c * n, push = p * f.push, part = g->gm1 * f.m.per_c * n;
  triad_real entropy = triad_fma(-per, pressure, rho), down = triad_fma(-per, pressure, u),
             up = triad_fma(per, pressure, u);
  return (triad_compressible_sound){{entropy, triad_fma(v, entropy, -(push * part))},
                                    {down, triad_fma(v, down, triad_fma(-push, part, push))},
                                    {up, triad_fma(v, up, triad_fma(push, part, push))}};
}

/* Twice F of a wave whose size is `size`, in these units: the sum of both sides' fluxes less size times the jump of U;
 * sixth: of the size. */
TRIAD_POINT_INLINE triad_real triad_compressible_wave_flux(triad_real fast, triad_real sixth, triad_real sum,
                                                           triad_real six_jumps)
{
  return triad_fma(fast, sum, -(sixth * six_jumps));
}

/* The vector whose waves in these units are twice as large as x, as the sum of both sides' is. */
TRIAD_POINT_INLINE triad_compressible_five triad_compressible_from_unit_waves(const triad_compressible_gas *g,
                                                                              triad_compressible_average m,
                                                                              triad_compressible_five x)
{
  const triad_real half = TRIAD_R(0.5);
  triad_real p = half * (x.e - x.n), rho = half * m.rho, rho_c = rho * m.c, r = rho * (x.r + p);
  triad_real n = rho_c * (half * (x.n + x.e)), s = rho_c * x.s, t = rho_c * x.t;
  triad_real e = triad_fma(m.n, n, triad_fma(m.s, s, triad_fma(m.t, t, rho_c * m.c * g->per_gm1 * p)));
  return (triad_compressible_five){r, triad_fma(m.n, r, n), triad_fma(m.s, r, s), triad_fma(m.t, r, t),
                                   triad_fma(m.kinetic, r, e)};
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
