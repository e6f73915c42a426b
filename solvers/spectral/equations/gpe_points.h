/* Gross-Pitaevskii: arithmetic of one point. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_GPE_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_GPE_POINTS_H

#include "base/point.h"

#include <math.h>

/* (re, im) times exp(-i angle). */
TRIAD_POINT void triad_gpe_rotate(double angle, triad_real *re, triad_real *im)
{
  double c = cos(angle), s = sin(angle), a = (double)*re, b = (double)*im;
  *re = (triad_real)(c * a + s * b);
  *im = (triad_real)(c * b - s * a);
}

/* What the density that exceeds the mean turns the phase by, beta (|psi|^2 - rho0) [1/time]. */
TRIAD_POINT double triad_gpe_phase_rate(double beta, double density, triad_real re, triad_real im)
{
  return beta * ((double)re * (double)re + (double)im * (double)im - density);
}

/* A component of grad psi along psi and across it: |psi| along = re dre + im dim, |psi| across = re dim - im dre,
 * so that along^2 + across^2 = |dpsi|^2. Where psi = 0, in the very core of a vortex, all of it is counted along. */
TRIAD_POINT void triad_gpe_split_gradient(double re, double im, double dre, double dim, double *along, double *across)
{
  double r = sqrt(re * re + im * im);
  if (r > 0) {
    *along = (re * dre + im * dim) / r;
    *across = (re * dim - im * dre) / r;
  } else {
    *along = sqrt(dre * dre + dim * dim);
    *across = 0;
  }
}

#endif
