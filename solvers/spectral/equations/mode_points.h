/* What the modes of every set share: wavenumbers, products, and the decay rate. Wavenumbers and what is summed are
 * double in either precision; the Hermitian weight is left out. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_MODE_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_MODE_POINTS_H

#include "base/point.h"

#include <math.h>

/* Re conj(a) b. */
TRIAD_POINT double triad_mode_product(triad_cplx a, triad_cplx b)
{
  return (double)a.re * (double)b.re + (double)a.im * (double)b.im;
}

TRIAD_POINT double triad_mode_square(triad_cplx a) { return triad_mode_product(a, a); }

TRIAD_POINT double triad_mode_k2(const double k[3]) { return k[0] * k[0] + k[1] * k[1] + k[2] * k[2]; }

/* The decay rate of a mode [1/time], docs/numerics.md eq. (9):
 *   lambda(k) = viscosity k^2 + hyperviscosity k^(2 order) + drag [|k| <= drag_wavenumber, or everywhere if 0] */
typedef struct triad_decay {
  double viscosity, hyperviscosity;
  int order;
  double drag, drag_wavenumber;
} triad_decay;

TRIAD_POINT double triad_decay_of(const triad_decay *d, double k2)
{
  double rate = d->viscosity * k2;
  if (d->hyperviscosity > 0) rate += d->hyperviscosity * pow(k2, d->order);
  if (d->drag > 0 && (d->drag_wavenumber <= 0 || k2 <= d->drag_wavenumber * d->drag_wavenumber * (1 + 1e-12)))
    rate += d->drag;
  return rate;
}

#endif
