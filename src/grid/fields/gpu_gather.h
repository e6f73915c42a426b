/* Gather single values of fields on a GPU, for probes: the indices are set once; then a call packs the values and
 * copies only these to the host. */
#ifndef TRIAD_GRID_FIELDS_GPU_GATHER_H
#define TRIAD_GRID_FIELDS_GPU_GATHER_H

#include "base/precision.h"
#include "parallel/device.h"

enum { TRIAD_GPU_GATHER_FIELDS = 8 };

typedef struct triad_gpu_gather {
  triad_device *device; /* NULL: no indices set */
  int fields;
  int64_t first[TRIAD_GPU_GATHER_FIELDS + 1];
  int64_t *at;                  /* in GPU memory, like packed */
  triad_real *packed, *brought; /* brought: in host memory */
} triad_gpu_gather;

/* Set the indices of field f to at[first[f]] .. at[first[f + 1] - 1] of its memory, first[0] = 0; they replace earlier
 * ones. TRIAD_ERR_MEMORY, TRIAD_ERR_INTERNAL. Not collective, like all functions here. */
int triad_gpu_gather_places(triad_gpu_gather *gather, triad_device *device, int fields, const int64_t *first,
                            const int64_t *at);
void triad_gpu_gather_drop(triad_gpu_gather *gather);

/* *values: the values at these indices, in their order, valid until the next call. field: pointers to GPU memory. */
int triad_gpu_gather_bring(triad_gpu_gather *gather, triad_real *const *field, const triad_real **values);

#endif
