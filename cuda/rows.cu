/* Between lines along y and rows along x of GPUs that share planes (transpose/gpu_rows.h): a thread a number. */
#include "parallel/device_launch.h"
#include "transpose/gpu_rows.h"

/* A complex number, read and written at once. */
struct alignas(2 * sizeof(triad_real)) number {
  triad_real re, im;
};

enum { WIDTH = 32, HEIGHT = 8, MOST_BLOCKS = 32768 };

template <bool IN> static __global__ void __launch_bounds__(WIDTH * HEIGHT) copy(triad_gpu_rows_part p)
{
  const int k = blockIdx.x * WIDTH + threadIdx.x;
  if (k > p.kx_most) return;
  const triad_gpu_kx at = p.kx[k];
  number *side = at.own ? (number *)p.own : (number *)p.other + (int64_t)at.before * p.rows * p.apart;
  const int64_t all = (int64_t)p.fields * p.count * p.rows;
  for (int64_t row = (int64_t)blockIdx.y * HEIGHT + threadIdx.y; row < all; row += (int64_t)gridDim.y * HEIGHT) {
    const int64_t plane = row / p.rows, f = plane / p.count, there = (f * p.planes + p.first + plane % p.count) * p.rows + row % p.rows;
    number *line = side + there * at.pitch + at.line, *to = (number *)p.to + row * p.pitch + k;
    if (IN) *to = *line;
    else *line = *to;
  }
}

extern "C" int triad_gpu_rows_copy(const triad_gpu_rows_part *p, int in, void *stream)
{
  const int64_t all = (int64_t)p->fields * p->count * p->rows;
  if (all == 0) return TRIAD_OK;
  const int64_t most = (int64_t)HEIGHT * MOST_BLOCKS;
  const dim3 grid(blocks_for(p->kx_most + 1, WIDTH), blocks_for(all < most ? all : most, HEIGHT)), threads(WIDTH, HEIGHT);
  if (in) TRIAD_LAUNCH(grid, threads, stream, copy<true>)(*p);
  else TRIAD_LAUNCH(grid, threads, stream, copy<false>)(*p);
  return launched("rows of lines");
}
