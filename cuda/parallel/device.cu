/* src/parallel/device.h on CUDA: the table of src/parallel/device_calls.h. */
#include "parallel/device_calls.h"
#include "base/memory.h"
#include "parallel/fibers.h"

#include <cuda_runtime.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELD_MOST = 512, FEW_BYTES = 1 << 14 };

struct triad_device {
  int number;
  cudaStream_t stream;
  char name[256], bus[TRIAD_DEVICE_BUS];
  void *few; /* pinned, for what a step brings to the host: a copy to other memory holds the host up until it is done */
  int64_t held, peak, limit;
  int n;
  struct {
    void *pointer;
    int64_t bytes;
  } list[HELD_MOST];
};

static int check(cudaError_t error, const char *what)
{
  if (error == cudaSuccess) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s: %s", what, cudaGetErrorString(error));
}

static int device_count(void)
{
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

static const char *device_name(const triad_device *device) { return device->name; }

static const char *device_bus(const triad_device *device) { return device->bus; }

static int device_reaches(const triad_device *device, const char *bus)
{
  int other, can = 1;
  if (cudaDeviceGetByPCIBusId(&other, bus) != cudaSuccess) {
    (void)cudaGetLastError(); /* hidden from this process, which says nothing of how it is wired */
    return 1;
  }
  if (other == device->number) return 1;
  return cudaDeviceCanAccessPeer(&can, device->number, other) == cudaSuccess && can;
}

static int device_look(int number, char *name, char *bus)
{
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, number) != cudaSuccess ||
      cudaDeviceGetPCIBusId(bus, TRIAD_DEVICE_BUS, number) != cudaSuccess) {
    (void)cudaGetLastError();
    return 0;
  }
  (void)snprintf(name, 256, "%s", properties.name);
  for (char *c = bus; *c; c++) *c = (char)tolower(*c);
  return 1;
}

static int device_create(triad_device **out, int number)
{
  int count = 0;
  cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || number >= count)
    return TRIAD_FAIL(TRIAD_ERR_FEATURE, "no GPU to run on: %s",
                      error != cudaSuccess ? cudaGetErrorString(error) : "too few devices");
  triad_device *d = (triad_device *)calloc(1, sizeof *d);
  if (!d) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the device");
  d->number = number;
  int st = check(cudaSetDevice(number), "cudaSetDevice");
  if (st == TRIAD_OK) st = check(cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking), "cudaStreamCreate");
  if (st == TRIAD_OK) st = check(cudaMallocHost(&d->few, FEW_BYTES), "cudaMallocHost");
  if (st != TRIAD_OK) {
    if (d->stream) (void)cudaStreamDestroy(d->stream);
    free(d);
    return st;
  }
  (void)device_look(number, d->name, d->bus);
  *out = d;
  return TRIAD_OK;
}

static void device_destroy(triad_device **device)
{
  triad_device *d = *device;
  for (int i = 0; i < d->n; i++) (void)cudaFree(d->list[i].pointer);
  (void)cudaStreamDestroy(d->stream);
  (void)cudaFreeHost(d->few);
  free(d);
  *device = NULL;
}

static int device_room(const triad_device *device, int64_t *available, int64_t *total)
{
  size_t now = 0, all = 0;
  (void)device;
  TRIAD_TRY(check(cudaMemGetInfo(&now, &all), "cudaMemGetInfo"));
  *available = (int64_t)now;
  *total = (int64_t)all;
  return TRIAD_OK;
}

static int device_take(triad_device *d, const char *owner, int64_t count, size_t size, void **out)
{
  size_t bytes = (size_t)count * size, available = 0, total = 0;
  if (d->n == HELD_MOST) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s: more than %d device arrays", owner, HELD_MOST);
  if (d->limit > 0 && d->held + (int64_t)bytes > d->limit)
    return TRIAD_FAIL(TRIAD_ERR_MEMORY,
                      "GPU memory: %s requires %.3f GB, but this run uses %.3f GB and may use %.3f GB", owner,
                      1e-9 * (double)bytes, 1e-9 * (double)d->held, 1e-9 * (double)d->limit);
  cudaError_t error = cudaMalloc(out, bytes ? bytes : 1);
  if (error != cudaSuccess) {
    (void)cudaGetLastError();
    (void)cudaMemGetInfo(&available, &total);
    *out = NULL;
    return TRIAD_FAIL(TRIAD_ERR_MEMORY,
                      "GPU memory: %s requires %.3f GB, but this run uses %.3f GB and %.3f of %.3f GB are free", owner,
                      1e-9 * (double)bytes, 1e-9 * (double)d->held, 1e-9 * (double)available, 1e-9 * (double)total);
  }
  d->list[d->n].pointer = *out;
  d->list[d->n++].bytes = (int64_t)bytes;
  d->held += (int64_t)bytes;
  if (d->held > d->peak) d->peak = d->held;
  return check(cudaMemsetAsync(*out, 0, bytes, d->stream), "cudaMemset");
}

static void device_give(triad_device *d, void **pointer)
{
  for (int i = 0; i < d->n; i++)
    if (d->list[i].pointer == *pointer) {
      d->held -= d->list[i].bytes;
      d->list[i] = d->list[--d->n];
      break;
    }
  (void)cudaFree(*pointer);
  *pointer = NULL;
}

static int64_t device_peak(const triad_device *d) { return d->peak; }

static void device_limit(triad_device *d, int64_t bytes) { d->limit = bytes; }

/* What is waited for: all that the stream has been given, or a flag that a kernel sets. */
struct awaited {
  cudaStream_t stream;
  const int *flag;
  int asked;
  cudaError_t answer;
};

static int has_ended(void *self)
{
  awaited *a = (awaited *)self;
  a->answer = cudaStreamQuery(a->stream);
  return a->answer != cudaErrorNotReady;
}

/* The stream is asked now and then: a kernel that failed sets no flag. */
static int has_come(void *self)
{
  enum { SELDOM = 256 };
  awaited *a = (awaited *)self;
  if (__atomic_load_n(a->flag, __ATOMIC_ACQUIRE)) return 1;
  return ++a->asked % SELDOM == 0 && has_ended(self);
}

/* What other works of this thread have for the GPU is launched meanwhile. */
static int device_wait(triad_device *d)
{
  awaited a = {d->stream, NULL, 0, cudaSuccess};
  if (!triad_fibers_inside()) return check(cudaStreamSynchronize(d->stream), "GPU");
  triad_fibers_wait(has_ended, &a);
  return check(a.answer, "GPU");
}

static int device_wait_for(triad_device *d, const int *flag)
{
  awaited a = {d->stream, flag, 0, cudaSuccess};
  triad_fibers_wait(has_come, &a);
  while (!triad_fibers_inside() && !has_come(&a)) continue;
  TRIAD_TRY(check(a.answer == cudaErrorNotReady ? cudaSuccess : a.answer, "GPU"));
  return __atomic_load_n(flag, __ATOMIC_ACQUIRE)
           ? TRIAD_OK
           : TRIAD_FAIL(TRIAD_ERR_INTERNAL, "no kernel has set the flag that is waited for");
}

static int device_shared(triad_device *d, int64_t bytes, void **out)
{
  (void)d;
  if (cudaHostAlloc(out, (size_t)bytes, cudaHostAllocMapped) != cudaSuccess) {
    (void)cudaGetLastError();
    *out = NULL;
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld bytes of host memory that the GPU can access", (long long)bytes);
  }
  (void)memset(*out, 0, (size_t)bytes);
  return TRIAD_OK;
}

static void device_shared_free(triad_device *d, void **pointer)
{
  (void)cudaStreamSynchronize(d->stream); /* a kernel may still be about to write there */
  (void)cudaFreeHost(*pointer);
  *pointer = NULL;
}

static int device_pin(triad_device *d, void *pointer, int64_t bytes)
{
  (void)d;
  if (!pointer || bytes < TRIAD_MEMORY_OWN_PAGES) return TRIAD_OK;
  cudaError_t error = cudaHostRegister(pointer, (size_t)bytes, cudaHostRegisterDefault);
  if (error == cudaSuccess) return TRIAD_OK;
  (void)cudaGetLastError();
  return TRIAD_FAIL(TRIAD_ERR_MEMORY, "pinning %.3f GB of host memory for the GPU: %s; check ulimit -l",
                    1e-9 * (double)bytes, cudaGetErrorString(error));
}

static void device_unpin(triad_device *d, void *pointer, int64_t bytes)
{
  (void)d;
  if (!pointer || bytes < TRIAD_MEMORY_OWN_PAGES || cudaHostUnregister(pointer) == cudaSuccess) return;
  (void)cudaGetLastError(); /* pinning it had failed */
}

static int device_put(triad_device *d, void *to, const void *from, int64_t bytes)
{
  TRIAD_TRY(check(cudaMemcpyAsync(to, from, (size_t)bytes, cudaMemcpyHostToDevice, d->stream), "copy to the GPU"));
  return device_wait(d);
}

static int device_get(triad_device *d, void *to, const void *from, int64_t bytes)
{
  const int few = bytes <= FEW_BYTES;
  TRIAD_TRY(check(cudaMemcpyAsync(few ? d->few : to, from, (size_t)bytes, cudaMemcpyDeviceToHost, d->stream),
                  "copy from the GPU"));
  TRIAD_TRY(device_wait(d));
  if (few) memcpy(to, d->few, (size_t)bytes);
  return TRIAD_OK;
}

static int device_clear(triad_device *d, void *pointer, int64_t bytes)
{
  return check(cudaMemsetAsync(pointer, 0, (size_t)bytes, d->stream), "cudaMemset");
}

static int device_copy_bandwidth(triad_device *d, double *bandwidth)
{
  enum { COPIES = 10 };
  const size_t bytes = (size_t)256 << 20;
  void *from = NULL, *to = NULL;
  float best = 0, ms = 0;
  cudaEvent_t begin = NULL, end = NULL;
  int st = device_take(d, "copy bandwidth", (int64_t)bytes, 1, &from);
  if (st == TRIAD_OK) st = device_take(d, "copy bandwidth", (int64_t)bytes, 1, &to);
  if (st == TRIAD_OK) st = check(cudaEventCreate(&begin), "cudaEventCreate");
  if (st == TRIAD_OK) st = check(cudaEventCreate(&end), "cudaEventCreate");
  for (int i = 0; st == TRIAD_OK && i < COPIES; i++) {
    st = check(cudaEventRecord(begin, d->stream), "cudaEventRecord");
    if (st == TRIAD_OK) st = check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, d->stream), "copy");
    if (st == TRIAD_OK) st = check(cudaEventRecord(end, d->stream), "cudaEventRecord");
    if (st == TRIAD_OK) st = device_wait(d);
    if (st == TRIAD_OK) st = check(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
    if (i == 0 || ms < best) best = ms;
  }
  if (begin) (void)cudaEventDestroy(begin);
  if (end) (void)cudaEventDestroy(end);
  device_give(d, &from);
  device_give(d, &to);
  *bandwidth = best > 0 ? 2e3 * (double)bytes / best : 0;
  return st;
}

/* What bus_bandwidth works with. */
struct bus_test {
  void *gpu[2], *host[2];
  cudaStream_t other;
};

static int time_bus(triad_device *d, const bus_test *t, size_t bytes, double *bandwidth)
{
  enum { COPIES = 5 };
  cudaEvent_t begin = NULL, end = NULL, back = NULL;
  float best = 0, ms = 0;
  int st = check(cudaEventCreate(&begin), "cudaEventCreate");
  if (st == TRIAD_OK) st = check(cudaEventCreate(&end), "cudaEventCreate");
  if (st == TRIAD_OK) st = check(cudaEventCreateWithFlags(&back, cudaEventDisableTiming), "cudaEventCreate");
  for (int i = 0; st == TRIAD_OK && i < COPIES; i++) {
    cudaError_t error = cudaEventRecord(begin, d->stream);
    if (error == cudaSuccess) error = cudaStreamWaitEvent(t->other, begin, 0);
    if (error == cudaSuccess) error = cudaMemcpyAsync(t->gpu[0], t->host[0], bytes, cudaMemcpyHostToDevice, d->stream);
    if (error == cudaSuccess) error = cudaMemcpyAsync(t->host[1], t->gpu[1], bytes, cudaMemcpyDeviceToHost, t->other);
    if (error == cudaSuccess) error = cudaEventRecord(back, t->other);
    if (error == cudaSuccess) error = cudaStreamWaitEvent(d->stream, back, 0);
    if (error == cudaSuccess) error = cudaEventRecord(end, d->stream);
    if (error == cudaSuccess) error = cudaStreamSynchronize(d->stream);
    if (error == cudaSuccess) error = cudaEventElapsedTime(&ms, begin, end);
    st = check(error, "copies over the bus");
    if (i == 0 || ms < best) best = ms;
  }
  if (begin) (void)cudaEventDestroy(begin);
  if (end) (void)cudaEventDestroy(end);
  if (back) (void)cudaEventDestroy(back);
  *bandwidth = best > 0 ? 1e3 * (double)bytes / best : 0;
  return st;
}

static int device_bus_bandwidth(triad_device *d, double *bandwidth)
{
  const size_t bytes = (size_t)256 << 20;
  bus_test t = {};
  *bandwidth = 0;
  int st = check(cudaStreamCreateWithFlags(&t.other, cudaStreamNonBlocking), "cudaStreamCreate");
  for (int i = 0; st == TRIAD_OK && i < 2; i++) {
    st = check(cudaMalloc(&t.gpu[i], bytes), "bus bandwidth");
    if (st == TRIAD_OK) st = check(cudaMallocHost(&t.host[i], bytes), "bus bandwidth");
  }
  if (st == TRIAD_OK) st = time_bus(d, &t, bytes, bandwidth);
  for (int i = 0; i < 2; i++) {
    (void)cudaFree(t.gpu[i]);
    (void)cudaFreeHost(t.host[i]);
  }
  if (t.other) (void)cudaStreamDestroy(t.other);
  return st;
}

static void *device_stream(const triad_device *d) { return d->stream; }

struct triad_device_recorded {
  cudaGraphExec_t graph;
};

static int record(triad_device *d, triad_device_recorded *r, int (*launch)(void *self), void *self)
{
  cudaGraph_t graph = NULL;
  TRIAD_TRY(check(cudaStreamBeginCapture(d->stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture"));
  int st = launch(self);
  /* also where launching failed */
  const int ended = check(cudaStreamEndCapture(d->stream, &graph), "cudaStreamEndCapture");
  if (st == TRIAD_OK) st = ended;
  if (st == TRIAD_OK) st = check(cudaGraphInstantiate(&r->graph, graph, 0), "cudaGraphInstantiate");
  if (graph) (void)cudaGraphDestroy(graph);
  return st;
}

static void device_forget(triad_device_recorded **recorded)
{
  if ((*recorded)->graph) (void)cudaGraphExecDestroy((*recorded)->graph);
  free(*recorded);
  *recorded = NULL;
}

static int device_replay(triad_device *d, triad_device_recorded **recorded, int (*launch)(void *self), void *self)
{
  if (!*recorded) {
    *recorded = (triad_device_recorded *)calloc(1, sizeof **recorded);
    if (!*recorded) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a recorded launch");
    const int st = record(d, *recorded, launch, self);
    if (st != TRIAD_OK) {
      device_forget(recorded);
      return st;
    }
  }
  return check(cudaGraphLaunch((*recorded)->graph, d->stream), "cudaGraphLaunch");
}

/* in the order of the struct, which C++17 has no names for */
extern "C" const triad_device_calls triad_device_cuda = {
  device_count,   device_look,    device_create, device_destroy,        device_name,
  device_bus,     device_reaches, device_room,   device_take,           device_give,
  device_peak,    device_limit,   device_pin,    device_unpin,          device_put,
  device_get,     device_clear,   device_wait,   device_copy_bandwidth, device_bus_bandwidth,
  device_stream,  device_replay,  device_forget, device_shared,         device_shared_free,
  device_wait_for};
