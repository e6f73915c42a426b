/* Accelerations along rows of points, for force.c. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_PLAIN_FORCE_ROWS_H
#define TRIAD_SOLVERS_COMPRESSIBLE_PLAIN_FORCE_ROWS_H

#include "parallel/context.h"
#include "solvers/noise.h"
#include "solvers/compressible/case/setup.h"

/* The noise of a band at the points of a block: waves e^{i k x_j} of each axis, and room for what a row makes of
 * them. */
typedef struct triad_gas_waves {
  triad_noise noise;
  double size;     /* of the acceleration's modes, times the noise's numbers            */
  int64_t most[3]; /* largest |k| along each axis                                       */
  int64_t points[3];
  double *wave[3]; /* [most + 1][points][re, im]                                        */
  double *room;    /* [threads][most[0] + 1][3][re, im]                                 */
} triad_gas_waves;

/* noise: its givens are there, and its modes are made here. TRIAD_ERR_CASE, TRIAD_ERR_MEMORY. Not collective. */
int triad_gas_waves_create(triad_gas_waves *waves, const triad_context *context, const triad_compressible_setup *setup,
                           const triad_partition *blocks, const double band[2]);
void triad_gas_waves_free(triad_gas_waves *waves, triad_memory *memory);

/* a[3][x] at own points (0 .. points[0] - 1, y, z). */
void triad_gas_waves_row(const triad_gas_waves *waves, int thread, int64_t y, int64_t z, double *const a[3]);

#endif
