/* The GPU of a rank: memory, copies, one stream, errors. A build without CUDA has none and says so (device.c). */
#ifndef TRIAD_PARALLEL_DEVICE_H
#define TRIAD_PARALLEL_DEVICE_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct triad_device triad_device;

/* 1 in a build with CUDA; how many GPUs this process sees. */
int triad_device_built(void);
int triad_device_count(void);

/* Use GPU `number`. TRIAD_ERR_FEATURE where there is none, with the driver's reason. Not collective. */
int triad_device_create(triad_device **out, int number);
void triad_device_destroy(triad_device **device);

/* Many devices of one GPU, each with a stream, are to be under way in this process: streams that share a queue of
 * the driver, of which there are 8 unless it is asked for more, wait for each other. Before anything else touches a
 * GPU. */
void triad_device_many(void);

const char *triad_device_name(const triad_device *device);

/* Its PCI address, "0000:3b:00.0": tells GPUs of a node apart whatever numbers a process gives them. */
enum { TRIAD_DEVICE_BUS = 32 };
const char *triad_device_bus(const triad_device *device);

/* Can this process reach the memory of the GPU at a PCI address of its node? 1 also where it cannot see that GPU. */
int triad_device_reaches(const triad_device *device, const char *bus);

/* Name and PCI address of GPU `number` (room for 256 and TRIAD_DEVICE_BUS), without using it; 0 where there is none. */
int triad_device_describe(int number, char *name, char *bus);

/* Free and all memory of the GPU [bytes]. */
int triad_device_memory(const triad_device *device, int64_t *available, int64_t *total);

/* Memory of the GPU, zeroed: TRIAD_ERR_MEMORY tells needed, held here and free. */
int triad_device_alloc(triad_device *device, const char *owner, int64_t count, size_t size, void **out);
void triad_device_free(triad_device *device, void **pointer);
int64_t triad_device_peak(const triad_device *device);

/* Let this run take at most so many bytes of it; 0: all that is free. */
void triad_device_limit(triad_device *device, int64_t bytes);

/* Pin an array of the host's (base/memory.h), so that copies to and from it run beside kernels at the bus's bandwidth;
 * and let it go before it is given back. One too small to have pages of its own is left as it is: its copies wait.
 * TRIAD_ERR_MEMORY. */
int triad_device_pin(triad_device *device, void *pointer, int64_t bytes);
void triad_device_unpin(triad_device *device, void *pointer, int64_t bytes);

/* Copies; the host may use the memory when they return. */
int triad_device_put(triad_device *device, void *to_device, const void *from_host, int64_t bytes);
int triad_device_get(triad_device *device, void *to_host, const void *from_device, int64_t bytes);

/* A table of the host's, copied to memory of its own: as alloc, then put. */
int triad_device_table(triad_device *device, const char *owner, int64_t count, size_t size, const void *host,
                       void **out);

/* Memory of the host that kernels read and write too, over the bus, by the same address; zeroed. TRIAD_ERR_MEMORY. */
int triad_device_shared(triad_device *device, int64_t bytes, void **out);
void triad_device_shared_free(triad_device *device, void **pointer);

/* Set bytes to zero, in the order of the stream. */
int triad_device_clear(triad_device *device, void *pointer, int64_t bytes);

/* Wait for everything that was launched. A kernel that failed is an error here. */
int triad_device_wait(triad_device *device);

/* Wait until *flag, in shared memory, is not 0, which a kernel that has been launched makes it at its end: what it
 * wrote there before is then seen. Looking at it costs nothing, where a question to the driver costs a microsecond.
 * A kernel that failed is an error here too. */
int triad_device_wait_for(triad_device *device, const int *flag);

/* What launch(self) launches on the device's stream, which must be the same at every call, arguments of kernels and
 * all: recorded at the first (a CUDA graph), launched as one from then on. Nothing in it may wait, take memory or
 * use another stream. *recorded is NULL before the first; let it go before the device. TRIAD_ERR_INTERNAL. */
typedef struct triad_device_recorded triad_device_recorded;
int triad_device_replay(triad_device *device, triad_device_recorded **recorded, int (*launch)(void *self), void *self);
void triad_device_forget(triad_device_recorded **recorded);

/* Bandwidth of a copy within the GPU's memory, read + write [bytes/s]: best of some copies of 256 MiB. */
int triad_device_copy_bandwidth(triad_device *device, double *bandwidth);

/* Bandwidth of the bus, each way, while pinned memory is copied both ways at once [bytes/s]: best of some copies of
 * 256 MiB. */
int triad_device_bus_bandwidth(triad_device *device, double *bandwidth);

/* The CUDA stream, for launches in cuda/. */
void *triad_device_stream(const triad_device *device);

#ifdef __cplusplus
}
#endif
#endif
