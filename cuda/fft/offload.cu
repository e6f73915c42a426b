/* Columns as the host stores them, in blocks of TRIAD_LANES, and as kernels read them
 * (fft/gpu/gpu_offload_internal.h). */
#include "fft/gpu/device_launch.h"

/* (j, column) for number i of [j][column]; its place among blocks. */
static __device__ __forceinline__ int64_t mode_index(int64_t nkz, int64_t columns, int64_t i)
{
  const int64_t j = i / columns, c = i - j * columns;
  return (c / TRIAD_LANES * nkz + j) * TRIAD_LANES + c % TRIAD_LANES;
}

static __global__ void from_kernel(int64_t nkz, int64_t columns, const dcplx *blocks, dcplx *field)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < nkz * columns) field[i] = blocks[mode_index(nkz, columns, i)];
}

static __global__ void to_kernel(int64_t nkz, int64_t columns, const dcplx *field, dcplx *blocks)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < nkz * columns) blocks[mode_index(nkz, columns, i)] = field[i];
}

extern "C" int triad_gpu_from_blocks(int64_t nkz, int64_t columns, const triad_cplx *blocks, triad_cplx *field,
                                     void *stream)
{
  TRIAD_LAUNCH(dim3(blocks_for(nkz * columns, 256)), dim3(256), stream, from_kernel)
  (nkz, columns, (const dcplx *)blocks, (dcplx *)field);
  return launched("columns out of blocks");
}

extern "C" int triad_gpu_to_blocks(int64_t nkz, int64_t columns, const triad_cplx *field, triad_cplx *blocks,
                                   void *stream)
{
  TRIAD_LAUNCH(dim3(blocks_for(nkz * columns, 256)), dim3(256), stream, to_kernel)
  (nkz, columns, (const dcplx *)field, (dcplx *)blocks);
  return launched("columns into blocks");
}
