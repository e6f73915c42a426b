/* Spectra of a state about an axis: over k_perp, over k_par, and over both. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PLAIN_SPECTRA_ABOUT_H
#define TRIAD_SOLVERS_SPECTRAL_PLAIN_SPECTRA_ABOUT_H

#include "solvers/spectral/plain/spectra.h"

/* perp[i * rings + r], par[i * planes + p], both[(i * rings + r) * planes + p] of spectrum i: E(k_perp), E(k_par) and
 * E(k_perp, k_par). Planes are taken a group at a time, so that the exact sums of a group fit in some 64 MB whatever
 * the grid and the number of threads (one plane at least: 0.6 kB a ring and spectrum).
 * Checks that the first spectrum sums to `energy` to round-off: TRIAD_ERR_INTERNAL otherwise. Collective; failures have
 * been agreed on. */
int triad_spectra_about(triad_flow *flow, const triad_bins *bins, double energy, double *perp, double *par,
                        double *both);

/* The row of the CPU in the table of measure/loops.h: the same without the check. */
int triad_spectra_about_host(triad_flow *flow, const triad_bins *bins, double *perp, double *par, double *both);

#endif
