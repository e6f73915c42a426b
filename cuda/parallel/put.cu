/* Messages by stores to memory of peer GPUs (src/parallel/transports/put.h). These blocks occupy multiprocessors
 * that transforms could use, so there are few of them, and large ones: each thread has eight loads of 16 bytes in
 * flight before it stores, and does not wait for its stores. */
#include "parallel/device_launch.h"
#include "parallel/transports/put.h"

enum { THREADS = 1024, EACH = 8 };

/* Block x of message y copies pieces of THREADS * EACH words of 16 bytes, in a round-robin order. */
static __global__ void __launch_bounds__(THREADS) put(triad_put_parts parts)
{
  const triad_put_part p = parts.of[blockIdx.y];
  const int4 *from = (const int4 *)p.from;
  int4 *to = (int4 *)p.to;
  const int64_t words = p.bytes / 16, step = (int64_t)gridDim.x * THREADS * EACH;
  for (int64_t piece = (int64_t)blockIdx.x * THREADS * EACH; piece < words; piece += step) {
    int64_t i = piece + threadIdx.x;
    int4 v[EACH];
#pragma unroll
    for (int m = 0; m < EACH; m++)
      if (i + m * THREADS < words) v[m] = __ldcs(from + i + m * THREADS);
#pragma unroll
    for (int m = 0; m < EACH; m++)
      if (i + m * THREADS < words) to[i + m * THREADS] = v[m];
  }
}

extern "C" int triad_put(const triad_put_parts *parts, int blocks, void *stream)
{
  if (parts->n == 0) return TRIAD_OK;
  put<<<dim3(blocks_for(blocks, parts->n), (unsigned)parts->n), THREADS, 0, (cudaStream_t)stream>>>(*parts);
  return launched("puts");
}
