/* The arithmetic of one cell and one face of compressible flow on curvilinear blocks: states, slopes with their limiters,
 * four fluxes (docs/numerics.md section 17). Prefix mb: multi-block.
 *
 * A face has the area vector s = S n, S its area, n its unit normal from the left state to the right one. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_POINTS_H
#define TRIAD_SOLVERS_MULTIBLOCK_POINTS_H

#include "base/point.h"

enum { TRIAD_MB_FIELDS = 5 };

/* Density, velocity, pressure. */
typedef struct triad_mb_state {
  triad_real rho, u, v, w, p;
} triad_mb_state;

/* Mass, momentum, total energy: of a unit of volume, or as a flux through a face. */
typedef struct triad_mb_flux {
  triad_real mass, x, y, z, energy;
} triad_mb_flux;

typedef enum triad_mb_riemann {
  TRIAD_MB_ROE,
  TRIAD_MB_VAN_LEER,
  TRIAD_MB_STEGER_WARMING,
  TRIAD_MB_AUSM,
  TRIAD_MB_RIEMANN_KINDS
} triad_mb_riemann;

typedef enum triad_mb_limiter {
  TRIAD_MB_NO_LIMITER,
  TRIAD_MB_LIMIT_VAN_ALBADA,
  TRIAD_MB_LIMIT_VAN_LEER,
  TRIAD_MB_LIMIT_MINMOD,
  TRIAD_MB_LIMIT_SUPERBEE,
  TRIAD_MB_LIMIT_OSPRE,
  TRIAD_MB_LIMITERS
} triad_mb_limiter;

TRIAD_POINT_INLINE triad_real triad_mb_most(triad_real a, triad_real b) { return a > b ? a : b; }
TRIAD_POINT_INLINE triad_real triad_mb_least(triad_real a, triad_real b) { return a < b ? a : b; }

/* ---- states ---- */

TRIAD_POINT_INLINE triad_mb_flux triad_mb_conserved(triad_mb_state q, triad_real gamma)
{
  const triad_real half = TRIAD_R(0.5);
  return (triad_mb_flux){q.rho, q.rho * q.u, q.rho * q.v, q.rho * q.w,
                         q.p / (gamma - 1) + half * q.rho * (q.u * q.u + q.v * q.v + q.w * q.w)};
}

TRIAD_POINT_INLINE triad_mb_state triad_mb_primitive(triad_mb_flux c, triad_real gamma)
{
  const triad_real half = TRIAD_R(0.5), one = 1;
  triad_real per = one / c.mass, u = c.x * per, v = c.y * per, w = c.z * per;
  return (triad_mb_state){c.mass, u, v, w, (gamma - 1) * (c.energy - half * (c.x * u + c.y * v + c.z * w))};
}

TRIAD_POINT_INLINE triad_real triad_mb_sound(triad_mb_state q, triad_real gamma)
{
  return TRIAD_SQRT(gamma * q.p / q.rho);
}

TRIAD_POINT_INLINE triad_real triad_mb_area(const triad_real s[3])
{
  return TRIAD_SQRT(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
}

/* Of the state itself through area vector s. */
TRIAD_POINT_INLINE triad_mb_flux triad_mb_flux_of(triad_mb_state q, const triad_real s[3], triad_real gamma)
{
  const triad_real half = TRIAD_R(0.5);
  triad_real through = q.u * s[0] + q.v * s[1] + q.w * s[2], mass = q.rho * through;
  triad_real enthalpy = gamma / (gamma - 1) * q.p + half * q.rho * (q.u * q.u + q.v * q.v + q.w * q.w);
  return (triad_mb_flux){mass, mass * q.u + q.p * s[0], mass * q.v + q.p * s[1], mass * q.w + q.p * s[2],
                         enthalpy * through};
}

/* (|u.s| + c S) of a cell, s its mean area vector across an axis: the rate at which waves carry volume. */
TRIAD_POINT_INLINE triad_real triad_mb_wave_rate(triad_mb_state q, const triad_real s[3], triad_real gamma)
{
  return TRIAD_ABS(q.u * s[0] + q.v * s[1] + q.w * s[2]) + triad_mb_sound(q, gamma) * triad_mb_area(s);
}

/* ---- slopes ---- */

/* Limited slope of a cell whose differences to the neighbours below and above are a and b: psi(b/a) a = psi(a/b) b, for
 * every limiter here has psi(1/r) = psi(r)/r, so that kappa drops out. 0 where a and b differ in sign. */
TRIAD_POINT_INLINE triad_real triad_mb_slope(triad_mb_limiter limiter, triad_real a, triad_real b)
{
  const triad_real tiny = sizeof(triad_real) == 8 ? TRIAD_R(1e-200) : TRIAD_R(1e-36), zero = 0, two = 2;
  triad_real ab = triad_mb_most(a * b, zero), x = TRIAD_ABS(a), y = TRIAD_ABS(b), sign = a + b < 0 ? TRIAD_R(-1) : TRIAD_R(1);
  switch (limiter) {
  case TRIAD_MB_LIMIT_VAN_ALBADA: return ab * (a + b) / (a * a + b * b + tiny);
  case TRIAD_MB_LIMIT_VAN_LEER: return sign * two * ab / (x + y + tiny);
  case TRIAD_MB_LIMIT_OSPRE: return TRIAD_R(1.5) * ab * (a + b) / (a * a + a * b + b * b + tiny);
  case TRIAD_MB_LIMIT_MINMOD: return ab > 0 ? sign * triad_mb_least(x, y) : zero;
  case TRIAD_MB_LIMIT_SUPERBEE:
    return ab > 0 ? sign * triad_mb_most(triad_mb_least(two * x, y), triad_mb_least(x, two * y)) : zero;
  default: return (a + b) / two;
  }
}

/* The part that a limiter leaves of the mean of both differences: 1 where it does nothing. */
TRIAD_POINT_INLINE triad_real triad_mb_limited_part(triad_mb_limiter limiter, triad_real a, triad_real b)
{
  const triad_real two = 2, zero = 0, one = 1;
  triad_real mean = (a + b) / two;
  if (!(mean > 0) && !(mean < 0)) return a > 0 || a < 0 ? zero : one; /* as much up as down; or no slope at all */
  return triad_mb_slope(limiter, a, b) / mean;
}

/* What a cell's value grows to at its upper face, and falls by at its lower one. Without limiter kappa counts: the
 * parabola through three means with 1/3. order = 0: nothing. */
TRIAD_POINT_INLINE void triad_mb_reach(triad_mb_limiter limiter, triad_real kappa, triad_real order, triad_real a,
                                       triad_real b, triad_real *down, triad_real *up)
{
  const triad_real half = TRIAD_R(0.5), quarter = TRIAD_R(0.25);
  if (limiter == TRIAD_MB_NO_LIMITER) {
    *up = order * quarter * ((1 - kappa) * a + (1 + kappa) * b);
    *down = order * quarter * ((1 + kappa) * a + (1 - kappa) * b);
  } else
    *up = *down = order * half * triad_mb_slope(limiter, a, b);
}

/* ---- fluxes ---- */

/* |l| with Harten's rounding below 2 e c. */
TRIAD_POINT_INLINE triad_real triad_mb_rounded(triad_real l, triad_real c)
{
  const triad_real fix = TRIAD_R(0.1);
  triad_real size = TRIAD_ABS(l), width = fix * c, quarter = TRIAD_R(0.25);
  return size < 2 * width ? quarter * size * size / width + width : size;
}

/* Roe 1981. */
TRIAD_POINT_INLINE triad_mb_flux triad_mb_roe(triad_mb_state l, triad_mb_state r, const triad_real s[3], triad_real gamma)
{
  const triad_real half = TRIAD_R(0.5), one = 1;
  triad_real area = triad_mb_area(s), per = one / triad_mb_most(area, TRIAD_R(1e-30));
  triad_real n[3] = {s[0] * per, s[1] * per, s[2] * per};
  triad_real g = gamma / (gamma - 1), ratio = TRIAD_SQRT(r.rho / l.rho), a = one / (one + ratio), b = one - a;
  triad_real hl = g * l.p / l.rho + half * (l.u * l.u + l.v * l.v + l.w * l.w);
  triad_real hr = g * r.p / r.rho + half * (r.u * r.u + r.v * r.v + r.w * r.w);
  triad_real rho = ratio * l.rho, u = a * l.u + b * r.u, v = a * l.v + b * r.v, w = a * l.w + b * r.w;
  triad_real h = a * hl + b * hr, speed = half * (u * u + v * v + w * w), c2 = (gamma - 1) * (h - speed);
  triad_real c = TRIAD_SQRT(triad_mb_most(c2, TRIAD_R(1e-30))), un = u * n[0] + v * n[1] + w * n[2];
  triad_real du = r.u - l.u, dv = r.v - l.v, dw = r.w - l.w, dp = r.p - l.p, dn = du * n[0] + dv * n[1] + dw * n[2];
  triad_real per_c2 = one / (c * c), mid = triad_mb_rounded(un, c);
  triad_real minus = triad_mb_rounded(un - c, c) * half * (dp - rho * c * dn) * per_c2;
  triad_real plus = triad_mb_rounded(un + c, c) * half * (dp + rho * c * dn) * per_c2;
  triad_real entropy = mid * (r.rho - l.rho - dp * per_c2), shear = mid * rho;
  triad_real waves = minus + plus, sound = (plus - minus) * c;
  triad_real nl = l.u * s[0] + l.v * s[1] + l.w * s[2], nr = r.u * s[0] + r.v * s[1] + r.w * s[2];
  triad_real ml = l.rho * nl, mr = r.rho * nr, p = l.p + r.p, all = waves + entropy;
  triad_real tu = du - dn * n[0], tv = dv - dn * n[1], tw = dw - dn * n[2];
  return (triad_mb_flux){
    half * (ml + mr - area * all),
    half * (ml * l.u + mr * r.u + p * s[0] - area * (all * u + sound * n[0] + shear * tu)),
    half * (ml * l.v + mr * r.v + p * s[1] - area * (all * v + sound * n[1] + shear * tv)),
    half * (ml * l.w + mr * r.w + p * s[2] - area * (all * w + sound * n[2] + shear * tw)),
    half * (ml * hl + mr * hr - area * (waves * h + sound * un + entropy * speed + shear * (u * tu + v * tv + w * tw)))};
}

/* The half of a split flux that goes along the normal (sign 1) or against it (-1). */
TRIAD_POINT_INLINE triad_mb_flux triad_mb_van_leer_half(triad_mb_state q, const triad_real n[3], triad_real gamma,
                                                        triad_real sign)
{
  const triad_real half = TRIAD_R(0.5), quarter = TRIAD_R(0.25);
  triad_real c = triad_mb_sound(q, gamma), un = q.u * n[0] + q.v * n[1] + q.w * n[2], mach = un / c;
  triad_real q2 = q.u * q.u + q.v * q.v + q.w * q.w, m = sign * (mach + sign), f = sign * quarter * q.rho * c * m * m;
  triad_real push = (2 * sign * c - un) / gamma, drive = (gamma - 1) * un + 2 * sign * c;
  triad_mb_flux split = {f, f * (q.u + push * n[0]), f * (q.v + push * n[1]), f * (q.w + push * n[2]),
                         f * (drive * drive / (2 * (gamma * gamma - 1)) + half * (q2 - un * un))};
  triad_mb_flux whole = triad_mb_flux_of(q, n, gamma);
  const int all = sign * mach >= 1, none = sign * mach <= -1;
  const triad_real zero = 0;
  return (triad_mb_flux){all ? whole.mass : none ? zero : split.mass, all ? whole.x : none ? zero : split.x,
                         all ? whole.y : none ? zero : split.y, all ? whole.z : none ? zero : split.z,
                         all ? whole.energy : none ? zero : split.energy};
}

TRIAD_POINT_INLINE triad_mb_flux triad_mb_steger_half(triad_mb_state q, const triad_real n[3], triad_real gamma,
                                                      triad_real sign)
{
  const triad_real half = TRIAD_R(0.5);
  triad_real c = triad_mb_sound(q, gamma), un = q.u * n[0] + q.v * n[1] + q.w * n[2];
  triad_real l1 = half * (un + sign * TRIAD_ABS(un)), l4 = half * (un + c + sign * TRIAD_ABS(un + c));
  triad_real l5 = half * (un - c + sign * TRIAD_ABS(un - c)), f = half * q.rho / gamma, g = gamma - 1;
  triad_real all = 2 * g * l1 + l4 + l5, sound = c * (l4 - l5), q2 = q.u * q.u + q.v * q.v + q.w * q.w;
  /* (u + c n)^2 = q2 + 2 u_n c + c^2 */
  triad_real energy = g * l1 * q2 + half * l4 * (q2 + 2 * un * c + c * c) + half * l5 * (q2 - 2 * un * c + c * c) +
                      (3 - gamma) * (l4 + l5) * c * c / (2 * g);
  return (triad_mb_flux){f * all, f * (all * q.u + sound * n[0]), f * (all * q.v + sound * n[1]),
                         f * (all * q.w + sound * n[2]), f * energy};
}

/* AUSM+ (Liou 1996, J. Comput. Phys. 129, 364), alpha = 3/16, beta = 1/8, its speed of sound at the face the mean. */
TRIAD_POINT_INLINE triad_mb_flux triad_mb_ausm(triad_mb_state l, triad_mb_state r, const triad_real s[3], triad_real gamma)
{
  const triad_real half = TRIAD_R(0.5), quarter = TRIAD_R(0.25), eighth = TRIAD_R(0.125), alpha = TRIAD_R(0.1875), one = 1;
  triad_real area = triad_mb_area(s), per = one / triad_mb_most(area, TRIAD_R(1e-30)), g = gamma / (gamma - 1);
  triad_real c = half * (triad_mb_sound(l, gamma) + triad_mb_sound(r, gamma));
  triad_real ml = (l.u * s[0] + l.v * s[1] + l.w * s[2]) * per / c, mr = (r.u * s[0] + r.v * s[1] + r.w * s[2]) * per / c;
  triad_real l2 = ml * ml - 1, r2 = mr * mr - 1, lp = ml + 1, rm = mr - 1;
  triad_real to = TRIAD_ABS(ml) >= 1 ? half * (ml + TRIAD_ABS(ml)) : quarter * lp * lp + eighth * l2 * l2;
  triad_real from = TRIAD_ABS(mr) >= 1 ? half * (mr - TRIAD_ABS(mr)) : -quarter * rm * rm - eighth * r2 * r2;
  triad_real pl = ml >= 1 ? one : ml <= -1 ? 0 : quarter * lp * lp * (2 - ml) + alpha * ml * l2 * l2;
  triad_real pr = mr <= -1 ? one : mr >= 1 ? 0 : quarter * rm * rm * (2 + mr) - alpha * mr * r2 * r2;
  triad_real mach = to + from, p = pl * l.p + pr * r.p, speed = c * mach * area;
  triad_real a = half * (speed + TRIAD_ABS(speed)) * l.rho, b = half * (speed - TRIAD_ABS(speed)) * r.rho;
  triad_real hl = g * l.p / l.rho + half * (l.u * l.u + l.v * l.v + l.w * l.w);
  triad_real hr = g * r.p / r.rho + half * (r.u * r.u + r.v * r.v + r.w * r.w);
  return (triad_mb_flux){a + b, a * l.u + b * r.u + p * s[0], a * l.v + b * r.v + p * s[1], a * l.w + b * r.w + p * s[2],
                         a * hl + b * hr};
}

/* Through a face between two states. */
TRIAD_POINT_INLINE triad_mb_flux triad_mb_face(triad_mb_riemann kind, triad_mb_state l, triad_mb_state r,
                                               const triad_real s[3], triad_real gamma)
{
  const triad_real one = 1;
  if (kind == TRIAD_MB_ROE) return triad_mb_roe(l, r, s, gamma);
  if (kind == TRIAD_MB_AUSM) return triad_mb_ausm(l, r, s, gamma);
  triad_real area = triad_mb_area(s), per = one / triad_mb_most(area, TRIAD_R(1e-30));
  const triad_real n[3] = {s[0] * per, s[1] * per, s[2] * per};
  triad_mb_flux a = kind == TRIAD_MB_VAN_LEER ? triad_mb_van_leer_half(l, n, gamma, 1) : triad_mb_steger_half(l, n, gamma, 1);
  triad_mb_flux b = kind == TRIAD_MB_VAN_LEER ? triad_mb_van_leer_half(r, n, gamma, -1)
                                              : triad_mb_steger_half(r, n, gamma, -1);
  return (triad_mb_flux){area * (a.mass + b.mass), area * (a.x + b.x), area * (a.y + b.y), area * (a.z + b.z),
                         area * (a.energy + b.energy)};
}

/* ---- geometry ---- */

/* Area vector of the quadrilateral a, b, c, d, in this order around it: half the product of its diagonals, which every
 * surface with these edges has. */
TRIAD_POINT void triad_mb_quad(const double a[3], const double b[3], const double c[3], const double d[3], double s[3])
{
  double e[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]}, f[3] = {d[0] - b[0], d[1] - b[1], d[2] - b[2]};
  s[0] = (e[1] * f[2] - e[2] * f[1]) / 2;
  s[1] = (e[2] * f[0] - e[0] * f[2]) / 2;
  s[2] = (e[0] * f[1] - e[1] * f[0]) / 2;
}

#endif
