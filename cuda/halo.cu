/* src/grid/gpu_halo_copy.h: one thread a number of a run, blocks of threads dealt to runs in turn. */
#include "grid/gpu_halo_copy.h"

#include "parallel/device_launch.h"

enum { BLOCK = TRIAD_GPU_HALO_BLOCK };

static_assert(sizeof(triad_gpu_halo_list) + sizeof(void *) <= 4096, "arguments of a kernel");

/* Number n of a run, which is (i, j, k) of its counts. */
static __device__ inline int64_t place(const triad_gpu_places &p, uint32_t n, uint32_t i, uint32_t j, uint32_t k)
{
  return p.list ? p.list[n] : p.first + i * p.stride[0] + j * p.stride[1] + k * p.stride[2];
}

template <int WAY> static __global__ void __launch_bounds__(BLOCK) copy_kernel(triad_gpu_halo_list list, triad_real *buffer)
{
  int which = 0;
  while (which + 1 < list.n && blockIdx.x >= list.run[which + 1].first_block) which++;
  const triad_gpu_halo_run &r = list.run[which];
  uint32_t n = (blockIdx.x - r.first_block) * BLOCK + threadIdx.x, f = blockIdx.y;
  if (n >= r.all) return;
  uint32_t i = n % r.count[0], row = n / r.count[0], j = row % r.count[1], k = row / r.count[1];
  triad_real *field = list.field[f], *here = field + place(r.here, n, i, j, k);
  if (WAY == TRIAD_GPU_HALO_WITHIN) {
    *here = field[place(r.from, n, i, j, k)];
    return;
  }
  triad_real *packed = buffer + r.before * list.n_fields + f * r.numbers + r.within + n;
  if (WAY == TRIAD_GPU_HALO_PACK) *packed = *here;
  if (WAY == TRIAD_GPU_HALO_UNPACK) *here = *packed;
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
