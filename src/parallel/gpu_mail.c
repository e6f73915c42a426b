#include "parallel/gpu_mail_own.h"

#include <stdlib.h>
#include <string.h>

/* CUDA packs smaller pieces of memory together, and a peer that maps one would map its neighbours. */
enum { WHOLE_PIECE = 2 << 20, FLAG_ALIGN = 256 };

static int64_t round_up(int64_t n, int64_t unit) { return (n + unit - 1) / unit * unit; }

int64_t triad_gpu_mail_bytes(int64_t bytes) { return bytes > 0 ? bytes + round_up(bytes + FLAG_ALIGN, WHOLE_PIECE) : 0; }

void triad_gpu_mail_must(const triad_gpu_mail *m, int status)
{
  if (status == TRIAD_OK) return;
  triad_message_print(m->context->comm.size > 1 ? m->context->comm.rank : -1);
  (void)MPI_Abort(m->context->comm.mpi, status);
}

static int take(triad_gpu_mail *m, const triad_gpu_letter *letters, int64_t most)
{
  int64_t flags = 2 * (int64_t)sizeof(uint32_t) * m->context->comm.size;
  m->letter = calloc((size_t)m->n_letters + 1, sizeof *m->letter);
  if (!m->letter) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "messages to %d peers", m->n_letters);
  for (int i = 0; i < m->n_letters; i++) {
    m->letter[i] = letters[i];
    m->bytes += letters[i].size * most;
  }
  m->bytes = round_up(m->bytes, FLAG_ALIGN);
  TRIAD_TRY(triad_device_take(m->device, "messages that leave", m->bytes, 1, (void **)&m->leaving));
  TRIAD_TRY(triad_device_take(m->device, "messages that arrive", round_up(m->bytes + flags, WHOLE_PIECE), 1,
                              (void **)&m->arrived));
  TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&m->packed, cudaEventDisableTiming)));
  TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&m->read, cudaEventDisableTiming)));
  return triad_device_wait(m->device); /* counters are zero before a peer can count in them */
}

int triad_gpu_mail_create(triad_gpu_mail **out, triad_context *context, triad_device *device, const char *word,
                          const triad_gpu_letter *letters, int n_letters, int64_t most)
{
  static const triad_gpu_mail_way *const way[TRIAD_GPU_CARRIERS] = {[TRIAD_GPU_NCCL] = &triad_gpu_mail_nccl,
                                                                    [TRIAD_GPU_IPC] = &triad_gpu_mail_ipc,
                                                                    [TRIAD_GPU_STAGED] = &triad_gpu_mail_staged,
                                                                    [TRIAD_GPU_CUDA_MPI] = &triad_gpu_mail_cuda_mpi};
  triad_gpu_mail *m = *out = calloc(1, sizeof *m);
  int st = m ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the mail between GPUs");
  if (m) {
    m->context = context;
    m->device = device;
    m->n_letters = n_letters;
    st = take(m, letters, most);
  }
  st = triad_agree(&context->comm, st);
  if (st == TRIAD_OK) st = triad_gpu_carrier_choose(&m->carrier, word, context, device);
  if (st == TRIAD_OK && !way[m->carrier])
    st = triad_agree(&context->comm, TRIAD_FAIL(TRIAD_ERR_FEATURE, "parallel.transport = \"%s\" serves the transforms of spectral "
                                                "solvers; take \"ipc\" or \"auto\"", word));
  if (st == TRIAD_OK) {
    m->way = way[m->carrier];
    st = triad_agree(&context->comm, m->way->create(&m->self, m));
  }
  if (st != TRIAD_OK) triad_gpu_mail_destroy(out);
  return st;
}

void triad_gpu_mail_destroy(triad_gpu_mail **mail)
{
  triad_gpu_mail *m = mail ? *mail : NULL;
  if (!m) return;
  if (m->way) {
    /* no peer may still read or write here when memory goes */
    (void)cudaDeviceSynchronize();
    (void)MPI_Barrier(m->context->comm.mpi);
    m->way->destroy(&m->self, m);
    (void)MPI_Barrier(m->context->comm.mpi);
  }
  if (m->packed) (void)cudaEventDestroy(m->packed);
  if (m->read) (void)cudaEventDestroy(m->read);
  triad_device_give(m->device, (void **)&m->leaving);
  triad_device_give(m->device, (void **)&m->arrived);
  free(m->letter);
  free(m);
  *mail = NULL;
}

void *triad_gpu_mail_leaving(const triad_gpu_mail *m) { return m->leaving; }
void *triad_gpu_mail_arrived(const triad_gpu_mail *m) { return m->arrived; }
triad_gpu_carrier triad_gpu_mail_carrier(const triad_gpu_mail *m) { return m->carrier; }

void triad_gpu_mail_begin(triad_gpu_mail *m, int64_t units, void *stream)
{
  m->units = units;
  triad_gpu_mail_must(m, TRIAD_CU(cudaEventRecord(m->packed, (cudaStream_t)stream)));
  m->way->begin(m->self, m);
}

void triad_gpu_mail_end(triad_gpu_mail *m, void *stream) { m->way->end(m->self, m, (cudaStream_t)stream); }

void triad_gpu_mail_read(triad_gpu_mail *m, void *stream)
{
  triad_gpu_mail_must(m, TRIAD_CU(cudaEventRecord(m->read, (cudaStream_t)stream)));
  if (m->way->read) m->way->read(m->self, m, (cudaStream_t)stream);
}
