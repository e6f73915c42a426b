/* Laminar stress and conduction at one face (docs/numerics.md section 16): constant viscosity and Prandtl number, temperature
 * p/rho. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_FCT_VISCOUS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_FCT_VISCOUS_H

#include "solvers/unstructured/fct_points.h"

typedef struct triad_fct_fluid {
  triad_real viscosity, conductivity; /* mu, and gamma/(gamma - 1) mu/Pr */
} triad_fct_fluid;

/* Gradients of velocity and temperature from those of density, velocity, pressure. */
TRIAD_POINT_INLINE void triad_fct_warm(const triad_real q[5], const triad_real gradient[5][3], triad_real out[4][3])
{
  const triad_real volume = 1 / q[0], t = q[4] * volume;
  for (int a = 0; a < 3; a++) {
    for (int k = 0; k < 3; k++) out[k][a] = gradient[1 + k][a];
    out[3][a] = volume * (gradient[4][a] - t * gradient[0][a]);
  }
}

/* Make a gradient agree with a change over a way d, and leave it across that. */
TRIAD_POINT_INLINE void triad_fct_along(triad_real gradient[3], const triad_real d[3], triad_real change)
{
  const triad_real more = (change - triad_fct_dot(gradient, d)) / triad_fct_dot(d, d);
  for (int a = 0; a < 3; a++) gradient[a] += more * d[a];
}

/* What stress and conduction carry along n: mu (grad u + grad u^T - 2/3 div u) n, its work with u, and heat; g of u, v, w, T. */
TRIAD_POINT_INLINE void triad_fct_stress(const triad_fct_fluid *fluid, const triad_real g[4][3], const triad_real u[3],
                                         const triad_real n[3], triad_real f[5])
{
  const triad_real divergence = TRIAD_R(2.0) / TRIAD_R(3.0) * (g[0][0] + g[1][1] + g[2][2]);
  f[0] = 0;
  f[4] = -fluid->conductivity * triad_fct_dot(g[3], n);
  for (int i = 0; i < 3; i++) {
    const triad_real both = triad_fct_dot(g[i], n) + g[0][i] * n[0] + g[1][i] * n[1] + g[2][i] * n[2];
    f[1 + i] = -fluid->viscosity * (both - divergence * n[i]);
    f[4] += u[i] * f[1 + i];
  }
}

#endif
