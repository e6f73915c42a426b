/* Gross-Pitaevskii: arithmetic of one point and of one mode, fields psi_re, psi_im (docs/methods/spectral-sets.md
 * eq. 20, time-steps.md eq. 21). */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_GPE_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_GPE_POINTS_H

#include "solvers/spectral/equations/kernels.h"
#include "solvers/spectral/equations/mode_points.h"

enum { TRIAD_GPE_RE, TRIAD_GPE_IM, TRIAD_GPE_FIELDS };
enum { TRIAD_GPE_TERMS = 2, TRIAD_GPE_DENSITIES = 6 };
enum { TRIAD_GPE_SUM_MASS, TRIAD_GPE_SUM_KINETIC, TRIAD_GPE_SUM_MOMENTUM, TRIAD_GPE_SUMS = TRIAD_GPE_SUM_MOMENTUM + 3 };

/* What densities read behind psi, once it was observed: P[|psi|^2], k.w and |w|^2 (the real part) of w = sqrt(rho) u.
 * */
enum { TRIAD_GPE_DENSITY = TRIAD_GPE_FIELDS, TRIAD_GPE_FLUX, TRIAD_GPE_SQUARE, TRIAD_GPE_SEEN };

/* Numbers that sums over the modes of psi cannot give: gpe_observe.c. */
enum triad_gpe_observed {
  TRIAD_GPE_INTERACTION,    /* alpha beta sum |P[|psi|^2]_k|^2                                                    */
  TRIAD_GPE_QUANTUM,        /* mean 2 alpha^2 |grad sqrt(rho)|^2 over the points                                  */
  TRIAD_GPE_HYDRODYNAMIC,   /* mean rho |u|^2/2 over the points                                                   */
  TRIAD_GPE_INCOMPRESSIBLE, /* sum |w_k|^2/2 over kept modes, w the solenoidal part of sqrt(rho) u                */
  TRIAD_GPE_ENSTROPHY,      /* sum k^2 |w_k|^2/2                                                                  */
  TRIAD_GPE_OBSERVED
};

/* Sound speed c, healing length xi and mean density rho0 make
 *   alpha = c xi/sqrt 2, beta = c/(xi sqrt 2 rho0), mu = beta rho0 = c/(xi sqrt 2)
 * The velocity is 2 alpha grad(arg psi), and circulation comes in quanta of 4 pi alpha. */
typedef struct triad_gpe_constants {
  double alpha, beta, mu, sound_speed, healing_length, density;
  int imaginary_time;
} triad_gpe_constants;

/* ---- one point ---- */

/* The first pass of a stage: psi to the density that exceeds the mean. psi's values are kept for the second. */
TRIAD_POINT void triad_gpe_point(const triad_gpe_constants *c, double dt, const triad_real *psi, triad_real *out)
{
  (void)dt;
  out[0] = psi[0] * psi[0] + psi[1] * psi[1] - (triad_real)c->density;
}

/* What that turns the phase by. */
TRIAD_POINT triad_real triad_gpe_rate(const triad_gpe_constants *c, const triad_real *psi)
{
  return (triad_real)c->beta * (triad_real)fabs(psi[0] * psi[0] + psi[1] * psi[1] - (triad_real)c->density);
}

/* The second: that density in[0], dealiased, times psi. */
TRIAD_POINT void triad_gpe_product_point(const triad_gpe_constants *c, double dt, const triad_real *in, triad_real *out)
{
  (void)c;
  (void)dt;
  out[0] = in[0] * in[1];
  out[1] = in[0] * in[2];
}

/* beta (|psi|^2 - rho0) [1/time]. */
TRIAD_POINT double triad_gpe_phase_rate(const triad_gpe_constants *c, const triad_real *psi)
{
  return c->beta * ((double)psi[0] * (double)psi[0] + (double)psi[1] * (double)psi[1] - c->density);
}

/* The nonlinear part alone over dt: psi turns by its own density, psi exp(-i rate dt). */
TRIAD_POINT void triad_gpe_split_point(const triad_gpe_constants *c, double dt, const triad_real *psi, triad_real *out)
{
  double angle = triad_gpe_phase_rate(c, psi) * dt, re = (double)psi[0], im = (double)psi[1];
  double cosine = cos(angle), sine = sin(angle);
  out[0] = (triad_real)(cosine * re + sine * im);
  out[1] = (triad_real)(cosine * im - sine * re);
}

TRIAD_POINT triad_real triad_gpe_split_rate(const triad_gpe_constants *c, const triad_real *psi)
{
  return (triad_real)fabs(triad_gpe_phase_rate(c, psi));
}

/* A component d of grad psi along psi and across it: |psi| along = re dre + im dim, |psi| across = re dim - im dre,
 * so that along^2 + across^2 = |dpsi|^2. Where psi = 0, in the very core of a vortex, all of it is counted along. */
TRIAD_POINT void triad_gpe_split_gradient(const double psi[2], const double d[2], double *along, double *across)
{
  double r = sqrt(psi[0] * psi[0] + psi[1] * psi[1]);
  if (r > 0) {
    *along = (psi[0] * d[0] + psi[1] * d[1]) / r;
    *across = (psi[0] * d[1] - psi[1] * d[0]) / r;
  } else {
    *along = sqrt(d[0] * d[0] + d[1] * d[1]);
    *across = 0;
  }
}

/* psi and a component of grad psi -> that component of sqrt(rho) u, 2 alpha across; squares[] += along^2, across^2. */
TRIAD_POINT triad_real triad_gpe_gradient_point(double alpha, const triad_real in[4], double squares[2])
{
  const double psi[2] = {(double)in[0], (double)in[1]}, d[2] = {(double)in[2], (double)in[3]};
  double along, across;
  triad_gpe_split_gradient(psi, d, &along, &across);
  squares[0] += along * along;
  squares[1] += across * across;
  return (triad_real)(2 * alpha * across);
}

/* ---- one mode ---- */

/* -i beta (rho - rho0) psi, the rest turns exactly; in imaginary time without the i. */
TRIAD_POINT void triad_gpe_mode(const triad_gpe_constants *c, const triad_real k[3], triad_real inverse_k2,
                                const triad_cplx *u, const triad_cplx *t, triad_cplx *n)
{
  const triad_real beta = (triad_real)c->beta;
  (void)k;
  (void)inverse_k2;
  (void)u;
  n[0].re = c->imaginary_time ? -beta * t[0].re : beta * t[1].re;
  n[0].im = c->imaginary_time ? -beta * t[0].im : beta * t[1].im;
  n[1].re = -beta * (c->imaginary_time ? t[1].re : t[0].re);
  n[1].im = -beta * (c->imaginary_time ? t[1].im : t[0].im);
}

/* i k a, a derivative along the axis of k. */
TRIAD_POINT triad_cplx triad_gpe_slope(triad_real k, triad_cplx a)
{
  triad_cplx r;
  r.re = -k * a.im;
  r.im = k * a.re;
  return r;
}

/* |psi|^2; 2 alpha^2 |grad psi|^2, by size, as the Laplacian turns psi; momentum 2 alpha (re grad im - im grad re),
 * of which a mode gives 2 k (Im re_k Re im_k - Re re_k Im im_k). */
TRIAD_POINT void triad_gpe_mode_sums(const triad_gpe_constants *c, const triad_wave_numbers *k, const triad_cplx *u,
                                     double *s)
{
  double square = triad_mode_square(u[0]) + triad_mode_square(u[1]);
  double current = (double)u[0].im * (double)u[1].re - (double)u[0].re * (double)u[1].im;
  s[TRIAD_GPE_SUM_MASS] = square;
  s[TRIAD_GPE_SUM_KINETIC] = 2 * c->alpha * c->alpha * triad_mode_k2(k->size) * square;
  for (int i = 0; i < 3; i++) s[TRIAD_GPE_SUM_MOMENTUM + i] = 2 * c->alpha * k->derivative[i] * 2 * current;
}

/* A component of sqrt(rho) u adds to k.w and |w|^2. */
TRIAD_POINT void triad_gpe_momentum_add(triad_real k, triad_cplx w, triad_cplx *flux, triad_real *square)
{
  flux->re += k * w.re;
  flux->im += k * w.im;
  *square += w.re * w.re + w.im * w.im;
}

/* |w|^2 of the compressive part of the momentum, from k.w; the mean is solenoidal. */
TRIAD_POINT double triad_gpe_compressive(double k2, triad_cplx flux)
{
  return k2 > 0 ? triad_mode_square(flux) / k2 : 0;
}

/* Of what was observed: interaction energy alpha beta |P[|psi|^2]|^2, solenoidal energy |w|^2/2, its k^2 |w|^2/2. */
TRIAD_POINT void triad_gpe_mode_energies(const triad_gpe_constants *c, double k2, triad_cplx density, triad_cplx flux,
                                         triad_real square, double out[3])
{
  out[0] = c->alpha * c->beta * triad_mode_square(density);
  out[1] = ((double)square - triad_gpe_compressive(k2, flux)) / 2;
  out[2] = k2 * out[1];
}

/* Energy, its kinetic and interaction part, mass, energy of the solenoidal and of the compressive part of sqrt(rho)
 * u. */
TRIAD_POINT void triad_gpe_mode_densities(const triad_gpe_constants *c, const triad_wave_numbers *k,
                                          const triad_cplx *u, double *d)
{
  double k2 = triad_mode_k2(k->derivative), square = triad_mode_square(u[0]) + triad_mode_square(u[1]), energies[3];
  triad_gpe_mode_energies(c, k2, u[TRIAD_GPE_DENSITY], u[TRIAD_GPE_FLUX], u[TRIAD_GPE_SQUARE].re, energies);
  d[1] = 2 * c->alpha * c->alpha * triad_mode_k2(k->size) * square;
  d[2] = energies[0];
  d[0] = d[1] + d[2];
  d[3] = square;
  d[4] = energies[1];
  d[5] = triad_gpe_compressive(k2, u[TRIAD_GPE_FLUX]) / 2;
}

TRIAD_GPU_PASS(gpe, triad_gpe_constants, IN = 2, KEEPS = 2, RESULTS = 1, SHIFTED = 0)
TRIAD_GPU_PASS(gpe_product, triad_gpe_constants, IN = 1, HELD = 3, RESULTS = 2, RATES = 0, SHIFTED = 0)
TRIAD_GPU_PASS(gpe_split, triad_gpe_constants, IN = 2, RESULTS = 2, SHIFTED = 0)
TRIAD_GPU_MODES(gpe, triad_gpe_constants, FIELDS = TRIAD_GPE_FIELDS, TERMS = TRIAD_GPE_TERMS, SUMS = TRIAD_GPE_SUMS,
                DENSITIES = TRIAD_GPE_DENSITIES, OBSERVED = TRIAD_GPE_SEEN - TRIAD_GPE_FIELDS)

#endif
