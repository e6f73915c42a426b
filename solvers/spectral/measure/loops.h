/* Loops that measure a state on its device: sums over modes, and passes of the nonlinear term. budget.c has the table
 * of the CPU, gpu_measure.c that of a GPU; flow->measure is one of them. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_LOOPS_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_LOOPS_H

#include "parallel/sum.h"
#include "solvers/spectral/flow.h"
#include "solvers/spectral/measure/point_sums.h"
#include "solvers/spectral/plain/spectra.h"

/* Squares of a field in the sums of a transfer: of |u|^2 and of k^2 |u|^2. */
enum { TRIAD_TRANSFER_SQUARE, TRIAD_TRANSFER_GRADIENT, TRIAD_TRANSFER_SQUARES };

/* All are collective, add over all ranks, and agree on failures. */
typedef struct triad_measure_loops {
  /* sums[0 .. n_sums - 1], observed numbers behind them; peaks[] of the velocity (0 where the set has none). On a GPU
   * the forced modes are copied to flow->u. TRIAD_ERR_BLOWUP where a value is not finite. */
  int (*budget)(triad_flow *flow, double *sums, double peaks[TRIAD_PEAKS]);
  /* The columns of a series line that are sums over modes. */
  int (*modes)(triad_flow *flow, double *columns);
  /* What the power of a force is made of: the sum of |u|^2 of the fields that it drives; squares NULL: the forced modes
   * and the power of formulas, if they are on a GPU. */
  int (*force)(triad_flow *flow, double *squares);
  /* plain/spectra.h, plain/spectra_about.h: spectra over shells, and about an axis. */
  int (*shells)(triad_flow *flow, double *values);
  int (*about)(triad_flow *flow, const triad_bins *bins, double *perp, double *par, double *both);
  /* (*sums)[i * shells + s] of transfer i, then TRIAD_TRANSFER_SQUARES of each field, n in all; the caller frees them,
   * also after a failure. */
  int (*transfer)(triad_flow *flow, int64_t n, triad_sum **sums);
  /* measure/point_sums.h. */
  int (*points)(triad_flow *flow, triad_point_job *job);
  /* squares[i]: sum of |rates|^2 on the first grid; of the difference between those on both. */
  int (*aliasing)(triad_flow *flow, const double *const grid[2], double squares[2]);
} triad_measure_loops;

extern const triad_measure_loops triad_measure_host;

#endif
