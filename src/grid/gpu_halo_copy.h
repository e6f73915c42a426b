/* The kernel of gpu_halo.c (cuda/halo.cu): boxes of points of all fields, from field to buffer, back, or within a field. */
#ifndef TRIAD_GRID_GPU_HALO_COPY_H
#define TRIAD_GRID_GPU_HALO_COPY_H

#include "base/precision.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif


enum { TRIAD_GPU_HALO_BOXES = 26, TRIAD_GPU_HALO_FIELDS = 32, TRIAD_GPU_HALO_BLOCK = 256 };

/* A box of count[0] x count[1] x count[2] points. */
typedef struct triad_gpu_halo_box {
  int64_t here;         /* place of its first point in a field                                               */
  int64_t there;        /* points of the boxes before it in a buffer of one field; WITHIN: place of the source */
  uint32_t count[3], points;
  uint32_t first_block; /* blocks of threads of the boxes before it                                          */
} triad_gpu_halo_box;

typedef enum triad_gpu_halo_way {
  TRIAD_GPU_HALO_PACK,   /* field -> buffer, [box][field][z][y][x]       */
  TRIAD_GPU_HALO_UNPACK, /* buffer -> field                              */
  TRIAD_GPU_HALO_WITHIN  /* field -> the same field, from there to here  */
} triad_gpu_halo_way;

/* What the kernel takes, by value. */
typedef struct triad_gpu_halo_list {
  triad_gpu_halo_box box[TRIAD_GPU_HALO_BOXES];
  int n, n_fields;
  uint32_t blocks;   /* of threads, of all boxes           */
  int64_t stride[2]; /* reals from row to row, plane to plane */
  triad_real *field[TRIAD_GPU_HALO_FIELDS];
} triad_gpu_halo_list;

/* Launched on `stream`; the buffer lies on the device (WITHIN: NULL). */
int triad_gpu_halo_copy(const triad_gpu_halo_list *list, triad_gpu_halo_way way, triad_real *buffer, void *stream);

#ifdef __cplusplus
}
#endif
#endif
