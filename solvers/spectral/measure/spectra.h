/* Spectra of the state: sums of quadratic densities over shells (grid/shells.h), and over rings and planes about an axis
 * (solvers/spectral/measure/bins.h). All sums are exact, the same on any number of ranks and threads. Each checks that the first spectrum
 * sums to `energy` to round-off: TRIAD_ERR_INTERNAL otherwise. Collective; failures have been agreed on. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_SPECTRA_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_SPECTRA_H

#include "solvers/spectral/measure/bins.h"
#include "solvers/spectral/flow.h"


/* values[i * shells + s], i < equations->n_spectra, shells = triad_shell_count(grid). */
int triad_spectra_shells(triad_flow *flow, double energy, double *values);

/* perp[i * rings + r], par[i * planes + p], both[(i * rings + r) * planes + p] of spectrum i: E(k_perp), E(k_par) and
 * E(k_perp, k_par). Planes are taken a group at a time, so that the exact sums of a group fit in some 64 MB whatever
 * the grid and the number of threads (one plane at least: 0.6 kB a ring and spectrum). */
int triad_spectra_about(triad_flow *flow, const triad_bins *bins, double energy, double *perp, double *par,
                        double *both);

#endif
