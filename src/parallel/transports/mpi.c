/* Messages between GPUs by MPI: through pinned host buffers (staged), or straight from and into device memory where the
 * MPI library can (cuda-mpi). MPI knows no streams, so a message starts when the host has seen the event before it; the
 * host looks at all that is under way whenever it waits for something (advance), so that nothing waits for its turn. */
#include "base/clock.h"
#include "parallel/transports/transport_internal.h"
#include "parallel/wait.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 29 };

/* Messages of a group of peers (transport_internal.h). */
typedef struct group {
  int begin, end;     /* peers                                                          */
  int posted, landed; /* on their way; all that comes has come and is on the GPU        */
  cudaEvent_t down;   /* the data to send is in host memory */
} group;

/* One slot of a channel. */
typedef struct slot {
  int64_t sequence;        /* under way, -1: none           */
  triad_gpu_message *list; /* [peer]                        */
  char **send, **receive;  /* [peer] where MPI finds it: in the pinned buffers, or on the device */
  char *pinned_send, *pinned_receive;
  MPI_Request *sends, *receives; /* [peer] */
  group *group;
  cudaEvent_t up; /* what was received is on the GPU */
} slot;

typedef struct mpi {
  int direct, groups;
  slot *slots[TRIAD_GPU_CHANNELS]; /* [depth] */
  cudaStream_t down[TRIAD_GPU_CHANNELS], up;
  cudaEvent_t all;
} mpi;

static int pin(char **out, int64_t bytes)
{
  *out = NULL;
  cudaError_t error = cudaMallocHost((void **)out, (size_t)(bytes > 0 ? bytes : 1));
  if (error == cudaSuccess) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_MEMORY, "pinned host buffers of %lld bytes: %s", (long long)bytes,
                    cudaGetErrorString(error));
}

static int make_slot(const mpi *p, const triad_gpu_messages *m, int channel, slot *s)
{
  size_t n = (size_t)m->shape.n_peers + 1;
  s->sequence = -1;
  s->list = calloc(n, sizeof *s->list);
  s->send = calloc(2 * n, sizeof *s->send);
  s->sends = calloc(2 * n, sizeof *s->sends);
  s->group = calloc((size_t)p->groups + 1, sizeof *s->group);
  if (!s->list || !s->send || !s->sends || !s->group)
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "requests of %d ranks", m->shape.n_peers);
  s->receive = s->send + n;
  s->receives = s->sends + n;
  for (size_t i = 0; i < 2 * n; i++) s->sends[i] = MPI_REQUEST_NULL;
  TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&s->up, cudaEventDisableTiming)));
  for (int g = 0; g < p->groups; g++) {
    s->group[g].begin = triad_gpu_messages_group(m, g);
    s->group[g].end = triad_gpu_messages_group(m, g + 1);
    TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&s->group[g].down, cudaEventDisableTiming)));
  }
  if (p->direct) return TRIAD_OK;
  TRIAD_TRY(pin(&s->pinned_send, m->shape.send_bytes[channel]));
  return pin(&s->pinned_receive, m->shape.receive_bytes[channel]);
}

static int create_groups(mpi *p, const triad_gpu_messages *m)
{
  p->groups = triad_gpu_messages_groups(m);
  for (int channel = 0; channel < m->shape.channels; channel++) {
    p->slots[channel] = calloc((size_t)m->shape.depth, sizeof(slot));
    if (!p->slots[channel]) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "slots of messages");
    for (int i = 0; i < m->shape.depth; i++) TRIAD_TRY(make_slot(p, m, channel, &p->slots[channel][i]));
    TRIAD_TRY(TRIAD_CU(cudaStreamCreateWithFlags(&p->down[channel], cudaStreamNonBlocking)));
  }
  TRIAD_TRY(TRIAD_CU(cudaEventCreateWithFlags(&p->all, cudaEventDisableTiming)));
  return TRIAD_CU(cudaStreamCreateWithFlags(&p->up, cudaStreamNonBlocking));
}

static int create(void **self, triad_gpu_messages *m, int direct)
{
  mpi *p = *self = calloc(1, sizeof *p);
  if (!p) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the transport");
  p->direct = direct;
  return create_groups(p, m);
}

static int create_staged(void **self, triad_gpu_messages *m) { return create(self, m, 0); }
static int create_direct(void **self, triad_gpu_messages *m) { return create(self, m, 1); }

static void drop_slot(const mpi *p, slot *s)
{
  for (int g = 0; s->group && g < p->groups; g++)
    if (s->group[g].down) (void)cudaEventDestroy(s->group[g].down);
  if (s->up) (void)cudaEventDestroy(s->up);
  if (s->pinned_send) (void)cudaFreeHost(s->pinned_send);
  if (s->pinned_receive) (void)cudaFreeHost(s->pinned_receive);
  free(s->list);
  free(s->send);
  free(s->sends);
  free(s->group);
}

static void destroy(void **self, triad_gpu_messages *m)
{
  mpi *p = *self;
  if (!p) return;
  for (int channel = 0; channel < m->shape.channels; channel++) {
    for (int i = 0; p->slots[channel] && i < m->shape.depth; i++) drop_slot(p, &p->slots[channel][i]);
    if (p->down[channel]) (void)cudaStreamDestroy(p->down[channel]);
    free(p->slots[channel]);
  }
  if (p->all) (void)cudaEventDestroy(p->all);
  if (p->up) (void)cudaStreamDestroy(p->up);
  free(p);
  *self = NULL;
}

/* ---- one message, one group ---- */

static int tag(const triad_gpu_messages *m, int channel, const slot *s)
{
  return m->shape.channels == 2 ? (int)(TRIAD_GPU_CHANNELS * s->sequence) + channel : TAG;
}

static void post_receive(const triad_gpu_messages *m, int channel, slot *s, int i)
{
  int bytes = 0;
  triad_gpu_messages_must(m, triad_narrow(s->list[i].receive_bytes, &bytes));
  if (bytes > 0)
    triad_gpu_messages_must(m, TRIAD_MPI(MPI_Irecv(s->receive[i], bytes, MPI_BYTE, m->shape.peer[i], tag(m, channel, s),
                                                   m->context->comm.mpi, &s->receives[i])));
}

static void post_send(const triad_gpu_messages *m, int channel, slot *s, int i)
{
  int bytes = 0;
  triad_gpu_messages_must(m, triad_narrow(s->list[i].send_bytes, &bytes));
  if (bytes > 0)
    triad_gpu_messages_must(m, TRIAD_MPI(MPI_Isend(s->send[i], bytes, MPI_BYTE, m->shape.peer[i], tag(m, channel, s),
                                                   m->context->comm.mpi, &s->sends[i])));
}

/* Post messages whose data is ready. Two channels: receives and sends alternate; one channel: receives were posted
 * earlier. */
static void post(const triad_gpu_messages *m, int channel, slot *s, group *g)
{
  for (int i = g->begin; i < g->end; i++) {
    int pipeline = m->shape.channels == 2;
    if (pipeline) post_receive(m, channel, s, i);
    post_send(m, channel, s, pipeline ? g->end - 1 - (i - g->begin) : i);
  }
  g->posted = 1;
}

static int happened(const triad_gpu_messages *m, cudaEvent_t event)
{
  cudaError_t error = cudaEventQuery(event);
  if (error == cudaErrorNotReady) {
    (void)cudaGetLastError();
    return 0;
  }
  triad_gpu_messages_must(m, TRIAD_CU(error));
  return 1;
}

static int complete(const triad_gpu_messages *m, const group *g, MPI_Request *requests)
{
  int flag = 0;
  triad_gpu_messages_must(m, TRIAD_MPI(triad_test_all(g->end - g->begin, requests + g->begin, &flag)));
  return flag;
}

/* Timed copies only: wait for the stream, then begin or end the measurement. */
static void clock_copies(triad_gpu_messages *m, cudaStream_t stream, double sign)
{
  if (!m->apart) return;
  triad_gpu_messages_must(m, TRIAD_CU(cudaStreamSynchronize(stream)));
  m->copies_s += sign * triad_now();
}

static void upload(const mpi *p, triad_gpu_messages *m, slot *s, group *g, cudaStream_t stream)
{
  clock_copies(m, stream, -1);
  for (int i = g->begin; !p->direct && i < g->end; i++)
    if (s->list[i].receive_bytes > 0)
      triad_gpu_messages_must(
        m, TRIAD_CU(cudaMemcpyAsync(s->list[i].receive, s->receive[i], (size_t)s->list[i].receive_bytes,
                                    cudaMemcpyHostToDevice, stream)));
  clock_copies(m, stream, 1);
  triad_gpu_messages_must(m, TRIAD_CU(cudaEventRecord(s->up, stream)));
  g->landed = 1;
}

static void download(const mpi *p, triad_gpu_messages *m, int channel, slot *s, group *g)
{
  clock_copies(m, p->down[channel], -1);
  for (int i = g->begin; !p->direct && i < g->end; i++)
    if (s->list[i].send_bytes > 0)
      triad_gpu_messages_must(m, TRIAD_CU(cudaMemcpyAsync(s->send[i], s->list[i].send, (size_t)s->list[i].send_bytes,
                                                          cudaMemcpyDeviceToHost, p->down[channel])));
  clock_copies(m, p->down[channel], 1);
  triad_gpu_messages_must(m, TRIAD_CU(cudaEventRecord(g->down, p->down[channel])));
}

/* ---- all that is under way ---- */

/* Send messages whose data is ready; copy received ones to the GPU, unless a stream waits for them (wait). */
static void advance(void *self, triad_gpu_messages *m)
{
  mpi *p = self;
  int last = m->shape.channels - 1;
  for (int channel = 0; channel <= last; channel++)
    for (int i = 0; i < m->shape.depth; i++) {
      slot *s = &p->slots[channel][i];
      for (int k = 0; k < p->groups; k++) {
        group *g = &s->group[k];
        if (s->sequence >= 0 && !g->posted && happened(m, g->down)) post(m, channel, s, g);
        if (channel == last && g->posted && !g->landed && complete(m, g, s->receives)) upload(p, m, s, g, p->up);
      }
    }
}

static void advance_and_yield(mpi *p, triad_gpu_messages *m)
{
  advance(p, m);
  if (m->beside && m->beside->way->advance) m->beside->way->advance(m->beside->self, m->beside);
  (void)sched_yield();
}

/* Has the slot sent all, and is all that it received on its way to the GPU? */
static int is_done(const mpi *p, const triad_gpu_messages *m, const slot *s)
{
  for (int g = 0; g < p->groups; g++)
    if (!(s->group[g].posted && s->group[g].landed && complete(m, &s->group[g], s->sends))) return 0;
  return 1;
}

static int all_posted(const mpi *p, const slot *s)
{
  for (int g = 0; g < p->groups; g++)
    if (!s->group[g].posted) return 0;
  return 1;
}

static int all_sent(const mpi *p, const triad_gpu_messages *m, const slot *s)
{
  for (int g = 0; g < p->groups; g++)
    if (!complete(m, &s->group[g], s->sends)) return 0;
  return 1;
}

/* The slot's earlier messages are done with on this side; then it carries these. */
static void reuse(mpi *p, triad_gpu_messages *m, slot *s, int64_t sequence, const triad_gpu_message *list)
{
  char *send = s->pinned_send, *receive = s->pinned_receive;
  while (s->sequence >= 0 && !(is_done(p, m, s) && happened(m, s->up))) advance_and_yield(p, m);
  s->sequence = sequence;
  for (int g = 0; g < p->groups; g++) s->group[g].posted = s->group[g].landed = 0;
  for (int i = 0; i < m->shape.n_peers; i++) {
    s->list[i] = list[i];
    s->send[i] = p->direct ? (char *)(uintptr_t)list[i].send : send;
    s->receive[i] = p->direct ? list[i].receive : receive;
    send += list[i].send_bytes;
    receive += list[i].receive_bytes;
  }
}

/* One channel: earlier messages are no longer needed, and all new ones can be received at once. */
static void receive_early(mpi *p, triad_gpu_messages *m, slot *s, cudaEvent_t read)
{
  cudaEvent_t before = p->direct ? read : s->up;
  while (before && !happened(m, before)) (void)sched_yield();
  for (int i = 0; i < m->shape.n_peers; i++) post_receive(m, 0, s, i);
  if (!p->direct && read) triad_gpu_messages_must(m, TRIAD_CU(cudaStreamWaitEvent(p->up, read, 0)));
}

static void start(void *self, triad_gpu_messages *m, int channel, int64_t sequence, const triad_gpu_message *list,
                  cudaEvent_t ready, cudaEvent_t read)
{
  mpi *p = self;
  int64_t which = sequence % m->shape.depth;
  slot *s = &p->slots[channel][which], *first = &p->slots[0][which];
  int pipeline = m->shape.channels == 2;
  reuse(p, m, s, sequence, list);
  /* answers come back to where this slot's messages of channel 0 were: those must have left */
  while (channel == 1 && p->direct && !all_sent(p, m, first)) advance_and_yield(p, m);
  if (!pipeline) receive_early(p, m, s, read);
  if (ready) triad_gpu_messages_must(m, TRIAD_CU(cudaStreamWaitEvent(p->down[channel], ready, 0)));
  /* what was received here is overwritten once these are posted, which is after `down` */
  if (pipeline && read) triad_gpu_messages_must(m, TRIAD_CU(cudaStreamWaitEvent(p->down[channel], read, 0)));
  for (int g = 0; g < p->groups; g++) download(p, m, channel, s, &s->group[g]);
  advance(p, m);
}

static void wait(void *self, triad_gpu_messages *m, int64_t sequence, cudaStream_t stream)
{
  mpi *p = self;
  slot *s = &p->slots[0][sequence % m->shape.depth];
  group *g = s->group; /* of two channels there is one */
  while (!(g->posted && complete(m, g, s->receives))) advance_and_yield(p, m);
  upload(p, m, s, g, stream);
}

static void answered(void *self, triad_gpu_messages *m, int64_t sequence, cudaStream_t stream)
{
  mpi *p = self;
  slot *s = &p->slots[1][sequence % m->shape.depth];
  group *g = s->group;
  while (!(g->posted && (g->landed || complete(m, g, s->receives)))) advance_and_yield(p, m);
  if (g->landed) triad_gpu_messages_must(m, TRIAD_CU(cudaStreamWaitEvent(stream, s->up, 0)));
  else upload(p, m, s, g, stream);
}

static void left(void *self, triad_gpu_messages *m, int64_t sequence, cudaStream_t unused)
{
  mpi *p = self;
  slot *s = &p->slots[m->shape.channels - 1][sequence % m->shape.depth];
  (void)unused;
  while (s->sequence >= 0 && !(all_posted(p, s) && (!p->direct || all_sent(p, m, s)))) advance_and_yield(p, m);
}

static void finish(void *self, triad_gpu_messages *m, int64_t unused, cudaStream_t stream)
{
  mpi *p = self;
  (void)unused;
  for (int channel = 0; channel < m->shape.channels; channel++)
    for (int i = 0; i < m->shape.depth; i++) {
      slot *s = &p->slots[channel][i];
      while (s->sequence >= 0 && !is_done(p, m, s)) advance_and_yield(p, m);
      s->sequence = -1;
    }
  triad_gpu_messages_must(m, TRIAD_CU(cudaEventRecord(p->all, p->up)));
  triad_gpu_messages_must(m, TRIAD_CU(cudaStreamWaitEvent(stream, p->all, 0)));
}

const triad_transport_way triad_transport_staged = {create_staged, destroy, start, wait,   left,
                                                    answered,      finish,  NULL,  advance};
const triad_transport_way triad_transport_cuda_mpi = {create_direct, destroy, start, wait,   left,
                                                      answered,      finish,  NULL,  advance};
