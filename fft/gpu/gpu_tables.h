/* Tables of a pass in GPU memory: columns, rows, members and planes. */
#ifndef TRIAD_FFT_GPU_GPU_TABLES_H
#define TRIAD_FFT_GPU_GPU_TABLES_H

#include "fft/gpu/gpu_lines.h"

/* For planes that travel in chunks of `chunk`, columns of each rank padded to a multiple of `unit`. TRIAD_ERR_MEMORY.
 * Not collective. */
int triad_gpu_tables_create(triad_gpu_tables **out, triad_device *device, const triad_layout *layout, int64_t unit,
                            int64_t chunk);
void triad_gpu_tables_destroy(triad_gpu_tables **tables);

#endif
