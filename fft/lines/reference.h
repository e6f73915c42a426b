/* The yardstick of `triad bench`: the library's own 3-D real-to-complex transform of the same grid, FFTW's on one
 * core or cuFFT's on one GPU. */
#ifndef TRIAD_FFT_LINES_REFERENCE_H
#define TRIAD_FFT_LINES_REFERENCE_H

#include "base/precision.h"
#include "grid/grid.h"
#include "parallel/context.h"
#include "parallel/device.h"

typedef struct triad_reference triad_reference;

/* device NULL: rank 0 plans with FFTW_MEASURE; else it plans on its GPU. TRIAD_ERR_MEMORY. Collective. */
int triad_reference_create(triad_reference **out, triad_context *context, triad_device *device, const triad_grid *grid);
void triad_reference_destroy(triad_reference **reference, triad_context *context);

/* One transform on rank 0 while the others wait [s], on all ranks. Collective. */
int triad_reference_time(triad_reference *reference, triad_context *context, double *seconds);

/* The same in the other precision, for src/run/bench/bench.c, which serves both. */
int triadf_reference_create(triad_reference **out, triad_context *context, triad_device *device,
                            const triad_grid *grid);
void triadf_reference_destroy(triad_reference **reference, triad_context *context);
int triadf_reference_time(triad_reference *reference, triad_context *context, double *seconds);

/* The yardstick of `triad bench` on a GPU: cuFFT's own 3-D real-to-complex transform of the same grid, on one GPU. */
typedef struct triad_gpu_reference triad_gpu_reference;

/* Out of place, input and output and cuFFT's work area taken from the device. TRIAD_ERR_MEMORY, TRIAD_ERR_FEATURE. Not
 * collective: one rank makes it. */
int triad_gpu_reference_create(triad_gpu_reference **out, triad_device *device, const triad_grid *grid);
void triad_gpu_reference_destroy(triad_gpu_reference **reference);

/* Launch a forward transform and the way back. */
int triad_gpu_reference_both(triad_gpu_reference *reference);

/* One forward transform, by events [s]. */
int triad_gpu_reference_time(triad_gpu_reference *reference, double *seconds);

/* These as reference.c calls them; it has NULL for the table in a build without CUDA. */
typedef struct triad_gpu_reference_part {
  int (*create)(triad_gpu_reference **out, triad_device *device, const triad_grid *grid);
  void (*destroy)(triad_gpu_reference **reference);
  int (*time)(triad_gpu_reference *reference, double *seconds);
} triad_gpu_reference_part;
extern const triad_gpu_reference_part triad_gpu_reference_table;

#endif
