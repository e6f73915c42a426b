/* A CUDA runtime that does at once what it is told, on the host: for tests of what drives it (test_transports.c).
 * Events have happened, at the second question; "device memory" is ordinary memory, which other processes of the node
 * can map. */
#ifndef TRIAD_TESTS_FAKE_CUDA_RUNTIME_H
#define TRIAD_TESTS_FAKE_CUDA_RUNTIME_H

#ifdef __cplusplus
#include "kernels.h" /* for .cu files */
#else

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define CUDART_VERSION 12050

typedef enum cudaError_t { cudaSuccess, cudaErrorMemoryAllocation = 2, cudaErrorNotReady = 600 } cudaError_t;
typedef struct fake_stream *cudaStream_t;
typedef struct fake_event {
  int asked;
} * cudaEvent_t;
typedef struct cudaIpcMemHandle_t {
  char name[64];
} cudaIpcMemHandle_t;

enum {
  cudaStreamNonBlocking = 1,
  cudaEventDisableTiming = 2,
  cudaEnableDefault = 0,
  cudaIpcMemLazyEnablePeerAccess = 1
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum cudaDriverEntryPointQueryResult { cudaDriverEntryPointSuccess, cudaDriverEntryPointSymbolNotFound };

/* tests/help/fake/device.c */
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer);
cudaError_t cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle, unsigned flags);
cudaError_t cudaIpcCloseMemHandle(void *pointer);
cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **call, unsigned version,
                                             unsigned long long flags, enum cudaDriverEntryPointQueryResult *found);

static inline const char *cudaGetErrorString(cudaError_t error)
{
  return error == cudaSuccess ? "no error" : "an error";
}
static inline cudaError_t cudaGetLastError(void) { return cudaSuccess; }
static inline cudaError_t cudaDeviceSynchronize(void) { return cudaSuccess; }

static inline cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
  *least = *greatest = 0;
  return cudaSuccess;
}

static inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
  (void)flags;
  *stream = malloc(1);
  return *stream ? cudaSuccess : cudaErrorMemoryAllocation;
}

static inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
  (void)priority;
  return cudaStreamCreateWithFlags(stream, flags);
}

static inline cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
  free(stream);
  return cudaSuccess;
}

static inline cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
  (void)stream;
  return cudaSuccess;
}

static inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
  (void)flags;
  return stream && event ? cudaSuccess : cudaErrorNotReady;
}

static inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
  (void)flags;
  *event = calloc(1, sizeof **event);
  return *event ? cudaSuccess : cudaErrorMemoryAllocation;
}

static inline cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, 0); }

/* Nothing takes time. */
static inline cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t begin, cudaEvent_t end)
{
  *ms = 0;
  return begin && end ? cudaSuccess : cudaErrorNotReady;
}

static inline cudaError_t cudaEventDestroy(cudaEvent_t event)
{
  free(event);
  return cudaSuccess;
}

static inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
  (void)stream;
  event->asked = 0;
  return cudaSuccess;
}

static inline cudaError_t cudaEventQuery(cudaEvent_t event) { return event->asked++ ? cudaSuccess : cudaErrorNotReady; }

static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                                          cudaStream_t stream)
{
  (void)kind;
  (void)stream;
  memcpy(to, from, bytes);
  return cudaSuccess;
}

static inline cudaError_t cudaMemsetAsync(void *at, int value, size_t bytes, cudaStream_t stream)
{
  (void)stream;
  memset(at, value, bytes);
  return cudaSuccess;
}

struct cudaPitchedPtr {
  void *ptr;
  size_t pitch, xsize, ysize;
};
struct cudaExtent {
  size_t width, height, depth;
};
struct cudaMemcpy3DParms {
  struct cudaPitchedPtr srcPtr, dstPtr;
  struct cudaExtent extent;
  enum cudaMemcpyKind kind;
};

static inline cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
  (void)stream;
  for (size_t z = 0; z < p->extent.depth; z++)
    for (size_t y = 0; y < p->extent.height; y++)
      memcpy((char *)p->dstPtr.ptr + (z * p->dstPtr.ysize + y) * p->dstPtr.pitch,
             (const char *)p->srcPtr.ptr + (z * p->srcPtr.ysize + y) * p->srcPtr.pitch, p->extent.width);
  return cudaSuccess;
}

static inline cudaError_t cudaMallocHost(void **pointer, size_t bytes)
{
  *pointer = malloc(bytes);
  return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}

static inline cudaError_t cudaFreeHost(void *pointer)
{
  free(pointer);
  return cudaSuccess;
}

#endif
#endif
