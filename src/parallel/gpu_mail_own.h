/* What the files of the mail between GPUs share: the mail, and what a carrier does. */
#ifndef TRIAD_PARALLEL_GPU_MAIL_OWN_H
#define TRIAD_PARALLEL_GPU_MAIL_OWN_H

#include "parallel/cuda.h"
#include "parallel/gpu_mail.h"

typedef struct triad_gpu_mail_way {
  /* Make (*self); each rank keeps its status, and the caller agrees. Collective. */
  int (*create)(void **self, triad_gpu_mail *m);
  void (*destroy)(void **self, triad_gpu_mail *m);
  /* Send once m->packed has happened; have the stream wait; m->read has been recorded, tell the peers. */
  void (*begin)(void *self, triad_gpu_mail *m);
  void (*end)(void *self, triad_gpu_mail *m, cudaStream_t stream);
  void (*read)(void *self, triad_gpu_mail *m, cudaStream_t stream);
} triad_gpu_mail_way;

struct triad_gpu_mail {
  triad_context *context;
  triad_device *device;
  triad_gpu_carrier carrier;
  const triad_gpu_mail_way *way;
  void *self;
  triad_gpu_letter *letter;
  int n_letters;
  int64_t bytes; /* of a buffer           */
  int64_t units; /* of the exchange at hand */
  char *leaving, *arrived; /* behind what arrives there is room for two counters of each rank */
  cudaEvent_t packed, read;
};

/* Bytes of a letter in the exchange at hand, and where they begin. */
static inline size_t triad_gpu_letter_bytes(const triad_gpu_mail *m, int i) { return (size_t)(m->letter[i].size * m->units); }
static inline int64_t triad_gpu_letter_at(const triad_gpu_mail *m, int i) { return m->letter[i].at * m->units; }

/* Others wait for this: there is no way back. */
void triad_gpu_mail_must(const triad_gpu_mail *m, int status);

extern const triad_gpu_mail_way triad_gpu_mail_nccl, triad_gpu_mail_ipc, triad_gpu_mail_staged, triad_gpu_mail_cuda_mpi;

#endif
