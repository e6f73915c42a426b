/* src/grid/gpu_halo_copy.h: one thread a number of a run, of some fields. */
#include "grid/gpu_halo_copy.h"
#include "parallel/device_launch.h"

enum { BLOCK = TRIAD_GPU_HALO_BLOCK };

static_assert(sizeof(triad_gpu_halo_list) + sizeof(void *) <= 4096, "arguments of a kernel");

template <int WAY>
static __global__ void __launch_bounds__(BLOCK) copy_kernel(triad_gpu_halo_list list, triad_real *buffer)
{
  triad_gpu_halo_copy_one(&list, (triad_gpu_halo_way)WAY, buffer, blockIdx.x, threadIdx.x, blockIdx.y);
}

extern "C" int triad_gpu_halo_copy(const triad_gpu_halo_list *list, triad_gpu_halo_way way, triad_real *buffer,
                                   void *stream)
{
  if (list->n == 0 || list->blocks == 0) return TRIAD_OK;
  dim3 blocks(list->blocks, triad_gpu_halo_groups(list));
  cudaStream_t s = (cudaStream_t)stream;
  switch (way) {
  case TRIAD_GPU_HALO_PACK: copy_kernel<TRIAD_GPU_HALO_PACK><<<blocks, BLOCK, 0, s>>>(*list, buffer); break;
  case TRIAD_GPU_HALO_UNPACK: copy_kernel<TRIAD_GPU_HALO_UNPACK><<<blocks, BLOCK, 0, s>>>(*list, buffer); break;
  default: copy_kernel<TRIAD_GPU_HALO_WITHIN><<<blocks, BLOCK, 0, s>>>(*list, buffer); break;
  }
  return launched("copies of halos");
}
