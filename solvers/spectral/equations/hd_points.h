/* Incompressible flow: arithmetic of one point and of one mode. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_HD_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_HD_POINTS_H

#include "base/point.h"

#include <math.h>

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

/* s_i = -i k_j t_ij for the products above (docs/numerics.md eq. 8). */
TRIAD_POINT void triad_hd_advection(const triad_real k[3], const triad_cplx t[5], triad_cplx s[3])
{
  s[0].re = k[0] * t[0].im + k[1] * t[2].im + k[2] * t[3].im;
  s[0].im = -(k[0] * t[0].re + k[1] * t[2].re + k[2] * t[3].re);
  s[1].re = k[0] * t[2].im + k[1] * t[1].im + k[2] * t[4].im;
  s[1].im = -(k[0] * t[2].re + k[1] * t[1].re + k[2] * t[4].re);
  s[2].re = k[0] * t[3].im + k[1] * t[4].im;
  s[2].im = -(k[0] * t[3].re + k[1] * t[4].re);
}

/* s -= 2 Omega x u, the Coriolis acceleration (docs/numerics.md eq. 16). */
TRIAD_POINT void triad_hd_coriolis(const triad_real omega[3], const triad_cplx u[3], triad_cplx s[3])
{
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, l = (i + 2) % 3;
    s[i].re -= 2 * (omega[j] * u[l].re - omega[l] * u[j].re);
    s[i].im -= 2 * (omega[j] * u[l].im - omega[l] * u[j].im);
  }
}

/* r = s - k (k.s)/k^2: what a pressure leaves of an acceleration (docs/numerics.md eq. 8). inverse_k2 = 1/k^2; for
 * k = 0 give 0: a uniform acceleration stays. */
TRIAD_POINT void triad_hd_project(const triad_real k[3], triad_real inverse_k2, const triad_cplx s[3], triad_cplx r[3])
{
  triad_real re = (k[0] * s[0].re + k[1] * s[1].re + k[2] * s[2].re) * inverse_k2;
  triad_real im = (k[0] * s[0].im + k[1] * s[1].im + k[2] * s[2].im) * inverse_k2;
  for (int i = 0; i < 3; i++) {
    r[i].re = s[i].re - k[i] * re;
    r[i].im = s[i].im - k[i] * im;
  }
}

/* -i k.f, the advection of a scalar by its fluxes f = u theta (docs/numerics.md eq. 17). */
TRIAD_POINT triad_cplx triad_hd_flux(const triad_real k[3], const triad_cplx f[3])
{
  triad_cplx r;
  r.re = k[0] * f[0].im + k[1] * f[1].im + k[2] * f[2].im;
  r.im = -(k[0] * f[0].re + k[1] * f[1].re + k[2] * f[2].re);
  return r;
}

#endif
