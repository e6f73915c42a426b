/* Tables that the kernels of lines read (gpu_lines.h), on the GPU: rows of a plane, who has which columns, places of
 * planes in chunks, twiddle factors; and the shape that leads to them. */
#ifndef TRIAD_FFT_GPU_TABLES_H
#define TRIAD_FFT_GPU_TABLES_H

#include "fft/gpu_lines.h"
#include "grid/layout.h"
#include "parallel/device.h"

typedef struct triad_gpu_tables triad_gpu_tables;

enum { TRIAD_GPU_COLUMNS = 16 }; /* columns that a rank's are padded to a multiple of, where fields live on the GPU */

/* Complex numbers of a plane's row: Kx + 1, to whole cache lines. */
int64_t triad_gpu_pitch(const triad_grid *grid);

/* For planes that travel in chunks of `chunk`, columns of each rank padded to a multiple of `unit`. TRIAD_ERR_MEMORY.
 * Not collective. */
int triad_gpu_tables_create(triad_gpu_tables **out, triad_device *device, const triad_layout *layout, int64_t unit,
                            int64_t chunk);
void triad_gpu_tables_destroy(triad_gpu_tables **tables);

/* The shape of all of a rank's columns; its slots are the caller's to set. */
const triad_gpu_shape *triad_gpu_tables_shape(const triad_gpu_tables *tables);

#endif
