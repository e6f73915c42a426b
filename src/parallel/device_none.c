/* Stands in for cuda/device.cu in a build without CUDA. */
#include "parallel/device.h"

int triad_device_built(void) { return 0; }
int triad_device_count(void) { return 0; }

static int none(void) { return TRIAD_FAIL(TRIAD_ERR_FEATURE, "this build has no CUDA part: make CUDA=1 builds it"); }

int triad_device_create(triad_device **out, int number)
{
  (void)number;
  *out = NULL;
  return none();
}

void triad_device_destroy(triad_device **device) { (void)device; }

const char *triad_device_name(const triad_device *device)
{
  (void)device;
  return "none";
}

const char *triad_device_bus(const triad_device *device)
{
  (void)device;
  return "";
}

int triad_device_reaches(const triad_device *device, const char *bus)
{
  (void)device;
  (void)bus;
  return 0;
}

int triad_device_look(int number, char *name, char *bus)
{
  (void)number;
  (void)name;
  (void)bus;
  return 0;
}

int triad_device_room(const triad_device *device, int64_t *available, int64_t *total)
{
  (void)device;
  *available = *total = 0;
  return none();
}

int triad_device_take(triad_device *device, const char *owner, int64_t count, size_t size, void **out)
{
  (void)device;
  (void)owner;
  (void)count;
  (void)size;
  *out = NULL;
  return none();
}

void triad_device_give(triad_device *device, void **pointer)
{
  (void)device;
  (void)pointer;
}

int64_t triad_device_held(const triad_device *device)
{
  (void)device;
  return 0;
}

int64_t triad_device_peak(const triad_device *device)
{
  (void)device;
  return 0;
}

void triad_device_limit(triad_device *device, int64_t bytes)
{
  (void)device;
  (void)bytes;
}

int triad_device_pin(triad_device *device, void *pointer, int64_t bytes)
{
  (void)device;
  (void)pointer;
  (void)bytes;
  return none();
}

void triad_device_unpin(triad_device *device, void *pointer, int64_t bytes)
{
  (void)device;
  (void)pointer;
  (void)bytes;
}

int triad_device_bus_bandwidth(triad_device *device, double *bandwidth)
{
  (void)device;
  *bandwidth = 0;
  return none();
}

int triad_device_put(triad_device *device, void *to_device, const void *from_host, int64_t bytes)
{
  (void)device;
  (void)to_device;
  (void)from_host;
  (void)bytes;
  return none();
}

int triad_device_get(triad_device *device, void *to_host, const void *from_device, int64_t bytes)
{
  (void)device;
  (void)to_host;
  (void)from_device;
  (void)bytes;
  return none();
}

int triad_device_clear(triad_device *device, void *pointer, int64_t bytes)
{
  (void)device;
  (void)pointer;
  (void)bytes;
  return none();
}

int triad_device_wait(triad_device *device)
{
  (void)device;
  return none();
}

int triad_device_copy_bandwidth(triad_device *device, double *bandwidth)
{
  (void)device;
  *bandwidth = 0;
  return none();
}

void *triad_device_stream(const triad_device *device)
{
  (void)device;
  return NULL;
}
