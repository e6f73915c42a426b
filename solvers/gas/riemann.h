/* Approximate Riemann solvers of the ideal gas: the flux through a face between two states, a function for each row of
 * TRIAD_GAS_FLUXES (solvers/gas/kinds.h). All families of the gas and both devices use these functions. */
#ifndef TRIAD_SOLVERS_GAS_RIEMANN_H
#define TRIAD_SOLVERS_GAS_RIEMANN_H

#include "solvers/gas/kinds.h"
#include "solvers/gas/state.h"
#include "solvers/gas/values.h"

/* |l| with Harten's rounding below 2 e c, l^2/(4 e c) + e c: written so that all lanes of a vector do the same. */
TRIAD_POINT_INLINE triad_real triad_gas_rounded(triad_real l, triad_real c, triad_real per_c)
{
  const triad_real width = TRIAD_R(0.2) * c, per = TRIAD_R(2.5) * per_c, half = TRIAD_R(0.5);
  triad_real size = TRIAD_ABS(l), less = width - size, below = half * (less + TRIAD_ABS(less));
  return size + below * below * per;
}

/* Harten's |lambda| within delta of 0: (lambda^2 + delta^2)/(2 delta) there (Harten 1983, J. Comput. Phys. 49, 357). */
TRIAD_POINT_INLINE triad_real triad_gas_harten(triad_real lambda, triad_real delta)
{
  triad_real size = TRIAD_ABS(lambda);
  return size < delta ? triad_fma(lambda, lambda, delta * delta) * triad_gas_quick_per(2 * delta) : size;
}

/* How far a wave spreads between the cells below and above a face, where its speed is `below` and `above`, and
 * `lambda` in the average; 0 where it steepens. With this as Harten's delta no rarefaction stays a jump (Harten and
 * Hyman 1983, J. Comput. Phys. 50, 235). */
TRIAD_POINT_INLINE triad_real triad_gas_spread(triad_real below, triad_real lambda, triad_real above)
{
  return triad_max(TRIAD_R(0), triad_max(lambda - below, above - lambda));
}

/* Roe 1981. Speeds are those times the face's area S: u_n S = u . s, c S; so that a normal is not wanted, and two
 * roots and two quotients do: the mean density with both p/rho and the mean's weight, and c S with 1/(c S), of which
 * 1/c^2 and 1/S^2 follow. sonic, known when it is compiled: only sound waves that spread through a face are rounded,
 * and contacts are exact; else all waves below 0.2 c. */
TRIAD_POINT_INLINE triad_gas_flux triad_gas_roe_of(triad_gas_state l, triad_gas_state r, triad_gas_vector s,
                                                   triad_real gamma, int sonic)
{
  const triad_real half = TRIAD_R(0.5), one = 1, tiny = TRIAD_R(1e-30), g = gamma * triad_gas_per(gamma - 1);
  const triad_real square = triad_gas_area_square(s);
  triad_real both = l.rho * r.rho, rho = triad_gas_root(both), sum = rho + r.rho, per = triad_gas_per(both * sum);
  triad_real per_rho = sum * per, a = both * rho * per, b = one - a;
  triad_real pl = per_rho * r.rho * l.p, pr = per_rho * l.rho * r.p; /* p/rho of each */
  triad_real hl = g * pl + half * (l.u * l.u + l.v * l.v + l.w * l.w);
  triad_real hr = g * pr + half * (r.u * r.u + r.v * r.v + r.w * r.w);
  triad_real u = a * l.u + b * r.u, v = a * l.v + b * r.v, w = a * l.w + b * r.w;
  triad_real h = a * hl + b * hr, speed = half * (u * u + v * v + w * w);
  triad_real c2 = TRIAD_ABS((gamma - 1) * (h - speed)) + tiny, cs2 = c2 * square, per_cs = triad_gas_per_root(cs2),
             cs = cs2 * per_cs;
  triad_real per_cs2 = per_cs * per_cs, per_c2 = per_cs2 * square, per_square = per_cs2 * c2;
  triad_real nl = l.u * s.x + l.v * s.y + l.w * s.z, nr = r.u * s.x + r.v * s.y + r.w * s.z, ns = a * nl + b * nr;
  triad_real du = r.u - l.u, dv = r.v - l.v, dw = r.w - l.w, dp = r.p - l.p, dn = (nr - nl) * per_square;
  triad_real csl = triad_gas_root(gamma * pl * square), csr = triad_gas_root(gamma * pr * square);
  triad_real mid = sonic ? TRIAD_ABS(ns) : triad_gas_rounded(ns, cs, per_cs), jump = rho * cs * dn,
             fall = half * per_c2;
  triad_real down = sonic ? triad_gas_harten(ns - cs, triad_gas_spread(nl - csl, ns - cs, nr - csr))
                          : triad_gas_rounded(ns - cs, cs, per_cs);
  triad_real up = sonic ? triad_gas_harten(ns + cs, triad_gas_spread(nl + csl, ns + cs, nr + csr))
                        : triad_gas_rounded(ns + cs, cs, per_cs);
  triad_real minus = down * fall * (dp - jump), plus = up * fall * (dp + jump);
  triad_real entropy = mid * (r.rho - l.rho - dp * per_c2), shear = mid * rho, waves = minus + plus;
  triad_real all = waves + entropy, along = (plus - minus) * cs * per_square - shear * dn; /* along: over S */
  triad_real ml = l.rho * nl, mr = r.rho * nr, p = l.p + r.p - along;
  triad_real energy = waves * h + along * ns + entropy * speed + shear * (u * du + v * dv + w * dw);
  return (triad_gas_flux){half * (ml + mr - all), half * (ml * l.u + mr * r.u + p * s.x - (all * u + shear * du)),
                          half * (ml * l.v + mr * r.v + p * s.y - (all * v + shear * dv)),
                          half * (ml * l.w + mr * r.w + p * s.z - (all * w + shear * dw)),
                          half * (ml * hl + mr * hr - energy)};
}

TRIAD_POINT_INLINE triad_gas_flux triad_gas_roe(triad_gas_state l, triad_gas_state r, triad_gas_vector s,
                                                triad_real gamma)
{
  return triad_gas_roe_of(l, r, s, gamma, 0);
}

TRIAD_POINT_INLINE triad_gas_flux triad_gas_roe_sonic(triad_gas_state l, triad_gas_state r, triad_gas_vector s,
                                                      triad_real gamma)
{
  return triad_gas_roe_of(l, r, s, gamma, 1);
}

/* The half of a split flux that goes along the normal (sign 1) or against it (-1). */
TRIAD_POINT_INLINE triad_gas_flux triad_gas_van_leer_half(triad_gas_state q, triad_gas_vector n, triad_real gamma,
                                                          triad_real sign)
{
  const triad_real half = TRIAD_R(0.5), quarter = TRIAD_R(0.25);
  triad_real c = triad_gas_sound(q, gamma), un = q.u * n.x + q.v * n.y + q.w * n.z, mach = un * triad_gas_per(c);
  triad_real q2 = q.u * q.u + q.v * q.v + q.w * q.w, m = sign * (mach + sign), f = sign * quarter * q.rho * c * m * m;
  triad_real push = (2 * sign * c - un) / gamma, drive = (gamma - 1) * un + 2 * sign * c;
  triad_gas_flux split = {f, f * (q.u + push * n.x), f * (q.v + push * n.y), f * (q.w + push * n.z),
                          f * (drive * drive / (2 * (gamma * gamma - 1)) + half * (q2 - un * un))};
  triad_gas_flux whole = triad_gas_through(q, n, gamma);
  const int all = sign * mach >= 1, none = sign * mach <= -1;
  const triad_real zero = 0;
  return (triad_gas_flux){all    ? whole.mass
                          : none ? zero
                                 : split.mass,
                          all    ? whole.x
                          : none ? zero
                                 : split.x,
                          all    ? whole.y
                          : none ? zero
                                 : split.y,
                          all    ? whole.z
                          : none ? zero
                                 : split.z,
                          all    ? whole.energy
                          : none ? zero
                                 : split.energy};
}

TRIAD_POINT_INLINE triad_gas_flux triad_gas_steger_half(triad_gas_state q, triad_gas_vector n, triad_real gamma,
                                                        triad_real sign)
{
  const triad_real half = TRIAD_R(0.5);
  triad_real c = triad_gas_sound(q, gamma), un = q.u * n.x + q.v * n.y + q.w * n.z;
  triad_real l1 = half * (un + sign * TRIAD_ABS(un)), l4 = half * (un + c + sign * TRIAD_ABS(un + c));
  triad_real l5 = half * (un - c + sign * TRIAD_ABS(un - c)), f = half * q.rho / gamma, g = gamma - 1;
  triad_real all = 2 * g * l1 + l4 + l5, sound = c * (l4 - l5), q2 = q.u * q.u + q.v * q.v + q.w * q.w;
  /* (u + c n)^2 = q2 + 2 u_n c + c^2 */
  triad_real energy = g * l1 * q2 + half * l4 * (q2 + 2 * un * c + c * c) + half * l5 * (q2 - 2 * un * c + c * c) +
                      (3 - gamma) * (l4 + l5) * c * c / (2 * g);
  return (triad_gas_flux){f * all, f * (all * q.u + sound * n.x), f * (all * q.v + sound * n.y),
                          f * (all * q.w + sound * n.z), f * energy};
}

/* Sum of both halves of a split flux, times the face's area. */
TRIAD_POINT_INLINE triad_gas_flux triad_gas_add_halves(triad_real area, triad_gas_flux a, triad_gas_flux b)
{
  return (triad_gas_flux){area * (a.mass + b.mass), area * (a.x + b.x), area * (a.y + b.y), area * (a.z + b.z),
                          area * (a.energy + b.energy)};
}

/* Flux vector splitting by van Leer 1982. */
TRIAD_POINT_INLINE triad_gas_flux triad_gas_van_leer(triad_gas_state l, triad_gas_state r, triad_gas_vector s,
                                                     triad_real gamma)
{
  const triad_gas_facing face = triad_gas_facing_of(s);
  const triad_gas_flux a = triad_gas_van_leer_half(l, face.n, gamma, 1),
                       b = triad_gas_van_leer_half(r, face.n, gamma, -1);
  return triad_gas_add_halves(face.area, a, b);
}

/* Flux vector splitting by Steger and Warming 1981. */
TRIAD_POINT_INLINE triad_gas_flux triad_gas_steger_warming(triad_gas_state l, triad_gas_state r, triad_gas_vector s,
                                                           triad_real gamma)
{
  const triad_gas_facing face = triad_gas_facing_of(s);
  const triad_gas_flux a = triad_gas_steger_half(l, face.n, gamma, 1), b = triad_gas_steger_half(r, face.n, gamma, -1);
  return triad_gas_add_halves(face.area, a, b);
}

/* AUSM+ (Liou 1996, J. Comput. Phys. 129, 364), alpha = 3/16, beta = 1/8, its speed of sound at the face the mean. */
TRIAD_POINT_INLINE triad_gas_flux triad_gas_ausm(triad_gas_state l, triad_gas_state r, triad_gas_vector s,
                                                 triad_real gamma)
{
  const triad_real half = TRIAD_R(0.5), quarter = TRIAD_R(0.25), eighth = TRIAD_R(0.125), alpha = TRIAD_R(0.1875),
                   one = 1;
  const triad_gas_facing face = triad_gas_facing_of(s);
  triad_real g = gamma * triad_gas_per(gamma - 1), c = half * (triad_gas_sound(l, gamma) + triad_gas_sound(r, gamma)),
             per_c = triad_gas_per(c);
  triad_real ml = triad_gas_dot(triad_gas_velocity(l), face.n) * per_c,
             mr = triad_gas_dot(triad_gas_velocity(r), face.n) * per_c;
  triad_real l2 = ml * ml - 1, r2 = mr * mr - 1, lp = ml + 1, rm = mr - 1;
  triad_real to = TRIAD_ABS(ml) >= 1 ? half * (ml + TRIAD_ABS(ml)) : quarter * lp * lp + eighth * l2 * l2;
  triad_real from = TRIAD_ABS(mr) >= 1 ? half * (mr - TRIAD_ABS(mr)) : -quarter * rm * rm - eighth * r2 * r2;
  triad_real pl = ml >= 1 ? one : ml <= -1 ? 0 : quarter * lp * lp * (2 - ml) + alpha * ml * l2 * l2;
  triad_real pr = mr <= -1 ? one : mr >= 1 ? 0 : quarter * rm * rm * (2 + mr) - alpha * mr * r2 * r2;
  triad_real mach = to + from, p = pl * l.p + pr * r.p, speed = c * mach * face.area;
  triad_real a = half * (speed + TRIAD_ABS(speed)) * l.rho, b = half * (speed - TRIAD_ABS(speed)) * r.rho;
  triad_real hl = g * l.p * triad_gas_per(l.rho) + half * (l.u * l.u + l.v * l.v + l.w * l.w);
  triad_real hr = g * r.p * triad_gas_per(r.rho) + half * (r.u * r.u + r.v * r.v + r.w * r.w);
  return (triad_gas_flux){a + b, a * l.u + b * r.u + p * s.x, a * l.v + b * r.v + p * s.y, a * l.w + b * r.w + p * s.z,
                          a * hl + b * hr};
}

/* ---- on arrays of values ---- */

/* Rusanov: (F(l) + F(r))/2 - speed (u_r - u_l)/2; speed: the faster of both sides' |u.n| + c. */
TRIAD_POINT_INLINE void triad_gas_rusanov_of(const triad_gas_constants *g, const triad_real l[5], const triad_real r[5],
                                             triad_real speed, const triad_real *n, triad_real f[5])
{
  triad_real a[5], b[5], ul[5], ur[5];
  triad_gas_values_flux(g, l, n, a);
  triad_gas_values_flux(g, r, n, b);
  triad_gas_values_conserved(g, l, ul);
  triad_gas_values_conserved(g, r, ur);
  TRIAD_GAS_UNROLL
  for (int k = 0; k < 5; k++) f[k] = TRIAD_R(0.5) * ((a[k] + b[k]) - speed * (ur[k] - ul[k]));
}

TRIAD_POINT_INLINE void triad_gas_values_rusanov(const triad_gas_constants *g, const triad_real l[5],
                                                 const triad_real r[5], const triad_real n[3], triad_real f[5])
{
  triad_gas_rusanov_of(g, l, r, triad_max(triad_gas_values_speed(g, l, n), triad_gas_values_speed(g, r, n)), n, f);
}

/* On a GPU registers are dearer than a division; tests look at both ways on a core. */
#ifndef TRIAD_GAS_DIVIDES_TWICE
#ifdef __CUDACC__
#define TRIAD_GAS_DIVIDES_TWICE 1
#else
#define TRIAD_GAS_DIVIDES_TWICE 0
#endif
#endif

/* HLLC (Toro 2009, section 10.4) with the sides' speeds of sound, outer waves by Davis: the slowest u.n - c and the
 * fastest u.n + c of both sides. The star state's energy is what the outer wave S leaves behind, E* (S - S*) = E (S
 * - u.n) - p u.n + p* S*. On a core one division serves S* = push/mass and 1/(S - S*) = mass/(mass S - push), as
 * mass > 0. Values are chosen, not ways, so that loops become vector instructions. */
TRIAD_POINT_INLINE void triad_gas_hllc_of(const triad_gas_constants *g, const triad_real l[5], const triad_real r[5],
                                          triad_real cl, triad_real cr, const triad_real *n, triad_real f[5])
{
  triad_real q[5];
  const triad_real ul = triad_gas_normal_part(l + 1, n), ur = triad_gas_normal_part(r + 1, n);
  const triad_real first = triad_min(ul - cl, ur - cr), last = triad_max(ul + cl, ur + cr);
  const triad_real ml = l[0] * (first - ul), mr = r[0] * (last - ur);
  const triad_real mass = mr - ml, push = l[4] - r[4] - ml * ul + mr * ur;
  const int plain = (first >= 0) | (last <= 0), left = (first >= 0) | ((last > 0) & (push >= 0));
  TRIAD_GAS_UNROLL
  for (int k = 0; k < 5; k++) q[k] = left ? l[k] : r[k];
  const triad_real outer = left ? first : last, side = left ? ml : mr, through = left ? ul : ur;
#if TRIAD_GAS_DIVIDES_TWICE
  const triad_real middle = push / mass, per = 1 / (outer - middle);
#else
  const triad_real gap = mass * outer - push, both = 1 / (mass * gap), middle = push * gap * both,
                   per = mass * mass * both;
#endif
  const triad_real energy = q[4] * g->per_gm1 + TRIAD_R(0.5) * q[0] * triad_gas_dot3(q + 1, q + 1);
  const triad_real star = q[4] + side * (middle - through);
  const triad_real behind = ((outer - through) * energy - q[4] * through + star * middle) * per;
  const triad_real speed = plain ? through : middle, p = plain ? q[4] : star;
  f[0] = plain ? q[0] * through : side * per * middle;
  const triad_real along = n ? f[0] * (speed - through) + p : f[0] * speed + p;
  TRIAD_GAS_UNROLL
  for (int i = 0; i < 3; i++) f[1 + i] = n || i > 0 ? triad_gas_pushed(f[0] * q[1 + i], along, n, i) : along;
  f[4] = speed * ((plain ? energy : behind) + p);
}

/* Both sides' speeds of sound: a GPU has 1/sqrt(x), of c = gamma p/sqrt(gamma p rho); a core divides once for both. */
TRIAD_POINT_INLINE void triad_gas_values_sounds(const triad_gas_constants *g, const triad_real l[5],
                                                const triad_real r[5], triad_real *cl, triad_real *cr)
{
  const triad_real left = g->gamma * l[4], right = g->gamma * r[4];
#if defined(__CUDACC__) && defined(TRIAD_SINGLE)
  *cl = left * rsqrtf(left * l[0]);
  *cr = right * rsqrtf(right * r[0]);
#elif defined(__CUDACC__)
  *cl = left * rsqrt(left * l[0]);
  *cr = right * rsqrt(right * r[0]);
#else
  const triad_real both = 1 / (l[0] * r[0]);
  *cl = TRIAD_SQRT(left * r[0] * both);
  *cr = TRIAD_SQRT(right * l[0] * both);
#endif
}

TRIAD_POINT_INLINE void triad_gas_values_hllc(const triad_gas_constants *g, const triad_real l[5],
                                              const triad_real r[5], const triad_real *n, triad_real f[5])
{
  triad_real cl, cr;
  triad_gas_values_sounds(g, l, r, &cl, &cr);
  triad_gas_hllc_of(g, l, r, cl, cr, n, f);
}

/* Values of a state, and a flux per area times an area. */
TRIAD_POINT_INLINE void triad_gas_values_of(triad_gas_state q, triad_real out[5])
{
  out[0] = q.rho;
  out[1] = q.u;
  out[2] = q.v;
  out[3] = q.w;
  out[4] = q.p;
}

TRIAD_POINT_INLINE triad_gas_flux triad_gas_flux_times(triad_real area, const triad_real f[5])
{
  return (triad_gas_flux){area * f[0], area * f[1], area * f[2], area * f[3], area * f[4]};
}

/* ---- on states and areas ---- */

/* HLLC by Toro, Spruce and Speares 1994. */
TRIAD_POINT_INLINE triad_gas_flux triad_gas_hllc(triad_gas_state l, triad_gas_state r, triad_gas_vector s,
                                                 triad_real gamma)
{
  const triad_gas_facing face = triad_gas_facing_of(s);
  const triad_gas_constants g = {gamma, gamma - 1, triad_gas_per(gamma - 1)};
  const triad_real n[3] = {face.n.x, face.n.y, face.n.z};
  triad_real left[5], right[5], f[5];
  triad_gas_values_of(l, left);
  triad_gas_values_of(r, right);
  triad_gas_hllc_of(&g, left, right, triad_gas_sound(l, gamma), triad_gas_sound(r, gamma), n, f);
  return triad_gas_flux_times(face.area, f);
}

/* Rusanov 1962: the mean of both fluxes less half the jump times the fastest wave. */
TRIAD_POINT_INLINE triad_gas_flux triad_gas_rusanov(triad_gas_state l, triad_gas_state r, triad_gas_vector s,
                                                    triad_real gamma)
{
  const triad_gas_facing face = triad_gas_facing_of(s);
  const triad_gas_constants g = {gamma, gamma - 1, triad_gas_per(gamma - 1)};
  const triad_real n[3] = {face.n.x, face.n.y, face.n.z};
  const triad_real fast_l = TRIAD_ABS(triad_gas_dot(triad_gas_velocity(l), face.n)) + triad_gas_sound(l, gamma),
                   fast_r = TRIAD_ABS(triad_gas_dot(triad_gas_velocity(r), face.n)) + triad_gas_sound(r, gamma);
  triad_real left[5], right[5], f[5];
  triad_gas_values_of(l, left);
  triad_gas_values_of(r, right);
  triad_gas_rusanov_of(&g, left, right, triad_max(fast_l, fast_r), n, f);
  return triad_gas_flux_times(face.area, f);
}

/* ---- by kind ---- */

/* Flux through a face between two states, by the function of this kind's row. A number that is no kind gives NaN, which
 * ends the run. */
TRIAD_POINT_INLINE triad_gas_flux triad_gas_between(triad_gas_riemann kind, triad_gas_state l, triad_gas_state r,
                                                    triad_gas_vector s, triad_real gamma)
{
  const triad_real none = TRIAD_R(NAN);
  switch (kind) {
#define TRIAD_GAS_CASE(kind, word, about, flux, ...) \
  case kind: return flux(l, r, s, gamma);
    TRIAD_GAS_FLUXES(TRIAD_GAS_CASE)
#undef TRIAD_GAS_CASE
  }
  return (triad_gas_flux){none, none, none, none, none};
}

TRIAD_POINT_INLINE triad_gas_flux triad_gas_face(triad_gas_riemann kind, triad_gas_state l, triad_gas_state r,
                                                 const triad_real s[3], triad_real gamma)
{
  return triad_gas_between(kind, l, r, triad_gas_vector_of(s), gamma);
}

/* A function that is called: no part of the loops and kernels that call it, which stay as small and fast as they are
 * without it. */
#ifdef __CUDACC__
#define TRIAD_GAS_CALLED static __host__ __device__ __noinline__
#else
#define TRIAD_GAS_CALLED static __attribute__((noinline, unused))
#endif

/* A unit normal, NULL for the first axis, as an area vector. */
TRIAD_POINT_INLINE triad_gas_vector triad_gas_normal_of(const triad_real *n)
{
  return (triad_gas_vector){n ? n[0] : TRIAD_R(1), n ? n[1] : TRIAD_R(0), n ? n[2] : TRIAD_R(0)};
}

/* triad_gas_between for a kind known at run time. */
TRIAD_GAS_CALLED triad_gas_flux triad_gas_chosen(triad_gas_riemann kind, triad_gas_state l, triad_gas_state r,
                                                 triad_gas_vector s, triad_real gamma)
{
  return triad_gas_between(kind, l, r, s, gamma);
}

/* The same per area from arrays of values with both speeds of sound in l[5] and r[5]; speed: the fastest wave; n NULL:
 * the first axis. HLLC and Rusanov's flux use the speeds that the caller has, and are vectorised if the compiler knows
 * the kind; the others are called. */
TRIAD_POINT_INLINE void triad_gas_values_between(triad_gas_riemann kind, const triad_gas_constants *g,
                                                 const triad_real l[6], const triad_real r[6], triad_real speed,
                                                 const triad_real *n, triad_real f[5])
{
  if (kind == TRIAD_GAS_HLLC) triad_gas_hllc_of(g, l, r, l[5], r[5], n, f);
  else if (kind == TRIAD_GAS_RUSANOV) triad_gas_rusanov_of(g, l, r, speed, n, f);
  else {
    const triad_gas_flux flux =
      triad_gas_chosen(kind, (triad_gas_state){l[0], l[1], l[2], l[3], l[4]},
                       (triad_gas_state){r[0], r[1], r[2], r[3], r[4]}, triad_gas_normal_of(n), g->gamma);
    f[0] = flux.mass;
    f[1] = flux.x;
    f[2] = flux.y;
    f[3] = flux.z;
    f[4] = flux.energy;
  }
}

/* LOOP(KIND) in three variants, of which a loop or a kernel is compiled for each: HLLC and Rusanov's flux, which
 * the compiler knows, and the others, known at run time. */
#define TRIAD_GAS_BY_KIND(kind, LOOP) \
  do { \
    if ((kind) == TRIAD_GAS_HLLC) { \
      LOOP(TRIAD_GAS_HLLC); \
    } else if ((kind) == TRIAD_GAS_RUSANOV) { \
      LOOP(TRIAD_GAS_RUSANOV); \
    } else { \
      LOOP(TRIAD_GAS_AT_RUN_TIME); \
    } \
  } while (0)
enum { TRIAD_GAS_AT_RUN_TIME = TRIAD_GAS_RIEMANN_KINDS };

/* The Riemann solver of a loop that is compiled for `known` and is given one at run time. */
TRIAD_POINT_INLINE triad_gas_riemann triad_gas_riemann_of(int known, triad_gas_riemann given)
{
  return known == TRIAD_GAS_AT_RUN_TIME ? given : (triad_gas_riemann)known;
}

#endif
