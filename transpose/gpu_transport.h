/* What a transport between GPUs is (gpu_exchange.h): started and waited for chunk by chunk, on CUDA streams.
 *
 * Functions run in a fixed order on every rank: start_in of chunks 0 .. depth - 1; then for each chunk c: wait_in c,
 * start_out c, start_in c + depth; then finish. Those that cannot fail alone go through must(). */
#ifndef TRIAD_TRANSPOSE_GPU_TRANSPORT_H
#define TRIAD_TRANSPOSE_GPU_TRANSPORT_H

#include "parallel/context.h"
#include "parallel/cuda.h"
#include "transpose/gpu_exchange.h"

enum { TRIAD_GPU_FLAG_ALIGN = 256 }; /* flags begin at the next such multiple [bytes] */

typedef struct triad_gpu_transport {
  const char *name;
  /* Make (*self); each rank keeps its status, and the caller agrees. Collective. */
  int (*create)(void **self, triad_gpu_exchange *x);
  void (*destroy)(void **self, triad_gpu_exchange *x);
  /* Send this rank's columns of the chunk to the planes' owners, once x->ready has happened. */
  void (*start_in)(void *self, triad_gpu_exchange *x, int64_t chunk);
  void (*wait_in)(void *self, triad_gpu_exchange *x, int64_t chunk, cudaStream_t stream);
  /* Send results from the leaving slot back to the columns' owners, once x->done[slot] has happened. */
  void (*start_out)(void *self, triad_gpu_exchange *x, int64_t chunk);
  void (*finish)(void *self, triad_gpu_exchange *x, cudaStream_t stream);
} triad_gpu_transport;

struct triad_gpu_exchange {
  triad_context *context;
  triad_device *device;
  const triad_layout *layout;
  const triad_gpu_transport *transport; /* NULL for one rank */
  void *self;
  triad_gpu_chunks chunks;
  int most_in, most; /* fields inwards; slots of the work array */
  int n_in, slots;   /* of the exchange at hand                 */
  int n_back;        /* fields a plane that come back: slots, or 0 where there are no results */
  int64_t window_bytes;
  char *window;
  triad_cplx *leaving;
  cudaEvent_t ready, *done; /* inputs are there; [depth] results are in their slot */
  int apart;                /* time copies between device and host one by one: */
  double copies_s;
};

/* Peers in the order rank+1, rank+2, ..: no rank is everybody's first. */
static inline int triad_gpu_peer(const triad_gpu_exchange *x, int step)
{
  return (x->layout->rank + step) % x->layout->size;
}


/* Others wait for this: there is no way back. */
void triad_gpu_must(const triad_gpu_exchange *x, int status);

/* Columns of the ranks before r, less those of `owner`: where r's part of a slot of `owner` begins. */
int64_t triad_gpu_part(const triad_layout *layout, int owner, int r);

/* All in complex numbers: a slot of rank p for n fields; the message between rank r (columns) and p (planes). */
int64_t triad_gpu_slot_size(const triad_gpu_exchange *x, int p, int n);
int64_t triad_gpu_part_size(const triad_gpu_exchange *x, int r, int p, int64_t chunk, int n);

/* Place in the work array of rank r of chunk `chunk` of rank p; place in p's window of what r sent. */
int64_t triad_gpu_work_place(const triad_gpu_exchange *x, int r, int p, int64_t chunk);
int64_t triad_gpu_arrived_place(const triad_gpu_exchange *x, int r, int p, int64_t chunk);

/* Transports: gpu_nccl.c, gpu_ipc.c, gpu_mpi.c. */
extern const triad_gpu_transport triad_gpu_nccl, triad_gpu_ipc, triad_gpu_put, triad_gpu_staged, triad_gpu_cuda_mpi;

/* gpu_choose.c: the transport for a word of the case. TRIAD_ERR_FEATURE with the reason. Collective; agreed. */
int triad_gpu_transport_choose(const triad_gpu_transport **out, const char *word, const triad_context *context,
                               const triad_device *device);

#endif
