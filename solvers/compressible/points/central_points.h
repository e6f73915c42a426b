/* Central fluxes that keep kinetic energy.
 *
 * The flux through a face is a weighted sum, over the pairs of cells that it parts, of products of the pair's means:
 * its differences are those of nine points of a split form of the equations. Convection then only moves kinetic
 * energy about; sums of it over the grid change by pressure work alone, whatever the resolution and the Mach number
 * (Jameson 2008, J. Sci. Comput. 34, 188; Pirozzoli 2010, J. Comput. Phys. 229, 7180, eq. 21). The energy's split
 * form is that of Shima, Kuya, Tamaki and Kawai 2021, J. Comput. Phys. 427, 110060, by which uniform velocity and
 * pressure stay so whatever the density. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_POINTS_CENTRAL_POINTS_H
#define TRIAD_SOLVERS_COMPRESSIBLE_POINTS_CENTRAL_POINTS_H

#include "solvers/compressible/points/flux_points.h"

/* (f')_j = sum_l A_l (f_{j+l} - f_{j-l})/h, of order four and with little error up to k h = pi/2: 9 points of Bogey and
 * Bailly 2004, J. Comput. Phys. 194, 194, table 1. */
#define TRIAD_COMPRESSIBLE_A1 TRIAD_R(0.841570125482)
#define TRIAD_COMPRESSIBLE_A2 TRIAD_R(-0.244678631765)
#define TRIAD_COMPRESSIBLE_A3 TRIAD_R(0.059463584768)
#define TRIAD_COMPRESSIBLE_A4 TRIAD_R(-0.007650904064)

/* h df/dx at f[0], `s` reals from point to point. */
TRIAD_POINT_INLINE triad_real triad_compressible_d9(const triad_real *f, int64_t s)
{
  return TRIAD_COMPRESSIBLE_A1 * (f[s] - f[-s]) + TRIAD_COMPRESSIBLE_A2 * (f[2 * s] - f[-2 * s]) +
         TRIAD_COMPRESSIBLE_A3 * (f[3 * s] - f[-3 * s]) + TRIAD_COMPRESSIBLE_A4 * (f[4 * s] - f[-4 * s]);
}

/* f and 2 `part` times the flux of the cells a and b (docs/methods/compressible-turbulence.md eq. 43). */
TRIAD_POINT_INLINE triad_compressible_five triad_compressible_pair(const triad_compressible_gas *g, triad_real part,
                                                                   triad_compressible_cell a, triad_compressible_cell b,
                                                                   triad_compressible_five f)
{
  const triad_real quarter = TRIAD_R(0.25);
  triad_real pa = a.rho * a.T * g->per_gamma, pb = b.rho * b.T * g->per_gamma;
  triad_real speed = quarter * part * (a.n + b.n), carried = speed * (a.rho + b.rho); /* half the mass flux */
  triad_real kinetic = a.n * b.n + a.s * b.s + a.t * b.t;
  f.r += 2 * carried;
  f.n += carried * (a.n + b.n) + part * (pa + pb);
  f.s += carried * (a.s + b.s);
  f.t += carried * (a.t + b.t);
  f.e += carried * kinetic + 2 * speed * (pa + pb) * g->per_gm1 + part * (a.n * pb + b.n * pa);
  return f;
}

/* The flux through the face between d and e, eight cells in a row (docs/methods/compressible-turbulence.md eq. 42). */
TRIAD_POINT_INLINE triad_compressible_five
triad_compressible_central(const triad_compressible_gas *g, triad_compressible_cell a, triad_compressible_cell b,
                           triad_compressible_cell c, triad_compressible_cell d, triad_compressible_cell e,
                           triad_compressible_cell f, triad_compressible_cell h, triad_compressible_cell i)
{
  triad_compressible_five x = {0, 0, 0, 0, 0};
  x = triad_compressible_pair(g, TRIAD_COMPRESSIBLE_A1, d, e, x);
  x = triad_compressible_pair(g, TRIAD_COMPRESSIBLE_A2, d, f, x);
  x = triad_compressible_pair(g, TRIAD_COMPRESSIBLE_A2, c, e, x);
  x = triad_compressible_pair(g, TRIAD_COMPRESSIBLE_A3, d, h, x);
  x = triad_compressible_pair(g, TRIAD_COMPRESSIBLE_A3, c, f, x);
  x = triad_compressible_pair(g, TRIAD_COMPRESSIBLE_A3, b, e, x);
  x = triad_compressible_pair(g, TRIAD_COMPRESSIBLE_A4, d, i, x);
  x = triad_compressible_pair(g, TRIAD_COMPRESSIBLE_A4, c, h, x);
  x = triad_compressible_pair(g, TRIAD_COMPRESSIBLE_A4, b, f, x);
  x = triad_compressible_pair(g, TRIAD_COMPRESSIBLE_A4, a, e, x);
  return x;
}

#endif
