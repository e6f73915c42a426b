/* Gross-Pitaevskii, one mode: fields psi_re, psi_im; observed, behind them, P[|psi|^2], k.w and |w|^2 of the momentum
 * w = sqrt(rho) u (docs/numerics.md eq. 20). */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_GPE_MODES_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_GPE_MODES_H

#include "solvers/spectral/equations/gpe_law.h"
#include "solvers/spectral/equations/velocity_points.h"

enum { TRIAD_GPE_SUM_MASS, TRIAD_GPE_SUM_KINETIC, TRIAD_GPE_SUM_MOMENTUM, TRIAD_GPE_SUMS = TRIAD_GPE_SUM_MOMENTUM + 3 };

enum {
  triad_gpe_fields = 2,
  triad_gpe_observed = 3,
  triad_gpe_terms = 2,
  triad_gpe_sources = 0,
  triad_gpe_scalars = 0,
  triad_gpe_sums = TRIAD_GPE_SUMS,
  triad_gpe_densities = 6,
  triad_gpe_transfers = 0
};

TRIAD_POINT void triad_gpe_mode(const triad_gpe_law *law, const triad_real k[3], triad_real inverse_k2,
                                const triad_cplx *u, const triad_cplx *t, triad_cplx *n)
{
  const triad_real beta = (triad_real)law->beta;
  (void)k;
  (void)inverse_k2;
  (void)u;
  /* -i beta (rho - rho0) psi, the rest turns exactly; in imaginary time without the i */
  for (int f = 0; f < 2; f++) {
    const triad_cplx *from = law->imaginary_time ? t + f : t + 1 - f;
    triad_real factor = law->imaginary_time || f == 1 ? -beta : beta;
    n[f].re = factor * from->re;
    n[f].im = factor * from->im;
  }
}

TRIAD_POINT void triad_gpe_source(const triad_gpe_law *law, const triad_real k[3], const triad_cplx *u, triad_cplx *made)
{
  (void)law;
  (void)k;
  (void)u;
  (void)made;
}

/* |psi|^2; 2 alpha^2 |grad psi|^2; momentum 2 alpha (re grad im - im grad re), of which a mode gives
 * 2 k (Im re_k Re im_k - Re re_k Im im_k). */
TRIAD_POINT void triad_gpe_mode_sums(const triad_gpe_law *law, const double k[3], const triad_cplx *u, double *s)
{
  double square = triad_mode_square(u[0]) + triad_mode_square(u[1]);
  double current = (double)u[0].im * (double)u[1].re - (double)u[0].re * (double)u[1].im;
  s[TRIAD_GPE_SUM_MASS] = square;
  s[TRIAD_GPE_SUM_KINETIC] = 2 * law->alpha * law->alpha * triad_mode_k2(k) * square;
  for (int i = 0; i < 3; i++) s[TRIAD_GPE_SUM_MOMENTUM + i] = 2 * law->alpha * k[i] * 2 * current;
}

/* |w|^2 of the compressive part of the momentum, from k.w; the mean is solenoidal. */
TRIAD_POINT double triad_gpe_mode_compressive(double k2, triad_cplx flux)
{
  return k2 > 0 ? triad_mode_square(flux) / k2 : 0;
}

TRIAD_POINT void triad_gpe_mode_densities(const triad_gpe_law *law, const double k[3], const triad_cplx *u, double *d)
{
  double k2 = triad_mode_k2(k), square = triad_mode_square(u[0]) + triad_mode_square(u[1]);
  double compressive = triad_gpe_mode_compressive(k2, u[3]);
  d[1] = 2 * law->alpha * law->alpha * k2 * square;
  d[2] = law->alpha * law->beta * triad_mode_square(u[2]);
  d[0] = d[1] + d[2];
  d[3] = square;
  d[4] = ((double)u[4].re - compressive) / 2;
  d[5] = compressive / 2;
}

TRIAD_POINT void triad_gpe_mode_transfers(const triad_gpe_law *law, int part, const triad_real k[3],
                                          triad_real inverse_k2, const triad_cplx *u, const triad_cplx *t, double *d)
{
  (void)law;
  (void)part;
  (void)k;
  (void)inverse_k2;
  (void)u;
  (void)t;
  d[0] = 0; /* not a set with transfers */
}

#endif
