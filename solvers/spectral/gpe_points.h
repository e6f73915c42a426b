/* Gross-Pitaevskii: arithmetic of one point. */
#ifndef TRIAD_SOLVERS_SPECTRAL_GPE_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_GPE_POINTS_H

#include "base/point.h"

/* (re, im) times exp(-i angle). */
TRIAD_POINT void triad_gpe_rotate(double angle, triad_real *re, triad_real *im)
{
  double c = cos(angle), s = sin(angle), a = (double)*re, b = (double)*im;
  *re = (triad_real)(c * a + s * b);
  *im = (triad_real)(c * b - s * a);
}

#endif
