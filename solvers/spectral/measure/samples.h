/* Samples of running means, output.means: from the current state, arrays with the names of files of spectra.
 *
 * spectra        what files of spectra have over shells and about an axis, with transfers and fluxes moments
 * F_moments[4] of each field F, and of du/dx, dv/dy, dw/dz: <F>, <F'^2>, <F'^3>, <F'^4>, F' = F - <F> pdfs
 * F_pdf: the probability density of F'/<F'^2>^(1/2), at bins from -10 to 10 profiles z     over planes across z:
 * mean_F_z, cov_F_F_z, and of velocities and what they carry cov_u_v_z, cov_u_theta_z ..,
 *                of which a sample has the mean products; dissipation_z, 2 viscosity S:S. Likewise of x and y. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_SAMPLES_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_SAMPLES_H

#include "case/mean.h"
#include "solvers/spectral/flow.h"

/* Bytes of a rank's memory while a sample is computed. Not collective. */
int64_t triad_samples_memory(const triad_case *given, const triad_layout *layout, int threads);

/* As solvers/solver.h has it. */
int triad_samples_take(void *flow, const double *columns, triad_contents **out);

#endif
