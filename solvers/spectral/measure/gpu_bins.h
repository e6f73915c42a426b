/* Bins for spectra of a state on the GPU (solvers/spectral/equations/gpu_set.h): shells, and rings and planes about an axis. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_GPU_BINS_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_GPU_BINS_H

#include "parallel/device.h"
#include "solvers/spectral/measure/bins.h"
#include "solvers/spectral/equations/gpu_set.h"


/* Tables on the device for the columns of a layout; give them back with destroy.
 *   shells: one group of all columns, bins are shells
 *   about:  z: groups are rings, bins are planes; x, y: groups are planes, bins are rings */
int triad_gpu_shells_create(triad_gpu_bins *out, triad_device *device, const triad_layout *layout);
int triad_gpu_about_create(triad_gpu_bins *out, triad_device *device, const triad_layout *layout,
                           const triad_bins *bins);
void triad_gpu_bins_destroy(triad_gpu_bins *bins, triad_device *device);

#endif
