/* The kernel of fields/gpu_halo.c (cuda/parallel/halo.cu): copy the values of runs (exchange_plan.h) of all fields from
 * field to buffer, from buffer to field, or within a field. */
#ifndef TRIAD_GRID_GPU_HALO_COPY_H
#define TRIAD_GRID_GPU_HALO_COPY_H

#include "base/point.h"

#ifdef __cplusplus
extern "C" {
#endif

/* TOGETHER: fields per thread. */
enum { TRIAD_GPU_HALO_TOGETHER = 5, TRIAD_GPU_HALO_RUNS = 26, TRIAD_GPU_HALO_FIELDS = 32, TRIAD_GPU_HALO_BLOCK = 256 };

#ifdef __CUDACC__
#define TRIAD_GPU_HALO_UNROLL _Pragma("unroll")
#else
#define TRIAD_GPU_HALO_UNROLL _Pragma("GCC unroll 8")
#endif

/* Indices of a run in a field; the list is in device memory. */
typedef struct triad_gpu_places {
  int64_t first, stride[3];
  const int64_t *list;
} triad_gpu_places;

typedef struct triad_gpu_halo_run {
  triad_gpu_places here, from; /* from: source indices of WITHIN */
  int64_t before, numbers;     /* values per field: in earlier messages; in the message of this run */
  int64_t within;              /* in its message, before this run */
  uint32_t count[3], all;
  uint32_t first_block; /* first thread block of this run */
} triad_gpu_halo_run;

typedef enum triad_gpu_halo_way {
  TRIAD_GPU_HALO_PACK,   /* field -> buffer, [message][field][run][k][j][i] */
  TRIAD_GPU_HALO_UNPACK, /* buffer -> field                                 */
  TRIAD_GPU_HALO_WITHIN  /* field -> the same field                         */
} triad_gpu_halo_way;

/* Kernel argument, passed by value: at most 4 KiB. */
typedef struct triad_gpu_halo_list {
  triad_gpu_halo_run run[TRIAD_GPU_HALO_RUNS];
  int n, n_fields;
  uint32_t blocks; /* thread blocks of all runs */
  triad_real *field[TRIAD_GPU_HALO_FIELDS];
} triad_gpu_halo_list;

/* The run of a thread block: the last one whose first block is not above it. */
TRIAD_POINT_INLINE const triad_gpu_halo_run *triad_gpu_halo_run_at(const triad_gpu_halo_list *list, uint32_t block)
{
  int which = 0, end = list->n;
  while (end - which > 1) {
    const int middle = (which + end) / 2;
    if (block >= list->run[middle].first_block) which = middle;
    else end = middle;
  }
  return &list->run[which];
}

TRIAD_POINT_INLINE int64_t triad_gpu_halo_place(const triad_gpu_places *p, uint32_t n, uint32_t i, uint32_t j,
                                                uint32_t k)
{
  return p->list ? p->list[n] : p->first + i * p->stride[0] + j * p->stride[1] + k * p->stride[2];
}

/* Thread `thread` of block `block` copies one value of a run for each field of a group. It reads all before it writes
 * one, so that the reads overlap. */
TRIAD_POINT_INLINE void triad_gpu_halo_copy_one(const triad_gpu_halo_list *list, triad_gpu_halo_way way,
                                                triad_real *buffer, uint32_t block, uint32_t thread, uint32_t group)
{
  const triad_gpu_halo_run *r = triad_gpu_halo_run_at(list, block);
  const uint32_t n = (block - r->first_block) * TRIAD_GPU_HALO_BLOCK + thread;
  if (n >= r->all) return;
  const uint32_t i = n % r->count[0], row = n / r->count[0], j = row % r->count[1], k = row / r->count[1];
  const int first = (int)group * TRIAD_GPU_HALO_TOGETHER, left = list->n_fields - first;
  const int fields = left < TRIAD_GPU_HALO_TOGETHER ? left : TRIAD_GPU_HALO_TOGETHER;
  const int64_t here = triad_gpu_halo_place(&r->here, n, i, j, k);
  const int64_t from = way == TRIAD_GPU_HALO_WITHIN ? triad_gpu_halo_place(&r->from, n, i, j, k) : here;
  triad_real *packed = buffer ? buffer + r->before * list->n_fields + first * r->numbers + r->within + n : NULL;
  triad_real x[TRIAD_GPU_HALO_TOGETHER] = {0};
  TRIAD_GPU_HALO_UNROLL
  for (int f = 0; f < TRIAD_GPU_HALO_TOGETHER; f++)
    if (f < fields) x[f] = way == TRIAD_GPU_HALO_UNPACK ? packed[f * r->numbers] : list->field[first + f][from];
  TRIAD_GPU_HALO_UNROLL
  for (int f = 0; f < TRIAD_GPU_HALO_TOGETHER; f++) {
    if (f >= fields) continue;
    if (way == TRIAD_GPU_HALO_PACK) packed[f * r->numbers] = x[f];
    else list->field[first + f][here] = x[f];
  }
}

/* Number of groups of fields in a list. */
static inline uint32_t triad_gpu_halo_groups(const triad_gpu_halo_list *list)
{
  return (uint32_t)((list->n_fields + TRIAD_GPU_HALO_TOGETHER - 1) / TRIAD_GPU_HALO_TOGETHER);
}

/* Launch the copy on `stream`; the buffer is in device memory (WITHIN: NULL). */
int triad_gpu_halo_copy(const triad_gpu_halo_list *list, triad_gpu_halo_way way, triad_real *buffer, void *stream);

#ifdef __cplusplus
}
#endif
#endif
