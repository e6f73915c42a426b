/* Measured quantities of a state: columns of the series, spectra, transfers and fluxes. The sums are exact, the same on
 * any number of ranks and threads (parallel/sum.h). */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_MEASURE_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_MEASURE_H

#include "base/log.h"
#include "base/precision.h"
#include "case/case.h"
#include "grid/bin_points.h"
#include "grid/layout.h"
#include "parallel/context.h"
#include "parallel/sum.h"
#include "solvers/spectra_of.h"
#include "solvers/spectral/flow.h"

#include <math.h>

/* A line of the series (docs/methods/statistics.md eq. 13): columns[0 .. equations->n_columns - 1] for the state as it
 * is. TRIAD_ERR_BLOWUP where a value is not finite. Collective. */
int triad_budget_measure(void *flow, double *columns);

/* Those of its columns that are sums over modes, without a transform; the others are of no use. Likewise. */
int triad_budget_modes(triad_flow *flow, double *columns);

/* The work of a force whose power is measured at both ends of each step (forcing.h): before a step, the power of the
 * state as it is, unless the last step has left it; after a step, add the step's work. For all other forces begin does
 * nothing. Collective. */
int triad_work_begin(triad_flow *flow);
int triad_work_count(triad_flow *flow);

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

/* Spectra of the state: sums of quadratic densities over shells (grid/shells.h, eq. 15), and over the bins above. Each
 * checks that the first spectrum sums to `energy` to round-off: TRIAD_ERR_INTERNAL otherwise. Collective; failures have
 * been agreed on.
 *
 * values[i * shells + s], i < equations->n_spectra, shells = triad_shell_count(grid). */
int triad_spectra_shells(triad_flow *flow, double energy, double *values);

/* perp[i * rings + r], par[i * planes + p], both[(i * rings + r) * planes + p] of spectrum i: E(k_perp), E(k_par) and
 * E(k_perp, k_par). Planes are taken a group at a time, so that the exact sums of a group fit in some 64 MB whatever
 * the grid and the number of threads (one plane at least: 0.6 kB a ring and spectrum). */
int triad_spectra_about(triad_flow *flow, const triad_bins *bins, double energy, double *perp, double *par,
                        double *both);

/* Transfer spectra and fluxes: what the nonlinear terms give each shell
 *   (docs/methods/statistics.md#shells-and-spectra), T(s) = sum over the shell of w_k Re conj(u_k).N(u)_k,   Pi(s) =
 *   -sum_{s' <= s} T(s'). */

/* How many transfers are to be written with spectra: those of the equations; 0 where output.transfer is false, and
 * without truncation, where products alias and no sum need vanish. */
int triad_transfer_count(const triad_case *given, const triad_equations *equations, const triad_shape *shape);

/* transfer[i * shells + s] and flux[i * shells + s], i < shape.n_transfers, shells = triad_shell_count(grid).
 * Evaluates the nonlinear term once for each of shape.n_parts, as a stage of a step does; the state stays as it is.
 * Where a transfer is said to conserve, its sum is checked to be 0 to round-off (unless grid.truncation is "none"):
 * TRIAD_ERR_INTERNAL otherwise, which a velocity with a divergence brings about too. Collective; failures have been
 * agreed on. */
int triad_transfer_shells(triad_flow *flow, double *transfer, double *flux);

/* Shell spectra of fields in a file, with the code that a run uses: `triad spectra`.
 *
 * Read the fields onto the grid of `given`, compute their spectra and write them. The modes of a checkpoint are used
 * unchanged, so the result is that of the run, bit for bit. Of physical fields, on their own points, every mode that
 * the truncation keeps is used: with "none" the sum of the first spectrum is mean(|u|^2)/2 of the data, including the
 * mean flow in shell 0 and any compressive part. That sum is compared with the energy, and with the physical data.
 * TRIAD_ERR_CASE if a check fails, with both numbers, and if the file does not fit the case; TRIAD_ERR_IO. Collective;
 * the message has been printed. */
int triad_spectra_of(triad_context *context, const triad_case *given, const triad_spectra_source *source,
                     const triad_spectra_target *target, triad_log *log);

#endif
