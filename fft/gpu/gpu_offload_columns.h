/* Columns of an offloaded pass (gpu_offload.h), a piece at a time through the GPU. */
#ifndef TRIAD_FFT_GPU_GPU_OFFLOAD_COLUMNS_H
#define TRIAD_FFT_GPU_GPU_OFFLOAD_COLUMNS_H

#include "fft/gpu/gpu_offload_internal.h"

/* The sink of the first of two grids, whose results wait on the host; and of the second, which brings them along,
 * behind the fields of the job's own. */
triad_offload_side triad_offload_aside(triad_offload *p, const triad_offload_job *job, int second);

#endif
