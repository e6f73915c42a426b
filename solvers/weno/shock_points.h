/* Where upwind fluxes are wanted: the sensor of hybrid fluxes. */
#ifndef TRIAD_SOLVERS_WENO_SHOCK_POINTS_H
#define TRIAD_SOLVERS_WENO_SHOCK_POINTS_H

#include "solvers/weno/flux_points.h"

/* Beyond these a cell counts as shocked: the part of the dilatation in the velocity's gradients (Ducros et al. 1999, J.
 * Comput. Phys. 152, 517, eq. 11); and the second difference of density or pressure along the axis, over four times their mean,
 * which finds contacts too (Jameson, Schmidt and Turkel 1981, AIAA paper 81-1259). */
#define TRIAD_WENO_DUCROS TRIAD_R(0.5)
#define TRIAD_WENO_JUMP TRIAD_R(0.01)
/* A dilatation below this part of c/h is sound that any scheme takes. */
#define TRIAD_WENO_FAINT TRIAD_R(0.02)

/* 1 for a cell that is shocked, else 0. d2: square of the dilatation; w2: of the vorticity; faint2: of TRIAD_WENO_FAINT c/h;
 * r[] and p[]: density and pressure of the cell between its neighbours along the axis. */
TRIAD_POINT_INLINE triad_real triad_weno_shocked(triad_real d2, triad_real w2, triad_real faint2, const triad_real r[3],
                                                 const triad_real p[3])
{
  triad_real jump_r = TRIAD_ABS(r[2] - 2 * r[1] + r[0]) - TRIAD_WENO_JUMP * (r[2] + 2 * r[1] + r[0]);
  triad_real jump_p = TRIAD_ABS(p[2] - 2 * p[1] + p[0]) - TRIAD_WENO_JUMP * (p[2] + 2 * p[1] + p[0]);
  triad_real part = d2 - TRIAD_WENO_DUCROS * (d2 + w2 + faint2);
  return triad_weno_larger(part, triad_weno_larger(jump_r, jump_p)) > 0 ? TRIAD_R(1) : TRIAD_R(0);
}

#endif
