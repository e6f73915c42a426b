/* The GPU of a rank: memory, copies, one stream, errors. In a build without CUDA every request fails with a message
 * (device.c). */
#ifndef TRIAD_PARALLEL_DEVICE_H
#define TRIAD_PARALLEL_DEVICE_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct triad_device triad_device;

/* built: 1 in a build with CUDA. count: number of GPUs visible to this process. */
int triad_device_built(void);
int triad_device_count(void);

/* Use GPU `number`. TRIAD_ERR_FEATURE if it does not exist, with the driver's reason. Not collective. */
int triad_device_create(triad_device **out, int number);
void triad_device_destroy(triad_device **device);

/* Prepare for many devices (streams) of one GPU in this process: streams that share a queue of the driver, of which
 * there are 8 by default, wait for each other. Call it before anything else uses a GPU. */
void triad_device_many(void);

const char *triad_device_name(const triad_device *device);

/* PCI address of the GPU, "0000:3b:00.0". It identifies a GPU of a node independently of the numbers that a process
 * gives them. */
enum { TRIAD_DEVICE_BUS = 32 };
const char *triad_device_bus(const triad_device *device);

/* Returns 1 if this process can access the memory of the GPU at a PCI address of its node; 1 also if it cannot see
 * that GPU. */
int triad_device_reaches(const triad_device *device, const char *bus);

/* Name and PCI address of GPU `number` (buffers of 256 and TRIAD_DEVICE_BUS), without using it; returns 0 if it does
 * not exist. */
int triad_device_describe(int number, char *name, char *bus);

/* Free and total memory of the GPU [bytes]. */
int triad_device_memory(const triad_device *device, int64_t *available, int64_t *total);

/* Allocate zeroed GPU memory. The message of TRIAD_ERR_MEMORY gives the bytes needed, held here and free. */
int triad_device_alloc(triad_device *device, const char *owner, int64_t count, size_t size, void **out);
void triad_device_free(triad_device *device, void **pointer);
int64_t triad_device_peak(const triad_device *device);

/* Limit this run to this many bytes of GPU memory; 0: all that is free. */
void triad_device_limit(triad_device *device, int64_t bytes);

/* pin: pin a host array (base/memory.h), so that copies run concurrently with kernels at the bandwidth of the bus;
 * unpin it before it is freed. Arrays too small to have pages of their own are not pinned, and their copies block.
 * TRIAD_ERR_MEMORY. */
int triad_device_pin(triad_device *device, void *pointer, int64_t bytes);
void triad_device_unpin(triad_device *device, void *pointer, int64_t bytes);

/* Copies that are complete when the functions return. */
int triad_device_put(triad_device *device, void *to_device, const void *from_host, int64_t bytes);
int triad_device_get(triad_device *device, void *to_host, const void *from_device, int64_t bytes);

/* Copy a table of the host to newly allocated device memory: alloc, then put. */
int triad_device_table(triad_device *device, const char *owner, int64_t count, size_t size, const void *host,
                       void **out);

/* Allocate zeroed host memory that kernels access over the bus at the same address. TRIAD_ERR_MEMORY. */
int triad_device_shared(triad_device *device, int64_t bytes, void **out);
void triad_device_shared_free(triad_device *device, void **pointer);

/* Set bytes to zero, in stream order. */
int triad_device_clear(triad_device *device, void *pointer, int64_t bytes);

/* Wait for all launched work. Returns the error of a kernel that failed. */
int triad_device_wait(triad_device *device);

/* Wait until *flag, in shared memory, is nonzero; a launched kernel sets it at its end, and its earlier writes are
 * then visible. Polling memory is free, while a query of the driver costs a microsecond. Also returns the error of a
 * kernel that failed. */
int triad_device_wait_for(triad_device *device, const int *flag);

/* Run launch(self), which launches kernels on the device's stream. The launches and their arguments must be the same
 * at every call: the first call records them as a CUDA graph, later calls launch that graph. They must not wait,
 * allocate memory or use another stream. *recorded is NULL before the first call; free it before the device.
 * TRIAD_ERR_INTERNAL. */
typedef struct triad_device_recorded triad_device_recorded;
int triad_device_replay(triad_device *device, triad_device_recorded **recorded, int (*launch)(void *self), void *self);
void triad_device_forget(triad_device_recorded **recorded);

/* Bandwidth of a copy within GPU memory, read + write [bytes/s]: the best of several copies of 256 MiB. */
int triad_device_copy_bandwidth(triad_device *device, double *bandwidth);

/* Bandwidth of the bus in each direction while pinned memory is copied both ways [bytes/s]: the best of several copies
 * of 256 MiB. */
int triad_device_bus_bandwidth(triad_device *device, double *bandwidth);

/* The CUDA stream, for launches in cuda/. */
void *triad_device_stream(const triad_device *device);

#ifdef __cplusplus
}
#endif
#endif
