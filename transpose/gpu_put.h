/* Many messages at once by a kernel's stores into memory of other GPUs, for gpu_ipc.c. */
#ifndef TRIAD_TRANSPOSE_GPU_PUT_H
#define TRIAD_TRANSPOSE_GPU_PUT_H

#include "base/precision.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TRIAD_GPU_PARCELS = 16 }; /* parcels of a launch */

/* count complex numbers, places in whole 16 bytes. */
typedef struct triad_gpu_parcel {
  const triad_cplx *from;
  triad_cplx *to;
  int64_t count;
} triad_gpu_parcel;

typedef struct triad_gpu_parcels {
  int n;
  triad_gpu_parcel of[TRIAD_GPU_PARCELS];
} triad_gpu_parcels;

/* Launch it on a stream, `blocks` blocks of threads altogether, as many for each message. */
int triad_gpu_put_parcels(const triad_gpu_parcels *parcels, int blocks, void *stream);

#ifdef __cplusplus
}
#endif
#endif
