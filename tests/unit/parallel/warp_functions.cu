/* What each thread gets from CUDA's functions of a warp, for test_warps.c: a row of numbers for each function. */
#include "parallel/device_block.h"

#include "parallel/device_launch.h"

#include "tests/unit/parallel/warp_functions.h"

static __global__ void functions(double *out, int threads)
{
  const int me = (int)threadIdx.x;
  const unsigned all = 0xffffffffu;
  const double mine = 1000 + me;
  double *row = out + me;
  row[WARP_XOR_1 * threads] = __shfl_xor_sync(all, mine, 1);
  row[WARP_XOR_16 * threads] = __shfl_xor_sync(all, mine, 16);
  row[WARP_UP * threads] = __shfl_up_sync(all, mine, 3);
  row[WARP_DOWN * threads] = __shfl_down_sync(all, mine, 3);
  row[WARP_OF_5 * threads] = __shfl_sync(all, mine, 5);
  row[WARP_INTEGER * threads] = __shfl_sync(all, -me, 7);
  row[WARP_ACTIVE * threads] = __activemask();
  row[WARP_SAME * threads] = __match_any_sync(all, me % 3 + me / 40);
  row[WARP_SUM * threads] = __reduce_add_sync(all, (unsigned)me);
}

/* Two lines of 64 threads, each of which waits for its own; the second comes once more if `once_more`. */
static __global__ void lines(double *out, int once_more)
{
  __shared__ double place[128];
  const int me = (int)(threadIdx.y * blockDim.x + threadIdx.x), line = (int)threadIdx.y;
  place[me] = me;
  TRIAD_BARRIER(1 + line, 64);
  out[me] = place[line * 64 + 63 - (int)threadIdx.x];
  if (line == 1 && once_more) TRIAD_BARRIER(1 + line, 64);
}

static __global__ void block_sums(double *out)
{
  double value[2] = {1.0 + threadIdx.x, (double)threadIdx.x};
  triad_of_block<1, 1>(value, (int)threadIdx.x, (int)blockDim.x);
  if (threadIdx.x == 0) out[0] = value[0], out[1] = value[1];
}

extern "C" void warp_functions(double *out, int threads)
{
  TRIAD_LAUNCH(dim3(1), dim3((unsigned)threads), nullptr, functions)(out, threads);
}

extern "C" void warp_lines(double *out, int once_more)
{
  TRIAD_LAUNCH(dim3(1), dim3(64, 2), nullptr, lines)(out, once_more);
}

extern "C" void warp_block(double *out, int threads)
{
  TRIAD_LAUNCH(dim3(1), dim3((unsigned)threads), nullptr, block_sums)(out);
}
