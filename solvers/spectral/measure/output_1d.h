/* 1-D spectra, structure functions and PDFs of increments along x, y and z, as a file of spectra has them:
 * with output.line_spectra, output.structure_functions and output.increment_pdfs.
 * docs/methods/statistics.md#statistics-along-lines defines them. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_OUTPUT_1D_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_OUTPUT_1D_H

#include "solvers/spectral/flow.h"
#include "store/formats/spectrafile.h"

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
