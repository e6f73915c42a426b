/* Spectra of a state over shells, and the rings and planes of spectra about an axis. The sums are exact, the same on
 * any number of ranks and threads (parallel/sum.h). */
#ifndef TRIAD_SOLVERS_SPECTRAL_PLAIN_SPECTRA_H
#define TRIAD_SOLVERS_SPECTRAL_PLAIN_SPECTRA_H

#include "case/case.h"
#include "grid/bin_points.h"
#include "parallel/sum.h"
#include "solvers/spectral/flow.h"

#include <math.h>

/* Rings of k_perp and planes of k_par about an axis, for spectra of anisotropic flows:
 *   ring  r: the modes with round(k_perp/ring_width) = r, ring_width = 2 pi / max L over the other two axes
 *   plane p: the modes with |k_par| = p plane_width,      plane_width = 2 pi / L along the axis
 * Axes of one point do not count for ring_width. A mode at n/2 of an even grid has this wavenumber, as in shells. */
typedef struct triad_bins {
  int axis; /* 0, 1, 2: x, y, z */
  double ring_width, plane_width;
  int64_t rings, planes; /* 0 .. rings - 1 and 0 .. planes - 1 take in every mode of the grid */
} triad_bins;

/* The axis that output.spectra_axis names; for "auto" that of the physics of the case, see its help; -1 for none. Not
 * collective. */
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

/* values[n]: exact sums over all columns of modes; add: to sums[n] what column c of this rank has. Collective; failures
 * have been agreed on. */
typedef void triad_column_sums(const void *self, const triad_flow *flow, int64_t c, triad_sum *sums);
int triad_columns_sum(const triad_flow *flow, int64_t n, triad_column_sums *add, const void *self, double *values);

/* Spectra of the state: sums of quadratic densities over shells (grid/shells.h, eq. 15):
 * values[i * shells + s], i < equations->n_spectra, shells = triad_shell_count(grid).
 * Checks that the first spectrum sums to `energy` to round-off: TRIAD_ERR_INTERNAL otherwise. Collective; failures have
 * been agreed on. */
int triad_spectra_shells(triad_flow *flow, double energy, double *values);

/* The row of the CPU in the table of measure/loops.h: the same without the check. */
int triad_spectra_shells_host(triad_flow *flow, double *values);

#endif
