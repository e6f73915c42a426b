/* Products of modes, for every set. Terms of sums are double in either precision, without the Hermitian weight. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_MODE_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_MODE_POINTS_H

#include "solvers/spectral/equations/wave_points.h"

/* Re conj(a) b. */
TRIAD_POINT double triad_mode_product(triad_cplx a, triad_cplx b)
{
  return (double)a.re * (double)b.re + (double)a.im * (double)b.im;
}

TRIAD_POINT double triad_mode_square(triad_cplx a) { return triad_mode_product(a, a); }

#endif
