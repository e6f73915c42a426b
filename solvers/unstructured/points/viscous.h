/* Laminar stress and heat conduction (docs/methods/fct.md): constant viscosity and Prandtl number, temperature p/rho.
 * The arithmetic of one face, on any device. Viscous fluxes are part of both the low-order flux at the start of a step
 * and the high-order flux in its middle, so that limits apply to their difference only. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_POINTS_VISCOUS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_POINTS_VISCOUS_H

#include "solvers/unstructured/state/view.h"

typedef struct triad_unstructured_fluid {
  triad_real viscosity, conductivity; /* mu, and gamma/(gamma - 1) mu/Pr        */
  triad_real spread;                  /* the faster of both, times the density: mu max(4/3, gamma/Pr) */
} triad_unstructured_fluid;

TRIAD_POINT triad_unstructured_fluid triad_unstructured_fluid_of(double viscosity, double gamma, double prandtl)
{
  const double heat = gamma / prandtl, fastest = heat > 4.0 / 3 ? heat : 4.0 / 3;
  const triad_unstructured_fluid fluid = {(triad_real)viscosity, (triad_real)(heat / (gamma - 1) * viscosity),
                                          (triad_real)(fastest * viscosity)};
  return fluid;
}

/* ---- gradients at a face ---- */

/* Gradients of velocity and temperature from those of density, velocity, pressure. */
TRIAD_POINT_INLINE void triad_unstructured_warm(const triad_real q[5], const triad_real gradient[5][3],
                                                triad_real out[4][3])
{
  const triad_real volume = 1 / q[0], t = q[4] * volume;
  TRIAD_UNSTRUCTURED_UNROLL
  for (int a = 0; a < 3; a++) {
    TRIAD_UNSTRUCTURED_UNROLL
    for (int k = 0; k < 3; k++) out[k][a] = gradient[1 + k][a];
    out[3][a] = volume * (gradient[4][a] - t * gradient[0][a]);
  }
}

/* Make a gradient agree with a change over a way d, and leave it across that. */
TRIAD_POINT_INLINE void triad_unstructured_along(triad_real gradient[3], const triad_real d[3], triad_real change)
{
  const triad_real more = (change - triad_gas_dot3(gradient, d)) / triad_gas_dot3(d, d);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int a = 0; a < 3; a++) gradient[a] += more * d[a];
}

/* A cell's velocity and temperature, and their gradients. */
TRIAD_POINT_INLINE void triad_unstructured_load_warm(const triad_unstructured_view *v, int64_t cell, triad_real u[4],
                                                     triad_real g[4][3])
{
  triad_real q[5], gradient[5][3];
  triad_unstructured_load(&v->value, cell, TRIAD_UNSTRUCTURED_FIELDS, q);
  triad_unstructured_load(&v->gradient, cell, TRIAD_UNSTRUCTURED_GRADIENT, &gradient[0][0]);
  triad_unstructured_warm(q, (const triad_real(*)[3])gradient, g);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int a = 0; a < 3; a++) u[a] = q[1 + a];
  u[3] = q[4] / q[0];
}

/* The mean of both cells' gradients, made to agree with the difference of their values along the line between them;
 * the mean velocity. */
TRIAD_POINT_INLINE void triad_unstructured_warm_between(const triad_unstructured_view *v,
                                                        const triad_unstructured_face *is, int64_t l, int64_t r,
                                                        triad_real u[4], triad_real g[4][3])
{
  triad_real other[4][3], way[3], ur[4];
  triad_unstructured_load_warm(v, l, u, g);
  triad_unstructured_load_warm(v, r, ur, other);
  triad_unstructured_across(is, 0, 0, way);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 4; k++) {
    TRIAD_UNSTRUCTURED_UNROLL
    for (int a = 0; a < 3; a++) g[k][a] = TRIAD_R(0.5) * (g[k][a] + other[k][a]);
    triad_unstructured_along(g[k], way, ur[k] - u[k]);
    u[k] = TRIAD_R(0.5) * (u[k] + ur[k]);
  }
}

/* At a wall without slip the gas is at rest, and as warm as the wall or not heated; elsewhere as in the cell. */
TRIAD_POINT_INLINE void triad_unstructured_warm_outside(const triad_unstructured_view *v,
                                                        const triad_unstructured_face *is,
                                                        const triad_unstructured_rule *rule, int64_t cell,
                                                        triad_real u[4], triad_real g[4][3])
{
  const triad_real *way = is->from[0];
  triad_unstructured_load_warm(v, cell, u, g);
  if (rule->kind != TRIAD_UNSTRUCTURED_NOSLIP) return;
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < 3; k++) {
    triad_unstructured_along(g[k], way, -u[k]);
    u[k] = 0;
  }
  const triad_real heat = triad_gas_dot3(g[3], is->n);
  if (rule->given[4] > 0) triad_unstructured_along(g[3], way, rule->given[4] - u[3]);
  else
    for (int a = 0; a < 3; a++) g[3][a] -= heat * is->n[a];
}

/* ---- fluxes ---- */

/* The viscous flux along n: mu (grad u + grad u^T - 2/3 div u) n, its work with u, and heat conduction; g: gradients
 * of u, v, w, T. */
TRIAD_POINT_INLINE void triad_unstructured_stress(const triad_unstructured_fluid *fluid, const triad_real g[4][3],
                                                  const triad_real u[3], const triad_real n[3], triad_real f[5])
{
  const triad_real divergence = TRIAD_R(2.0) / TRIAD_R(3.0) * (g[0][0] + g[1][1] + g[2][2]);
  f[0] = 0;
  f[4] = -fluid->conductivity * triad_gas_dot3(g[3], n);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int i = 0; i < 3; i++) {
    const triad_real both = triad_gas_dot3(g[i], n) + g[0][i] * n[0] + g[1][i] * n[1] + g[2][i] * n[2];
    f[1 + i] = -fluid->viscosity * (both - divergence * n[i]);
    f[4] += u[i] * f[1 + i];
  }
}

/* To the flux of a face: the low-order one, or what the high-order one is more; of the same values both have it, and
 * their difference has not. No mass is carried. */
TRIAD_POINT_INLINE void triad_unstructured_add_stress(const triad_unstructured_view *v,
                                                      const triad_unstructured_fluid *fluid, int64_t face,
                                                      const triad_unstructured_face *is, const triad_real u[4],
                                                      const triad_real g[4][3], int low)
{
  const triad_unstructured_numbers *to = low ? &v->low : &v->anti;
  triad_real more[5];
  triad_unstructured_stress(fluid, g, u, is->n, more);
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 1; k < TRIAD_UNSTRUCTURED_FIELDS; k++) to->at[k * to->pitch + face] += is->area * more[k];
}

/* To a face's wave one that allows the same step: 2 nu over the way between the cells' centres along the normal. */
TRIAD_POINT_INLINE void triad_unstructured_add_spread(const triad_unstructured_view *v,
                                                      const triad_unstructured_fluid *fluid, int64_t face,
                                                      const triad_unstructured_face *is, int outer, triad_real density)
{
  triad_real way[3];
  triad_unstructured_across(is, 0, outer, way);
  v->speed[face] += is->area * ((outer ? 4 : 2) * (fluid->spread / density) / TRIAD_ABS(triad_gas_dot3(way, is->n)));
}

/* ---- faces ---- */

/* Add to the fluxes of a face between cells l and r what stress and conduction carry, by the gradients as they are;
 * low: to the low-order ones, and to the wave. */
TRIAD_POINT_INLINE void triad_unstructured_viscous_between(const triad_unstructured_view *v,
                                                           const triad_unstructured_fluid *fluid, int64_t face,
                                                           const triad_unstructured_face *is, int64_t l, int64_t r,
                                                           int low)
{
  triad_real g[4][3], u[4];
  if (low) triad_unstructured_add_spread(v, fluid, face, is, 0, triad_min(v->value.at[l], v->value.at[r]));
  triad_unstructured_warm_between(v, is, l, r, u, g);
  triad_unstructured_add_stress(v, fluid, face, is, u, (const triad_real(*)[3])g, low);
}

/* The same of an outer face with a rule. Along a plane of symmetry nothing is carried. */
TRIAD_POINT_INLINE void triad_unstructured_viscous_outside(const triad_unstructured_view *v,
                                                           const triad_unstructured_fluid *fluid,
                                                           const triad_unstructured_rule *rule, int64_t face, int low)
{
  const int64_t cell = v->cell[face][0];
  triad_real g[4][3], u[4];
  triad_unstructured_face is;
  triad_unstructured_load_face(v, face, &is);
  if (low) triad_unstructured_add_spread(v, fluid, face, &is, 1, v->value.at[cell]);
  if (rule->kind == TRIAD_UNSTRUCTURED_SLIP) return;
  triad_unstructured_warm_outside(v, &is, rule, cell, u, g);
  triad_unstructured_add_stress(v, fluid, face, &is, u, (const triad_real(*)[3])g, low);
}

#endif
