/* Budgets, spectra and transfers of a state on the GPU: sums are taken there, in a fixed order, and only they come back.
 * For flows with a device; each is what its name has on the CPU (measure.h), the parts of all
 * ranks added up. Collective. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_GPU_MEASURE_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_GPU_MEASURE_H

#include "parallel/device.h"
#include "solvers/spectral/equations/gpu_set.h"
#include "solvers/spectral/flow.h"
#include "solvers/spectral/measure/measure.h"

/* sums[0 .. n_sums - 1], observed numbers behind them; peaks[] of the velocity (0 where the set has none). The forced
 * modes are brought to flow->u. TRIAD_ERR_BLOWUP where a value is not finite. */
int triad_gpu_measure_budget(triad_flow *flow, double *sums, double peaks[TRIAD_PEAKS]);

/* values[i * shells + s]; both[(i * rings + r) * planes + p]. */
int triad_gpu_measure_shells(triad_flow *flow, double *values);
int triad_gpu_measure_about(triad_flow *flow, const triad_bins *bins, double *both);

/* transfer[i * shells + s]; squares[2 f], [2 f + 1]: sums of |u_f|^2 and of k^2 |u_f|^2. */
int triad_gpu_measure_transfer(triad_flow *flow, double *transfer, double *squares);

/* Bins for spectra of a state on the GPU (solvers/spectral/equations/gpu_set.h): shells, and rings and planes about an axis. */

/* Tables on the device for the columns of a layout; give them back with destroy.
 *   shells: one group of all columns, bins are shells
 *   about:  z: groups are rings, bins are planes; x, y: groups are planes, bins are rings */
int triad_gpu_shells_create(triad_gpu_bins *out, triad_device *device, const triad_layout *layout);
int triad_gpu_about_create(triad_gpu_bins *out, triad_device *device, const triad_layout *layout,
                           const triad_bins *bins);
void triad_gpu_bins_destroy(triad_gpu_bins *bins, triad_device *device);

#endif
