/* A few numbers of fields on a GPU, at places that are told once: what probes are made of comes to the host, and no
 * field. */
#ifndef TRIAD_GRID_FIELDS_GPU_GATHER_H
#define TRIAD_GRID_FIELDS_GPU_GATHER_H

#include "base/precision.h"
#include "parallel/device.h"

enum { TRIAD_GPU_GATHER_FIELDS = 8 };

typedef struct triad_gpu_gather {
  triad_device *device; /* NULL: no places yet */
  int fields;
  int64_t first[TRIAD_GPU_GATHER_FIELDS + 1];
  int64_t *at;                  /* on the GPU, as the following */
  triad_real *packed, *brought; /* brought: on the host         */
} triad_gpu_gather;

/* Field f's places are at[first[f]] .. at[first[f + 1] - 1], entries of its memory, first[0] = 0; those of before
 * are forgotten. TRIAD_ERR_MEMORY, TRIAD_ERR_INTERNAL. Not collective, as all here. */
int triad_gpu_gather_places(triad_gpu_gather *gather, triad_device *device, int fields, const int64_t *first,
                            const int64_t *at);
void triad_gpu_gather_drop(triad_gpu_gather *gather);

/* *values: the numbers at these places, in their order, until the next call; field: on the GPU. */
int triad_gpu_gather_bring(triad_gpu_gather *gather, triad_real *const *field, const triad_real **values);

#endif
