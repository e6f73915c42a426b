/* Many messages at once by a kernel's stores into the memory of peers (cuda/parallel/put.cu), for ipc.c. */
#ifndef TRIAD_PARALLEL_TRANSPORTS_PUT_H
#define TRIAD_PARALLEL_TRANSPORTS_PUT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TRIAD_PUT_PARTS = 16 }; /* maximum number of parts of a launch */

/* Addresses and bytes are multiples of 16. */
typedef struct triad_put_part {
  const void *from;
  void *to;
  int64_t bytes;
} triad_put_part;

typedef struct triad_put_parts {
  int n;
  triad_put_part of[TRIAD_PUT_PARTS];
} triad_put_parts;

/* Launch it on a stream with `blocks` thread blocks in all, the same number for each part. */
int triad_put(const triad_put_parts *parts, int blocks, void *stream);

#ifdef __cplusplus
}
#endif
#endif
