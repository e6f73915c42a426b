/* Dispatch device.h through the table of calls of this build; without CUDA there is no table, and requests for a GPU
 * fail. */
#include "parallel/device_calls.h"
#include "parallel/device_library.h"

#include <stdlib.h>

#ifdef TRIAD_CUDA
static const triad_device_calls *const calls = &triad_device_cuda;
#else
static const triad_device_calls *const calls = NULL;
#endif

static int not_built(void)
{
  return TRIAD_FAIL(TRIAD_ERR_FEATURE, "this build has no CUDA support: build with make CUDA=1");
}

void triad_device_many(void) { (void)setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0); }

#ifdef TRIAD_HIP
int triad_device_transforms(void) { return 0; }
#else
int triad_device_transforms(void) { return 1; }
#endif

int triad_device_built(void) { return calls != NULL; }
int triad_device_count(void) { return calls ? calls->count() : 0; }
int triad_device_describe(int number, char *name, char *bus) { return calls ? calls->describe(number, name, bus) : 0; }

int triad_device_create(triad_device **out, int number)
{
  *out = NULL;
  return calls ? calls->create(out, number) : not_built();
}

void triad_device_destroy(triad_device **device)
{
  if (calls && device && *device) calls->destroy(device);
}

/* The following functions take a device. Without a table they fail or do nothing. */

const char *triad_device_name(const triad_device *d) { return calls ? calls->name(d) : "none"; }
const char *triad_device_bus(const triad_device *d) { return calls ? calls->bus(d) : ""; }
int triad_device_reaches(const triad_device *d, const char *bus) { return calls ? calls->reaches(d, bus) : 0; }
int64_t triad_device_peak(const triad_device *d) { return calls ? calls->peak(d) : 0; }
void *triad_device_stream(const triad_device *d) { return calls ? calls->stream(d) : NULL; }

int triad_device_memory(const triad_device *d, int64_t *available, int64_t *total)
{
  *available = *total = 0;
  return calls ? calls->memory(d, available, total) : not_built();
}

int triad_device_alloc(triad_device *d, const char *owner, int64_t count, size_t size, void **out)
{
  *out = NULL;
  return calls ? calls->alloc(d, owner, count, size, out) : not_built();
}

void triad_device_free(triad_device *d, void **pointer)
{
  if (calls && pointer && *pointer) calls->free(d, pointer);
}

void triad_device_limit(triad_device *d, int64_t bytes)
{
  if (calls) calls->limit(d, bytes);
}

int triad_device_pin(triad_device *d, void *pointer, int64_t bytes)
{
  return calls ? calls->pin(d, pointer, bytes) : not_built();
}

void triad_device_unpin(triad_device *d, void *pointer, int64_t bytes)
{
  if (calls) calls->unpin(d, pointer, bytes);
}

int triad_device_put(triad_device *d, void *to_device, const void *from_host, int64_t bytes)
{
  return calls ? calls->put(d, to_device, from_host, bytes) : not_built();
}

int triad_device_get(triad_device *d, void *to_host, const void *from_device, int64_t bytes)
{
  return calls ? calls->get(d, to_host, from_device, bytes) : not_built();
}

int triad_device_table(triad_device *d, const char *owner, int64_t count, size_t size, const void *host, void **out)
{
  TRIAD_TRY(triad_device_alloc(d, owner, count, size, out));
  return triad_device_put(d, *out, host, count * (int64_t)size);
}

int triad_device_clear(triad_device *d, void *pointer, int64_t bytes)
{
  return calls ? calls->clear(d, pointer, bytes) : not_built();
}

int triad_device_shared(triad_device *d, int64_t bytes, void **out)
{
  *out = NULL;
  return calls ? calls->shared(d, bytes, out) : not_built();
}

void triad_device_shared_free(triad_device *d, void **pointer)
{
  if (calls && *pointer) calls->shared_free(d, pointer);
}

int triad_device_wait(triad_device *d) { return calls ? calls->wait(d) : not_built(); }

int triad_device_wait_for(triad_device *d, const int *flag) { return calls ? calls->wait_for(d, flag) : not_built(); }

int triad_device_replay(triad_device *d, triad_device_recorded **recorded, int (*launch)(void *self), void *self)
{
  return calls ? calls->replay(d, recorded, launch, self) : not_built();
}

void triad_device_forget(triad_device_recorded **recorded)
{
  if (calls && recorded && *recorded) calls->forget(recorded);
}

int triad_device_copy_bandwidth(triad_device *d, double *bandwidth)
{
  *bandwidth = 0;
  return calls ? calls->copy_bandwidth(d, bandwidth) : not_built();
}

int triad_device_bus_bandwidth(triad_device *d, double *bandwidth)
{
  *bandwidth = 0;
  return calls ? calls->bus_bandwidth(d, bandwidth) : not_built();
}
