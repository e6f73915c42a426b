/* Messages between GPUs that go out again and again: one to each peer and one from it, as long as each other, from a buffer
 * of this rank's into one of the peer's.
 *
 *   ... launch on `stream` what fills triad_gpu_mail_leaving(m) ...
 *   triad_gpu_mail_begin(m, units, stream);   on its way as soon as that is done
 *   ... launch other work ...
 *   triad_gpu_mail_end(m, stream);            what is launched from here on finds triad_gpu_mail_arrived(m)
 *   ... launch what reads it ...
 *   triad_gpu_mail_read(m, stream);           peers may send again
 *
 * The host waits for nothing but MPI messages, in end. Two ranks may share a GPU, but for NCCL. */
#ifndef TRIAD_PARALLEL_GPU_MAIL_H
#define TRIAD_PARALLEL_GPU_MAIL_H

#include "parallel/context.h"
#include "parallel/device.h"
#include "parallel/gpu_carrier.h"

typedef struct triad_gpu_mail triad_gpu_mail;

/* With `units` of them in an exchange, `size` bytes a unit go to and come from the peer; they begin at byte `at` x units of
 * either buffer. */
typedef struct triad_gpu_letter {
  int peer; /* not this rank; the peer has a letter of the same size for this one */
  int64_t at, size;
} triad_gpu_letter;

/* For at most `most` units at once; one letter a peer. word: parallel.transport. TRIAD_ERR_MEMORY; TRIAD_ERR_FEATURE for a
 * transport that is not there. Collective; agreed. */
int triad_gpu_mail_create(triad_gpu_mail **out, triad_context *context, triad_device *device, const char *word,
                          const triad_gpu_letter *letters, int n_letters, int64_t most);
void triad_gpu_mail_destroy(triad_gpu_mail **mail); /* collective */

void *triad_gpu_mail_leaving(const triad_gpu_mail *mail);
void *triad_gpu_mail_arrived(const triad_gpu_mail *mail);
triad_gpu_carrier triad_gpu_mail_carrier(const triad_gpu_mail *mail);

/* In this order, the same on all ranks, on the thread that called MPI_Init_thread. A failure cannot be agreed on any more,
 * since others wait: it prints its error and aborts all ranks. Collective. */
void triad_gpu_mail_begin(triad_gpu_mail *mail, int64_t units, void *stream);
void triad_gpu_mail_end(triad_gpu_mail *mail, void *stream);
void triad_gpu_mail_read(triad_gpu_mail *mail, void *stream);

/* Device memory that buffers of so many bytes for all letters and units take. */
int64_t triad_gpu_mail_bytes(int64_t bytes);

#endif
