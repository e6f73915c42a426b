/* Files of spectra of a run. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_OUTPUT_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_OUTPUT_H

#include "solvers/spectral/flow.h"
#include "store/checkpoint/notes.h"
#include "store/formats/spectrafile.h"

/* `energy`: of the state, for the check of the sum. Collective; failures have been printed.
 * Spectra over shells; about an axis where output.spectra_axis has one; transfers and fluxes with output.transfer. */
int triad_output_spectra(triad_flow *flow, const char *run_dir, double energy, const triad_notes *notes);
/* Those over shells and about an axis, with transfers and fluxes, into contents with room for so many arrays and
 * values. */
int triad_output_shells(triad_contents *c, triad_flow *flow, double energy);
int triad_output_shells_most(const triad_shape *shape);
int64_t triad_output_shells_values(const triad_case *given, const triad_grid *grid, const triad_shape *shape);

/* How many doubles a file of spectra holds. Not collective. */
int64_t triad_output_spectra_values(const triad_case *given, const triad_grid *grid, const triad_shape *shape);

/* output_1d.c: 1-D spectra, structure functions and PDFs of increments along x, y and z, as a file of spectra has them:
 * with output.line_spectra, output.structure_functions and output.increment_pdfs.
 * docs/methods/statistics.md#statistics-along-lines defines them. */

/* How many arrays, at most, and how many doubles they are. Not collective. */
int triad_output_1d_most(const triad_shape *shape);
int64_t triad_output_1d_values(const triad_case *given, const triad_grid *grid, const triad_shape *shape);

/* Bytes of memory that a rank of this layout takes for points, while they are measured. Not collective. */
int64_t triad_output_1d_memory(const triad_case *given, const triad_layout *layout, const triad_shape *shape);

/* Measure what the case asks for, and add it. Each variable f is checked, TRIAD_ERR_INTERNAL where one fails:
 *   sum E_f(k_a) = mean f^2 over the points;   S_2(r) = 2 sum E_f(k_a) (1 - cos k_a r);   mean d = 0;
 *   a PDF holds every point, and its second moment is that of the points to what the width of a bin allows.
 * Takes a variable's points twice, one variable after the other. Collective; failures have been agreed on. */
int triad_output_1d(triad_contents *c, triad_flow *flow);

#endif
