/* Interpolate between the times of a file of modes. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_PLAIN_MODES_IN_TIME_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_PLAIN_MODES_IN_TIME_H

#include "solvers/spectral/force/plain/modes_file.h"

/* f(t) = sum_a weight[a] f[row[a]]: linear between times, or a cubic whose slopes are those of parabolas through
 * three times. */
void triad_modes_file_weights(const triad_modes_file *modes, int cubic, double t, int64_t row[4], double weight[4]);

#endif
