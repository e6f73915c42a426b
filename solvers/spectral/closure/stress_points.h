/* The stress of a subgrid model in the products of a velocity and of scalars at one point, for CPUs and GPUs. */
#ifndef TRIAD_SOLVERS_SPECTRAL_CLOSURE_STRESS_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_CLOSURE_STRESS_POINTS_H

#include "base/point.h"

/* t[5] -= 2 nu S_ij, the products of velocity_points.h, which have the zz part subtracted from the diagonal.
 * g[3 i + j] = du_i/dx_j. */
TRIAD_POINT void triad_closure_stress(const triad_real *g, triad_real nu, triad_real *t)
{
  t[0] -= 2 * nu * (g[0] - g[8]);
  t[1] -= nu * (g[1] + g[3]);
  t[2] -= 2 * nu * (g[4] - g[8]);
  t[3] -= nu * (g[2] + g[6]);
  t[4] -= nu * (g[5] + g[7]);
}

/* A flux of a scalar less nu/Pr_t times its slope, with that of the undisturbed fluid. part: 1/Pr_t. */
TRIAD_POINT triad_real triad_closure_flux(triad_real flux, triad_real part, triad_real nu, triad_real mean,
                                          triad_real slope)
{
  return flux - part * nu * (mean + slope);
}

#endif
