/* The wavenumbers and the decay rate of a mode, for every set: double in either precision. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_WAVE_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_WAVE_POINTS_H

#include "base/point.h"

#include <math.h>

TRIAD_POINT double triad_mode_k2(const double k[3]) { return k[0] * k[0] + k[1] * k[1] + k[2] * k[2]; }

/* The wavenumbers of a mode (grid/grid.h): they differ at n/2 of an even axis, where the derivative is 0 and the
 * size pi/h. */
typedef struct triad_wave_numbers {
  double derivative[3]; /* of gradient, curl, divergence, projection */
  double size[3];       /* of shells, bands, the Laplacian           */
} triad_wave_numbers;

/* The decay rate of a mode of size k [1/time], docs/methods/spectral.md eq. (9):
 *   lambda(k) = viscosity k^2 + hyperviscosity k^(2 order) + drag [|k| <= drag_wavenumber, or everywhere if 0] - growth
 * growth: of a linear force, which budgets do not count as dissipation: set by forces and by equations as text */
typedef struct triad_decay {
  double viscosity, hyperviscosity;
  int order;
  double drag, drag_wavenumber, growth;
} triad_decay;

TRIAD_POINT double triad_decay_of(const triad_decay *d, double k2)
{
  double rate = d->viscosity * k2;
  if (d->hyperviscosity > 0) rate += d->hyperviscosity * pow(k2, d->order);
  if (d->drag > 0 && (d->drag_wavenumber <= 0 || k2 <= d->drag_wavenumber * d->drag_wavenumber * (1 + 1e-12)))
    rate += d->drag;
  return rate - d->growth;
}

/* The outermost fifth of the modes that a truncation keeps: the energy there shows whether a spectrum ends before the
 * grid does (docs/methods/statistics.md eq. 13). */
typedef struct triad_edge {
  double per_k[3]; /* 1/(0.8 k_max) along each axis; 0 for an axis of one mode */
  int sphere;      /* of an ellipsoid of modes, otherwise of a box             */
} triad_edge;

/* k: by size. */
TRIAD_POINT int triad_edge_holds(const triad_edge *e, const double k[3])
{
  double x = k[0] * e->per_k[0], y = k[1] * e->per_k[1], z = k[2] * e->per_k[2];
  return e->sphere ? x * x + y * y + z * z > 1 : fmax(fabs(x), fmax(fabs(y), fabs(z))) > 1;
}

#endif
