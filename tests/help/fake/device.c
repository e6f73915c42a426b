/* A device on the host: memory that other processes of the node can map, and the kernels that the exchanges launch. */
#include <cuda.h>
#include <cuda_runtime.h>

#include "grid/gpu_halo_copy.h"
#include "parallel/device_calls.h"
#include "parallel/fibers.h"
#include "parallel/transports/put.h"
#include "device.h"

#include <fcntl.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 512 };

static struct {
  void *pointer;
  size_t bytes;
  char name[64]; /* "": mapped, not owned */
} piece[MOST];

struct triad_device {
  char bus[TRIAD_DEVICE_BUS];
  int64_t held, most; /* bytes taken from it */
};

static int find(const void *pointer)
{
  for (int i = 0; i < MOST; i++)
    if (piece[i].pointer == pointer) return i;
  abort();
}

static void *map(int file, size_t bytes, const char *name)
{
  int i = find(NULL);
  void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  (void)close(file);
  if (p == MAP_FAILED) return NULL;
  piece[i].pointer = p;
  piece[i].bytes = bytes;
  (void)snprintf(piece[i].name, sizeof piece[i].name, "%s", name);
  return p;
}

static void unmap(void *pointer)
{
  int i = find(pointer);
  if (piece[i].name[0]) (void)shm_unlink(piece[i].name);
  (void)munmap(pointer, piece[i].bytes);
  piece[i].pointer = NULL;
}

static int take(triad_device *d, const char *owner, int64_t count, size_t size, void **out)
{
  static int number;
  char name[64];
  size_t bytes = (size_t)count * size + 64;
  (void)snprintf(name, sizeof name, "/triad-test-%ld-%d", (long)getpid(), number++);
  (void)shm_unlink(name); /* of a process that was killed, and had this one's number */
  int file = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
  if (file < 0 || ftruncate(file, (off_t)bytes) != 0) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", owner);
  *out = map(file, bytes, name);
  d->held += (int64_t)bytes;
  d->most = d->held > d->most ? d->held : d->most;
  return *out ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", owner);
}

static void give(triad_device *d, void **pointer)
{
  d->held -= (int64_t)piece[find(*pointer)].bytes;
  unmap(*pointer);
  *pointer = NULL;
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer)
{
  memcpy(handle->name, piece[find(pointer)].name, sizeof handle->name);
  return cudaSuccess;
}

cudaError_t cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle, unsigned flags)
{
  struct stat s;
  (void)flags;
  int file = shm_open(handle.name, O_RDWR, 0);
  if (file < 0 || fstat(file, &s) != 0) return cudaErrorMemoryAllocation;
  *pointer = map(file, (size_t)s.st_size, "");
  return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaIpcCloseMemHandle(void *pointer)
{
  unmap(pointer);
  return cudaSuccess;
}

/* cuStreamBatchMemOp */
static CUresult operate(CUstream stream, unsigned n, CUstreamBatchMemOpParams *p, unsigned flags)
{
  if (!stream || flags) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < n; i++) {
    uint32_t *at = (uint32_t *)(uintptr_t)p[i].waitValue.address;
    if (p[i].operation == CU_STREAM_MEM_OP_WRITE_VALUE_32)
      __atomic_store_n(at, p[i].writeValue.value, __ATOMIC_RELEASE);
    else
      while ((int32_t)(__atomic_load_n(at, __ATOMIC_ACQUIRE) - p[i].waitValue.value) < 0) (void)sched_yield();
  }
  return CUDA_SUCCESS;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **call, unsigned version,
                                             unsigned long long flags, enum cudaDriverEntryPointQueryResult *found)
{
  CUresult (*batch)(CUstream, unsigned, CUstreamBatchMemOpParams *, unsigned) = operate;
  (void)version;
  (void)flags;
  *found = strcmp(symbol, "cuStreamBatchMemOp") == 0 ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  memcpy(call, &batch, sizeof batch);
  return cudaSuccess;
}

int triad_put(const triad_put_parts *parts, int blocks, void *stream)
{
  if (blocks < 1 || !stream) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "puts");
  for (int i = 0; i < parts->n; i++) memcpy(parts->of[i].to, parts->of[i].from, (size_t)parts->of[i].bytes);
  return TRIAD_OK;
}

int triad_gpu_halo_copy(const triad_gpu_halo_list *list, triad_gpu_halo_way way, triad_real *buffer, void *stream)
{
  (void)stream;
  for (uint32_t b = 0; b < list->blocks; b++)
    for (uint32_t t = 0; t < TRIAD_GPU_HALO_BLOCK; t++)
      for (uint32_t f = 0; f < triad_gpu_halo_groups(list); f++) triad_gpu_halo_copy_one(list, way, buffer, b, t, f);
  return TRIAD_OK;
}

static int count(void) { return 1; }

static int create(triad_device **out, int number)
{
  int rank = 0;
  (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  *out = calloc(1, sizeof **out);
  if (!*out) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the device");
  (void)snprintf((*out)->bus, sizeof(*out)->bus, "0000:%02x:%02x.0", number, rank);
  return TRIAD_OK;
}

static void destroy(triad_device **device)
{
  free(*device);
  *device = NULL;
}

static const char *bus(const triad_device *d) { return d->bus; }

static int reaches(const triad_device *d, const char *other)
{
  (void)d;
  return other[0] != '\0';
}

/* Whoever waits lets others have their turn. */
static int wait(triad_device *d)
{
  (void)d;
  triad_fibers_yield();
  return TRIAD_OK;
}

static int shared(triad_device *d, int64_t bytes, void **out)
{
  (void)d;
  *out = calloc(1, (size_t)bytes);
  return *out ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "shared memory");
}

static void shared_free(triad_device *d, void **pointer)
{
  (void)d;
  free(*pointer);
  *pointer = NULL;
}

/* All that was launched has been done. */
static int wait_for(triad_device *d, const int *flag)
{
  (void)d;
  triad_fibers_yield();
  return *flag ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_INTERNAL, "a flag that nobody has set");
}

static int64_t copied;

int64_t fake_copied(void) { return copied; }

static int put(triad_device *d, void *to, const void *from, int64_t bytes)
{
  copied += bytes;
  memcpy(to, from, (size_t)bytes);
  return wait(d);
}

/* As much as a test is likely to want, or what it says [bytes]. */
static int memory(const triad_device *d, int64_t *available, int64_t *total)
{
  const char *said = getenv("TRIAD_FAKE_GPU_FREE");
  (void)d;
  *total = (int64_t)1 << 40;
  *available = said ? strtoll(said, NULL, 10) : *total;
  return TRIAD_OK;
}

static void limit(triad_device *d, int64_t bytes)
{
  (void)d;
  (void)bytes;
}

static int pin(triad_device *d, void *pointer, int64_t bytes)
{
  (void)d;
  return pointer || bytes == 0 ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "nothing to pin");
}

static void unpin(triad_device *d, void *pointer, int64_t bytes)
{
  (void)d;
  (void)pointer;
  (void)bytes;
}

static int clear(triad_device *d, void *pointer, int64_t bytes)
{
  (void)d;
  memset(pointer, 0, (size_t)bytes);
  return TRIAD_OK;
}

static int replays;

int fake_replays(void) { return replays; }

/* Nothing is recorded: it is told again. */
static int replay(triad_device *d, triad_device_recorded **recorded, int (*launch)(void *self), void *self)
{
  replays++;
  (void)d;
  (void)recorded;
  return launch(self);
}

static void forget(triad_device_recorded **recorded) { *recorded = NULL; }

static void *stream(const triad_device *d) { return (void *)(uintptr_t)d; }

static int describe(int number, char *its_name, char *its_bus)
{
  int rank = 0;
  (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  (void)snprintf(its_name, 256, "a GPU on the host");
  (void)snprintf(its_bus, TRIAD_DEVICE_BUS, "0000:%02x:%02x.0", number, rank);
  return number == 0;
}

static int64_t peak(const triad_device *d) { return d->most; }

static const char *name(const triad_device *d)
{
  (void)d;
  return "a GPU on the host";
}

const triad_device_calls triad_device_cuda = {.count = count,
                                              .describe = describe,
                                              .create = create,
                                              .destroy = destroy,
                                              .name = name,
                                              .bus = bus,
                                              .reaches = reaches,
                                              .memory = memory,
                                              .alloc = take,
                                              .free = give,
                                              .peak = peak,
                                              .limit = limit,
                                              .pin = pin,
                                              .unpin = unpin,
                                              .put = put,
                                              .get = put,
                                              .clear = clear,
                                              .wait = wait,
                                              .stream = stream,
                                              .replay = replay,
                                              .forget = forget,
                                              .shared = shared,
                                              .shared_free = shared_free,
                                              .wait_for = wait_for};

/* MPI takes "device memory" here. */
int __wrap_MPIX_Query_cuda_support(void);
int __wrap_MPIX_Query_cuda_support(void) { return 1; }
