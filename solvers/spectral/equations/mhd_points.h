/* Magnetohydrodynamics: arithmetic of one point and of one mode. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_MHD_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_MHD_POINTS_H

#include "base/point.h"

/* The eight products (docs/numerics.md eq. 19), B = b + B0: the five of hd_points.h for u_i u_j - B_i B_j,
 *   t[0] = u^2 - w^2 - Bx^2 + Bz^2, t[1] = v^2 - w^2 - By^2 + Bz^2, t[2] = u v - Bx By, t[3] = u w - Bx Bz,
 *   t[4] = v w - By Bz, and the electromotive force t[5..7] = e x B, where e = u, or u - d_i curl b with the Hall term. */
TRIAD_POINT void triad_mhd_products(const triad_real u[3], const triad_real e[3], const triad_real b[3],
                                    triad_real t[8])
{
  t[0] = u[0] * u[0] - u[2] * u[2] - (b[0] * b[0] - b[2] * b[2]);
  t[1] = u[1] * u[1] - u[2] * u[2] - (b[1] * b[1] - b[2] * b[2]);
  t[2] = u[0] * u[1] - b[0] * b[1];
  t[3] = u[0] * u[2] - b[0] * b[2];
  t[4] = u[1] * u[2] - b[1] * b[2];
  t[5] = e[1] * b[2] - e[2] * b[1];
  t[6] = e[2] * b[0] - e[0] * b[2];
  t[7] = e[0] * b[1] - e[1] * b[0];
}

/* r = i k x a, the curl of one mode. */
TRIAD_POINT void triad_mhd_curl(const triad_real k[3], const triad_cplx a[3], triad_cplx r[3])
{
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, l = (i + 2) % 3;
    r[i].re = k[l] * a[j].im - k[j] * a[l].im;
    r[i].im = k[j] * a[l].re - k[l] * a[j].re;
  }
}

#endif
