/* The kernel of gpu_halo.c (cuda/halo.cu): the numbers of runs (exchange_plan.h) of all fields, from field to buffer, back, or
 * within a field. */
#ifndef TRIAD_GRID_GPU_HALO_COPY_H
#define TRIAD_GRID_GPU_HALO_COPY_H

#include "base/precision.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TRIAD_GPU_HALO_RUNS = 26, TRIAD_GPU_HALO_FIELDS = 32, TRIAD_GPU_HALO_BLOCK = 256 };

/* Places of a run in a field; a list lies on the device. */
typedef struct triad_gpu_places {
  int64_t first, stride[3];
  const int64_t *list;
} triad_gpu_places;

typedef struct triad_gpu_halo_run {
  triad_gpu_places here, from; /* from: where WITHIN reads                                              */
  int64_t before, numbers;     /* of a field: in the messages before this run's, in its message         */
  int64_t within;              /* and in its message before it                                          */
  uint32_t count[3], all;
  uint32_t first_block;        /* blocks of threads of the runs before it                               */
} triad_gpu_halo_run;

typedef enum triad_gpu_halo_way {
  TRIAD_GPU_HALO_PACK,   /* field -> buffer, [message][field][run][k][j][i] */
  TRIAD_GPU_HALO_UNPACK, /* buffer -> field                                 */
  TRIAD_GPU_HALO_WITHIN  /* field -> the same field                         */
} triad_gpu_halo_way;

/* What the kernel takes, by value: 4 KiB is all that it can. */
typedef struct triad_gpu_halo_list {
  triad_gpu_halo_run run[TRIAD_GPU_HALO_RUNS];
  int n, n_fields;
  uint32_t blocks; /* of threads, of all runs */
  triad_real *field[TRIAD_GPU_HALO_FIELDS];
} triad_gpu_halo_list;

/* Launched on `stream`; the buffer lies on the device (WITHIN: NULL). */
int triad_gpu_halo_copy(const triad_gpu_halo_list *list, triad_gpu_halo_way way, triad_real *buffer, void *stream);

#ifdef __cplusplus
}
#endif
#endif
