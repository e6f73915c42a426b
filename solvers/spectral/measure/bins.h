/* Rings of k_perp and planes of k_par about an axis, for spectra of anisotropic flows:
 *   ring  r: the modes with round(k_perp/ring_width) = r, ring_width = 2 pi / max L over the other two axes
 *   plane p: the modes with |k_par| = p plane_width,      plane_width = 2 pi / L along the axis
 * Axes of one point do not count for ring_width. A Nyquist mode has wavenumber 0, as in shells. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_BINS_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_BINS_H

#include "case/case.h"
#include "base/precision.h"
#include "grid/bin_points.h"
#include "grid/layout.h"

#include <math.h>

typedef struct triad_bins {
  int axis; /* 0, 1, 2: x, y, z */
  double ring_width, plane_width;
  int64_t rings, planes; /* 0 .. rings - 1 and 0 .. planes - 1 take in every mode of the grid */
} triad_bins;


/* The axis that output.spectra_axis names; of "auto" the one that the physics of the case have, as its help tells; -1
 * for none. Not collective. */
int triad_bins_axis(const triad_case *given);

triad_bins triad_bins_make(const triad_grid *grid, int axis);

static inline int64_t triad_bins_ring(const triad_bins *bins, const double w[3])
{
  double across = w[bins->axis == 0], along = w[bins->axis == 2 ? 1 : 2];
  return triad_bin(across * across, along, bins->ring_width);
}

static inline int64_t triad_bins_plane(const triad_bins *bins, double along)
{
  return (int64_t)floor(fabs(along) / bins->plane_width + 0.5);
}

#endif
