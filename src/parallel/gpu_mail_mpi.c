/* Mail between GPUs by MPI: through pinned host buffers (staged), or straight from and into device memory where the MPI
 * library can (cuda-mpi). MPI knows no streams: a message starts when the host has seen the event before it, in end, while
 * the GPU is at what was launched since begin. */
#include "parallel/gpu_mail_own.h"

#include <sched.h>
#include <stdlib.h>

enum { TAG = 29 };

typedef struct mpi {
  int direct;
  char *leaving, *arrived;         /* pinned, like the mail's; with `direct` the mail's own */
  MPI_Request *sends, *receives;   /* [letter] */
  cudaStream_t down, up;
  cudaEvent_t *there, uploaded;    /* [letter] on the host; all are on the GPU */
} mpi;

static int pin(char **out, int64_t bytes)
{
  cudaError_t error = cudaMallocHost((void **)out, (size_t)(bytes > 0 ? bytes : 1));
  if (error == cudaSuccess) return TRIAD_OK;
  *out = NULL;
  return TRIAD_FAIL(TRIAD_ERR_MEMORY, "pinned host buffers of %lld bytes: %s", (long long)bytes, cudaGetErrorString(error));
}

static int make(mpi *p, triad_gpu_mail *m)
{
  size_t n = (size_t)m->n_letters + 1;
  int unused;
  p->sends = calloc(n, sizeof *p->sends);
  p->receives = calloc(n, sizeof *p->receives);
  p->there = calloc(n, sizeof *p->there);
  if (!p->sends || !p->receives || !p->there) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "requests of %d peers", m->n_letters);
  TRIAD_TRY(triad_narrow(m->bytes, &unused)); /* then every message is counted by an int */
  TRIAD_TRY(TRIAD_CU(cudaStreamCreateWithFlags(&p->down, cudaStreamNonBlocking)));
  TRIAD_TRY(TRIAD_CU(cudaStreamCreateWithFlags(&p->up, cudaStreamNonBlocking)));
  TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&p->uploaded, cudaEventDisableTiming)));
  for (int i = 0; i < m->n_letters; i++)
    TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&p->there[i], cudaEventDisableTiming)));
  if (p->direct) {
    p->leaving = m->leaving;
    p->arrived = m->arrived;
    return TRIAD_OK;
  }
  TRIAD_TRY(pin(&p->leaving, m->bytes));
  return pin(&p->arrived, m->bytes);
}

static int create(void **self, triad_gpu_mail *m, int direct)
{
  mpi *p = *self = calloc(1, sizeof *p);
  if (!p) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the mail by MPI");
  p->direct = direct;
  return make(p, m);
}

static int create_staged(void **self, triad_gpu_mail *m) { return create(self, m, 0); }
static int create_direct(void **self, triad_gpu_mail *m) { return create(self, m, 1); }

static void destroy(void **self, triad_gpu_mail *m)
{
  mpi *p = *self;
  if (!p) return;
  for (int i = 0; p->there && i < m->n_letters; i++)
    if (p->there[i]) (void)cudaEventDestroy(p->there[i]);
  if (p->uploaded) (void)cudaEventDestroy(p->uploaded);
  if (p->down) (void)cudaStreamDestroy(p->down);
  if (p->up) (void)cudaStreamDestroy(p->up);
  if (!p->direct && p->leaving) (void)cudaFreeHost(p->leaving);
  if (!p->direct && p->arrived) (void)cudaFreeHost(p->arrived);
  free(p->sends);
  free(p->receives);
  free(p->there);
  free(p);
  *self = NULL;
}

/* Until the GPU has come so far. */
static void await(const triad_gpu_mail *m, cudaEvent_t event)
{
  cudaError_t error;
  while ((error = cudaEventQuery(event)) == cudaErrorNotReady) (void)sched_yield();
  (void)cudaGetLastError(); /* "not ready" is no error */
  triad_gpu_mail_must(m, TRIAD_CU(error));
}

static void begin(void *self, triad_gpu_mail *m)
{
  mpi *p = self;
  await(m, p->direct ? m->read : p->uploaded); /* what the last exchange received is no longer needed */
  for (int i = 0; i < m->n_letters; i++)
    triad_gpu_mail_must(m, TRIAD_MPI(MPI_Irecv(p->arrived + triad_gpu_letter_at(m, i), (int)triad_gpu_letter_bytes(m, i),
                                               MPI_BYTE, m->letter[i].peer, TAG, m->context->comm.mpi, &p->receives[i])));
  if (p->direct) return;
  triad_gpu_mail_must(m, TRIAD_CU(cudaStreamWaitEvent(p->down, m->packed, 0)));
  for (int i = 0; i < m->n_letters; i++) {
    int64_t at = triad_gpu_letter_at(m, i);
    triad_gpu_mail_must(m, TRIAD_CU(cudaMemcpyAsync(p->leaving + at, m->leaving + at, triad_gpu_letter_bytes(m, i),
                                                    cudaMemcpyDeviceToHost, p->down)));
    triad_gpu_mail_must(m, TRIAD_CU(cudaEventRecord(p->there[i], p->down)));
  }
}

static void end(void *self, triad_gpu_mail *m, cudaStream_t stream)
{
  mpi *p = self;
  for (int i = 0; i < m->n_letters; i++) {
    await(m, p->direct ? m->packed : p->there[i]);
    triad_gpu_mail_must(m, TRIAD_MPI(MPI_Isend(p->leaving + triad_gpu_letter_at(m, i), (int)triad_gpu_letter_bytes(m, i),
                                               MPI_BYTE, m->letter[i].peer, TAG, m->context->comm.mpi, &p->sends[i])));
  }
  if (!p->direct) triad_gpu_mail_must(m, TRIAD_CU(cudaStreamWaitEvent(p->up, m->read, 0)));
  for (int done = 0; done < m->n_letters; done++) {
    int i = 0;
    triad_gpu_mail_must(m, TRIAD_MPI(MPI_Waitany(m->n_letters, p->receives, &i, MPI_STATUS_IGNORE)));
    int64_t at = triad_gpu_letter_at(m, i);
    if (!p->direct)
      triad_gpu_mail_must(m, TRIAD_CU(cudaMemcpyAsync(m->arrived + at, p->arrived + at, triad_gpu_letter_bytes(m, i),
                                                      cudaMemcpyHostToDevice, p->up)));
  }
  triad_gpu_mail_must(m, TRIAD_CU(cudaEventRecord(p->uploaded, p->up)));
  triad_gpu_mail_must(m, TRIAD_CU(cudaStreamWaitEvent(stream, p->uploaded, 0)));
  triad_gpu_mail_must(m, TRIAD_MPI(MPI_Waitall(m->n_letters, p->sends, MPI_STATUSES_IGNORE)));
}

const triad_gpu_mail_way triad_gpu_mail_staged = {create_staged, destroy, begin, end, NULL};
const triad_gpu_mail_way triad_gpu_mail_cuda_mpi = {create_direct, destroy, begin, end, NULL};
