/* The temperature of a cell on a staggered mesh, in its centre: advection, conduction, buoyancy on a face, and what the
 * cell adds to the series (docs/methods/staggered.md eq. 77 to 80).
 *
 * Beyond an end of the box that is held at T_w the ghost is 2 T_w - T, beyond another one T, so that conduction and
 * the carried temperature need no cases there. Solid cells keep their temperature. */
#ifndef TRIAD_SOLVERS_STAGGERED_POINTS_HEAT_POINTS_H
#define TRIAD_SOLVERS_STAGGERED_POINTS_HEAT_POINTS_H

#include "solvers/staggered/points/forces_points.h"
#include "solvers/staggered/points/volume_points.h"

/* div (u T) of a cell: each face carries the plain mean of its two temperatures, so that sum V T div (u T) = 0 if
 * div u = 0 and nothing goes through the ends. */
TRIAD_POINT_INLINE triad_real triad_staggered_carried_heat(const triad_staggered_sizes *m, const triad_real *const u[3],
                                                           const triad_real *heat, int64_t at, const int64_t c[3])
{
  const triad_real half = TRIAD_R(0.5), p = heat[at];
  triad_real sum = 0;
  for (int b = 0; b < 3; b++) {
    const int64_t t = m->step[b];
    sum += half * m->per_h[b][c[b]] * (u[b][at + t] * (p + heat[at + t]) - u[b][at] * (heat[at - t] + p));
  }
  return sum;
}

/* 1 over the distance to the temperature across a side, 0 for an adiabatic one. A solid is half a cell away. held: are
 * solids isothermal? */
TRIAD_POINT_INLINE triad_real triad_staggered_conductance(const int b, const int upper, const int solids,
                                                          const int held, const triad_staggered_sizes *m, int64_t at,
                                                          const int64_t c[3])
{
  const int64_t t = upper ? m->step[b] : -m->step[b];
  const triad_real apart = m->per_d[b][upper ? c[b] + 1 : c[b]];
  if (!solids) return apart;
  const triad_real solid = (triad_real)(m->open[at + t] >> 6 & 1);
  return apart + solid * ((triad_real)(2 * held) * m->per_h[b][c[b]] - apart);
}

/* div grad T of a cell of fluid. */
TRIAD_POINT_INLINE triad_real triad_staggered_conduction(const int solids, const int held,
                                                         const triad_staggered_sizes *m, const triad_real *heat,
                                                         int64_t at, const int64_t c[3])
{
  const triad_real p = heat[at];
  triad_real sum = 0;
  for (int b = 0; b < 3; b++) {
    const int64_t t = m->step[b];
    const triad_real up = (heat[at + t] - p) * triad_staggered_conductance(b, 1, solids, held, m, at, c);
    const triad_real down = (p - heat[at - t]) * triad_staggered_conductance(b, 0, solids, held, m, at, c);
    sum += (up - down) * m->per_h[b][c[b]];
  }
  return sum;
}

/* 1 in fluid, 0 in solids. */
TRIAD_POINT_INLINE triad_real triad_staggered_is_fluid(const triad_staggered_sizes *m, int64_t at)
{
  return 1 - (triad_real)(m->open[at] >> 6 & 1);
}

/* The rate of heating by the uniform source and by the flow along a mean gradient. */
TRIAD_POINT_INLINE triad_real triad_staggered_heating(const triad_staggered_sizes *m, const triad_real *const u[3],
                                                      triad_real source, const triad_real gradient[3], int64_t at)
{
  triad_real sum = source;
  for (int b = 0; b < 3; b++) sum -= gradient[b] * TRIAD_R(0.5) * (u[b][at] + u[b][at + m->step[b]]);
  return sum;
}

/* dT/dt of a cell: heating, less what the flow carries away of `in`, and conduction in `diffused`; 0 in solids.
 * gradient: of the mean temperature; source: heating per time. */
TRIAD_POINT_INLINE triad_real triad_staggered_heat_change(const int solids, const int held,
                                                          const triad_staggered_sizes *m, const triad_real *const u[3],
                                                          const triad_real *in, const triad_real *diffused,
                                                          triad_real diffusivity, triad_real source,
                                                          const triad_real gradient[3], int64_t at, const int64_t c[3])
{
  triad_real change = triad_staggered_heating(m, u, source, gradient, at) -
                      triad_staggered_carried_heat(m, u, in, at, c) +
                      diffusivity * triad_staggered_conduction(solids, held, m, diffused, at, c);
  if (solids) change *= triad_staggered_is_fluid(m, at);
  return change;
}

/* Acceleration of the lower face across a: factor times the mean of T - T_0 of its two cells, the temperature that the
 * face carries, so that buoyancy gives the flow the potential energy that the cells lose. 0 at closed faces. */
TRIAD_POINT_INLINE triad_real triad_staggered_buoyancy(const int a, const triad_staggered_sizes *m,
                                                       const triad_real *heat, triad_real reference, triad_real factor,
                                                       int64_t at)
{
  const triad_real mean = TRIAD_R(0.5) * (heat[at] + heat[at - m->step[a]]);
  return triad_staggered_passes(a, m, at) * factor * (mean - reference);
}

/* What a cell with that area adds to profiles. Fluxes are the mean of those through its two faces. */
TRIAD_POINT_INLINE void triad_staggered_profile_heat(const triad_staggered_sizes *m, const triad_real *const u[3],
                                                     const triad_real *heat, int64_t at, double area,
                                                     double out[TRIAD_STAGGERED_PROFILE_ALL])
{
  double *to = &out[TRIAD_STAGGERED_PROFILE_HEAT];
  const double t = (double)heat[at];
  to[0] += area * t;
  to[1] += area * t * t;
  for (int a = 0; a < 3; a++) {
    const int64_t s = m->step[a];
    const double lower = (double)u[a][at] * ((double)heat[at - s] + t),
                 upper = (double)u[a][at + s] * (t + (double)heat[at + s]);
    to[2 + a] += area * (lower + upper) / 4;
  }
}

/* ---- what a cell adds to the series ---- */

/* Integrals over the fluid, theta = T - T_0: theta; theta^2/2; |grad theta|^2; u . buoyancy; u_a theta; and through
 * closed sides and the ends: heat that comes in, and the theta^2/2 that comes with it and with sources. Then the heat
 * conducted into the fluid by each end of the box, and by solids. */
enum {
  TRIAD_STAGGERED_HEAT_MEAN,
  TRIAD_STAGGERED_HEAT_SQUARE,
  TRIAD_STAGGERED_HEAT_GRADIENTS,
  TRIAD_STAGGERED_HEAT_POWER,
  TRIAD_STAGGERED_HEAT_HEATING,
  TRIAD_STAGGERED_HEAT_PRODUCTION,
  TRIAD_STAGGERED_HEAT_ENDS, /* [axis][upper] */
  TRIAD_STAGGERED_HEAT_FLUX = TRIAD_STAGGERED_HEAT_ENDS + 6,
  TRIAD_STAGGERED_HEAT_SOLIDS = TRIAD_STAGGERED_HEAT_FLUX + 3,
  TRIAD_STAGGERED_HEAT_SUMS
};

/* What these sums depend on, by value. */
typedef struct triad_staggered_heat_sight {
  triad_staggered_sight box;
  double diffusivity, reference, source, gradient[3], buoyancy[3]; /* buoyancy: the acceleration over theta */
  int held;                                                        /* solids are isothermal */
} triad_staggered_heat_sight;

/* One side of a cell. */
TRIAD_POINT_INLINE void triad_staggered_heat_side(const triad_staggered_heat_sight *w, const int b, const int upper,
                                                  const triad_real *const u[3], const triad_real *heat, int64_t at,
                                                  const int64_t c[3], double out[TRIAD_STAGGERED_HEAT_SUMS])
{
  const triad_staggered_sizes *m = &w->box.sizes;
  const int64_t t = upper ? m->step[b] : -m->step[b];
  const int solid = m->open[at + t] >> 6 & 1, outside = triad_staggered_is_outside(&w->box, b, upper, c[b]);
  const double here = (double)heat[at] - w->reference, there = (double)heat[at + t] - w->reference;
  const double area = triad_staggered_volume(m, 3, c) * (double)m->per_h[b][c[b]];
  const double slope = (there - here) * (double)triad_staggered_conductance(b, upper, 1, w->held, m, at, c);
  const double leaves = (upper ? area : -area) * (double)u[b][upper ? at + t : at];
  const int closed = solid || outside;
  out[TRIAD_STAGGERED_HEAT_GRADIENTS] +=
    (closed ? 1 : 0.5) * area * slope * (there - here) * (outside && !solid ? 0.5 : 1);
  if (!closed) return;
  const double conducted = area * w->diffusivity * slope, at_wall = solid ? there : (here + there) / 2;
  out[TRIAD_STAGGERED_HEAT_HEATING] += conducted - (solid ? 0 : leaves * (here + there) / 2);
  out[TRIAD_STAGGERED_HEAT_PRODUCTION] += at_wall * conducted - (solid ? 0 : leaves * here * there / 2);
  out[solid ? TRIAD_STAGGERED_HEAT_SOLIDS : TRIAD_STAGGERED_HEAT_ENDS + 2 * b + upper] += conducted;
}

/* The power of buoyancy at its lower faces. */
TRIAD_POINT_INLINE double triad_staggered_heat_power(const triad_staggered_heat_sight *w, const triad_real *const u[3],
                                                     const triad_real *heat, int64_t at, const int64_t c[3])
{
  const triad_staggered_sizes *m = &w->box.sizes;
  double sum = 0;
  for (int b = 0; b < 3; b++) {
    const double mean = ((double)heat[at] + (double)heat[at - m->step[b]]) / 2 - w->reference;
    const double open = (double)triad_staggered_passes(b, m, at) * triad_staggered_volume(m, b, c);
    sum += open * (double)u[b][at] * mean * w->buoyancy[b];
  }
  return sum;
}

/* After a step: sums of the power of buoyancy and of V theta; the largest T - middle and middle - T, the first infinite
 * if T is not finite. middle: of the temperatures known last. */
TRIAD_POINT_INLINE void triad_staggered_heat_look(const triad_staggered_heat_sight *w, const triad_real *const u[3],
                                                  const triad_real *heat, double middle, int64_t at, const int64_t c[3],
                                                  double out[4])
{
  const triad_staggered_sizes *m = &w->box.sizes;
  const double t = (double)heat[at];
  if (m->open[at] & TRIAD_STAGGERED_SOLID) return;
  out[0] += triad_staggered_heat_power(w, u, heat, at, c);
  out[1] += triad_staggered_volume(m, 3, c) * (t - w->reference);
  out[2] = fmax(out[2], isfinite(t) ? t - middle : (double)INFINITY);
  out[3] = fmax(out[3], middle - t);
}

TRIAD_POINT_INLINE void triad_staggered_heat_sums(const triad_staggered_heat_sight *w, const triad_real *const u[3],
                                                  const triad_real *heat, int64_t at, const int64_t c[3],
                                                  double out[TRIAD_STAGGERED_HEAT_SUMS])
{
  const triad_staggered_sizes *m = &w->box.sizes;
  if (m->open[at] & TRIAD_STAGGERED_SOLID) return;
  const double volume = triad_staggered_volume(m, 3, c), theta = (double)heat[at] - w->reference;
  double heating = w->source;
  out[TRIAD_STAGGERED_HEAT_MEAN] += volume * theta;
  out[TRIAD_STAGGERED_HEAT_POWER] += triad_staggered_heat_power(w, u, heat, at, c);
  out[TRIAD_STAGGERED_HEAT_SQUARE] += volume * theta * theta / 2;
  for (int b = 0; b < 3; b++) {
    heating -= w->gradient[b] * ((double)u[b][at] + (double)u[b][at + m->step[b]]) / 2;
    const double mean = ((double)heat[at] + (double)heat[at - m->step[b]]) / 2 - w->reference;
    const double flux = (double)triad_staggered_passes(b, m, at) * triad_staggered_volume(m, b, c) * (double)u[b][at];
    out[TRIAD_STAGGERED_HEAT_FLUX + b] += flux * mean;
    if (!m->step[b]) continue;
    triad_staggered_heat_side(w, b, 0, u, heat, at, c, out);
    triad_staggered_heat_side(w, b, 1, u, heat, at, c, out);
  }
  out[TRIAD_STAGGERED_HEAT_HEATING] += volume * heating;
  out[TRIAD_STAGGERED_HEAT_PRODUCTION] += volume * heating * theta;
}

#endif
