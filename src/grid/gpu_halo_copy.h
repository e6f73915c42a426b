/* The kernel of gpu_halo.c (cuda/halo.cu): the numbers of runs (exchange_plan.h) of all fields, from field to buffer,
 * back, or within a field. */
#ifndef TRIAD_GRID_GPU_HALO_COPY_H
#define TRIAD_GRID_GPU_HALO_COPY_H

#include "base/point.h"

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

/* What thread `thread` of block `block` does of field f: one number of a run. Blocks are dealt to runs in turn. */
TRIAD_POINT_INLINE void triad_gpu_halo_copy_one(const triad_gpu_halo_list *list, triad_gpu_halo_way way,
                                                triad_real *buffer, uint32_t block, uint32_t thread, uint32_t f)
{
  int which = 0;
  while (which + 1 < list->n && block >= list->run[which + 1].first_block) which++;
  const triad_gpu_halo_run *r = &list->run[which];
  uint32_t n = (block - r->first_block) * TRIAD_GPU_HALO_BLOCK + thread;
  if (n >= r->all) return;
  uint32_t i = n % r->count[0], row = n / r->count[0], j = row % r->count[1], k = row / r->count[1];
  const triad_gpu_places *p = &r->here;
  triad_real *field = list->field[f];
  triad_real *here = field + (p->list ? p->list[n] : p->first + i * p->stride[0] + j * p->stride[1] + k * p->stride[2]);
  if (way == TRIAD_GPU_HALO_WITHIN) {
    p = &r->from;
    *here = field[p->list ? p->list[n] : p->first + i * p->stride[0] + j * p->stride[1] + k * p->stride[2]];
    return;
  }
  triad_real *packed = buffer + r->before * list->n_fields + f * r->numbers + r->within + n;
  if (way == TRIAD_GPU_HALO_PACK) *packed = *here;
  if (way == TRIAD_GPU_HALO_UNPACK) *here = *packed;
}

/* Launched on `stream`; the buffer lies on the device (WITHIN: NULL). */
int triad_gpu_halo_copy(const triad_gpu_halo_list *list, triad_gpu_halo_way way, triad_real *buffer, void *stream);

#ifdef __cplusplus
}
#endif
#endif
