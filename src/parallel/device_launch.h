/* Helpers for kernel launches. For cuda/ only. */
#ifndef TRIAD_PARALLEL_DEVICE_LAUNCH_H
#define TRIAD_PARALLEL_DEVICE_LAUNCH_H

#include "base/status.h"

#include <cuda_runtime.h>
#include <stdint.h>

/* kernel<<<blocks, threads, 0, stream>>>, followed by its arguments, in a form that a host compiler can parse, so that
 * unit tests can run the kernel on the host (tests/help/fake/kernels.h). */
#ifndef TRIAD_LAUNCH
#define TRIAD_LAUNCH(blocks, threads, stream, ...) __VA_ARGS__<<<blocks, threads, 0, (cudaStream_t)(stream)>>>
#endif

/* The same with `bytes` bytes of shared memory, which the kernel accesses as TRIAD_SHARED(name)
 * (fft/gpu/device_lines.h). */
#ifndef TRIAD_LAUNCH_SHARED
#define TRIAD_LAUNCH_SHARED(blocks, threads, bytes, stream, ...) \
  __VA_ARGS__<<<blocks, threads, bytes, (cudaStream_t)(stream)>>>
#endif

/* How a function is declared whose result is a table of functions of the host: with constexpr, hipcc would put a copy
 * of the table in device code, where these functions do not exist. */
#ifdef __HIP__
#define TRIAD_HOST_TABLE
#else
#define TRIAD_HOST_TABLE constexpr
#endif

/* The status of the last launch. */
static inline int launched(const char *what)
{
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "launch of %s: %s", what, cudaGetErrorString(error));
}

/* Allow a kernel more than 48 KiB of shared memory. TRIAD_ERR_FEATURE if blocks of an AMD GPU have less. */
template <class K> static inline int allow_shared(K kernel, size_t bytes)
{
#ifdef __HIP__
  enum { MOST = 64 << 10 };
  if (bytes > MOST)
    return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                      "so many points along an axis require %zu KB of shared memory, and this GPU has %d KB: "
                      "use fewer points, or parallel.device = \"cpu\"",
                      (bytes + 1023) >> 10, MOST >> 10);
#endif
  if (bytes <= 48 << 10) return TRIAD_OK;
  cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
  return error == cudaSuccess
           ? TRIAD_OK
           : TRIAD_FAIL(TRIAD_ERR_INTERNAL, "shared memory of %zu bytes: %s", bytes, cudaGetErrorString(error));
}

/* Number of blocks for n items, `each` per block; at least one, since a rank may have no items. */
static inline unsigned blocks_for(int64_t n, int64_t each) { return n > 0 ? (unsigned)((n + each - 1) / each) : 1; }

#endif
