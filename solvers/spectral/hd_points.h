/* Incompressible Navier-Stokes: arithmetic of one point and of one mode. */
#ifndef TRIAD_SOLVERS_SPECTRAL_HD_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_HD_POINTS_H

#include "base/point.h"

/* The five products that suffice: u_i u_j less w^2 on the diagonal, which is a pressure (docs/numerics.md eq. 7).
 *   t[0] = u^2 - w^2, t[1] = v^2 - w^2, t[2] = u v, t[3] = u w, t[4] = v w */
TRIAD_POINT void triad_hd_products(triad_real u, triad_real v, triad_real w, triad_real t[5])
{
  t[0] = u * u - w * w;
  t[1] = v * v - w * w;
  t[2] = u * v;
  t[3] = u * w;
  t[4] = v * w;
}

/* r_i = -i P_ij k_l t_jl, P_ij = delta_ij - k_i k_j / k^2 (docs/numerics.md eq. 8): the time derivative of one mode
 * from its products, divergence-free. inverse_k2 = 1/k^2, or 0 for k = 0, which then stays at rest. */
TRIAD_POINT void triad_hd_rate(triad_real kx, triad_real ky, triad_real kz, triad_real inverse_k2,
                               const triad_cplx t[5], triad_cplx r[3])
{
  triad_real xr = kx * t[0].re + ky * t[2].re + kz * t[3].re, xi = kx * t[0].im + ky * t[2].im + kz * t[3].im;
  triad_real yr = kx * t[2].re + ky * t[1].re + kz * t[4].re, yi = kx * t[2].im + ky * t[1].im + kz * t[4].im;
  triad_real zr = kx * t[3].re + ky * t[4].re, zi = kx * t[3].im + ky * t[4].im;
  triad_real dr = (kx * xr + ky * yr + kz * zr) * inverse_k2, di = (kx * xi + ky * yi + kz * zi) * inverse_k2;
  r[0].re = xi - kx * di;
  r[0].im = kx * dr - xr;
  r[1].re = yi - ky * di;
  r[1].im = ky * dr - yr;
  r[2].re = zi - kz * di;
  r[2].im = kz * dr - zr;
}

#endif
