/* src/grid/gpu_halo_copy.h: one thread a point of a box, blocks of threads dealt to boxes in turn. */
#include "grid/gpu_halo_copy.h"

#include "parallel/device_launch.h"

enum { BLOCK = TRIAD_GPU_HALO_BLOCK };

template <int WAY> static __global__ void __launch_bounds__(BLOCK) copy_kernel(triad_gpu_halo_list list, triad_real *buffer)
{
  int which = 0;
  while (which + 1 < list.n && blockIdx.x >= list.box[which + 1].first_block) which++;
  const triad_gpu_halo_box &b = list.box[which];
  uint32_t i = (blockIdx.x - b.first_block) * BLOCK + threadIdx.x, f = blockIdx.y;
  if (i >= b.points) return;
  uint32_t x = i % b.count[0], row = i / b.count[0], y = row % b.count[1], z = row / b.count[1];
  int64_t at = x + y * list.stride[0] + z * list.stride[1];
  triad_real *field = list.field[f];
  if (WAY == TRIAD_GPU_HALO_WITHIN) {
    field[b.here + at] = field[b.there + at];
    return;
  }
  triad_real *packed = buffer + b.there * list.n_fields + (int64_t)f * b.points + i;
  if (WAY == TRIAD_GPU_HALO_PACK) *packed = field[b.here + at];
  if (WAY == TRIAD_GPU_HALO_UNPACK) field[b.here + at] = *packed;
}

extern "C" int triad_gpu_halo_copy(const triad_gpu_halo_list *list, triad_gpu_halo_way way, triad_real *buffer, void *stream)
{
  if (list->n == 0 || list->blocks == 0) return TRIAD_OK;
  dim3 blocks(list->blocks, (unsigned)list->n_fields);
  cudaStream_t s = (cudaStream_t)stream;
  switch (way) {
  case TRIAD_GPU_HALO_PACK: copy_kernel<TRIAD_GPU_HALO_PACK><<<blocks, BLOCK, 0, s>>>(*list, buffer); break;
  case TRIAD_GPU_HALO_UNPACK: copy_kernel<TRIAD_GPU_HALO_UNPACK><<<blocks, BLOCK, 0, s>>>(*list, buffer); break;
  default: copy_kernel<TRIAD_GPU_HALO_WITHIN><<<blocks, BLOCK, 0, s>>>(*list, buffer); break;
  }
  return launched("copies of halos");
}
