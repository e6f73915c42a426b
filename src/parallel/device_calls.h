/* The table of functions behind device.h. cuda/parallel/device.cu has the only one. */
#ifndef TRIAD_PARALLEL_DEVICE_CALLS_H
#define TRIAD_PARALLEL_DEVICE_CALLS_H

#include "parallel/device.h"

typedef struct triad_device_calls {
  int (*count)(void);
  int (*describe)(int number, char *name, char *bus);
  int (*create)(triad_device **out, int number);
  void (*destroy)(triad_device **device);
  const char *(*name)(const triad_device *device);
  const char *(*bus)(const triad_device *device);
  int (*reaches)(const triad_device *device, const char *bus);
  int (*memory)(const triad_device *device, int64_t *available, int64_t *total);
  int (*alloc)(triad_device *device, const char *owner, int64_t count, size_t size, void **out);
  void (*free)(triad_device *device, void **pointer);
  int64_t (*peak)(const triad_device *device);
  void (*limit)(triad_device *device, int64_t bytes);
  int (*pin)(triad_device *device, void *pointer, int64_t bytes);
  void (*unpin)(triad_device *device, void *pointer, int64_t bytes);
  int (*put)(triad_device *device, void *to_device, const void *from_host, int64_t bytes);
  int (*get)(triad_device *device, void *to_host, const void *from_device, int64_t bytes);
  int (*clear)(triad_device *device, void *pointer, int64_t bytes);
  int (*wait)(triad_device *device);
  int (*copy_bandwidth)(triad_device *device, double *bandwidth);
  int (*bus_bandwidth)(triad_device *device, double *bandwidth);
  void *(*stream)(const triad_device *device);
  int (*replay)(triad_device *device, triad_device_recorded **recorded, int (*launch)(void *self), void *self);
  void (*forget)(triad_device_recorded **recorded);
  int (*shared)(triad_device *device, int64_t bytes, void **out);
  void (*shared_free)(triad_device *device, void **pointer);
  int (*wait_for)(triad_device *device, const int *flag);
} triad_device_calls;

#ifdef __cplusplus
extern "C"
#else
extern
#endif
  const triad_device_calls triad_device_cuda;

#endif
