/* Looks at a state of flow on curvilinear blocks (solvers/multiblock/gpu/gpu_multiblock.h): primitives and rates of
 * all cells, and sums over them, which these and the stages leave tile by tile. */
#include "solvers/multiblock/gpu/gpu_multiblock.h"

#include "solvers/multiblock/gpu/device_cells.h"

/* ---- cells ---- */

static __global__ void __launch_bounds__(THREADS) look(const mesh g, const five u, const five f)
{
  own o = own_cells(g);
  double most = 0;
  if (o.n < 0) return;
  for (int k = 0, at = o.at; k < o.n; k++, at += o.step) {
    const triad_gas_state c = state_at(u, at),
                          q = triad_gas_primitive((triad_gas_flux){c.rho, c.u, c.v, c.w, c.p}, g.gamma);
    put_state(f, at, q);
    if (!(q.rho > 0) || !(q.p > 0) || !(q.p < TRIAD_R(1e30))) *g.bad = 1;
    most = fmax(most, look_at<EITHER>(g, o.block, at, q));
  }
  leave_sums<1, 1>(g, &most, TRIAD_MULTIBLOCK_GPU_RATE, o.tile, o.lane);
}

extern "C" int triad_multiblock_gpu_look(const mesh *g, triad_real *const u[FIELDS], triad_real *const q[FIELDS],
                                         void *stream)
{
  if (is_empty(g)) return TRIAD_OK;
  TRIAD_LAUNCH(blocks_of_all(g), dim3(THREADS), stream, look)(*g, five_of(u), five_of(q));
  return launched("a look at blocks");
}

static __global__ void __launch_bounds__(THREADS)
  totals(const mesh g, const triad_real *mass, const triad_real *energy, const triad_real *pressure)
{
  own o = own_cells(g);
  double sum[3] = {0, 0, 0};
  if (o.n < 0) return;
  for (int k = 0, at = o.at; k < o.n; k++, at += o.step) {
    int limited = 0;
    for (int axis = 0; axis < 3; axis++)
      if (axis != o.block.flat) limited |= triad_multiblock_is_limited(g.limiter, pressure + at, o.block.stride[axis]);
    sum[2] += limited;
    sum[0] += (double)g.volume[at] * (double)energy[at];
    sum[1] += (double)g.volume[at] * (double)mass[at];
  }
  leave_sums<3, 0>(g, sum, TRIAD_MULTIBLOCK_GPU_ENERGY, o.tile, o.lane);
}

extern "C" int triad_multiblock_gpu_totals(const mesh *g, triad_real *const u[FIELDS], const triad_real *pressure,
                                           void *stream)
{
  if (is_empty(g)) return TRIAD_OK;
  TRIAD_LAUNCH(blocks_of_all(g), dim3(THREADS), stream, totals)(*g, u[0], u[4], pressure);
  return launched("totals of blocks");
}

/* ---- sums of tiles ---- */

enum { SUMMERS = 512 };

static __global__ void __launch_bounds__(SUMMERS) finish(const mesh g, int first)
{
  __shared__ double part[SUMMERS];
  const int which = first + (int)blockIdx.x, thread = (int)threadIdx.x, largest = which == TRIAD_MULTIBLOCK_GPU_RATE;
  const int n = g.begin[TRIAD_MULTIBLOCK_GPU_KINDS] - g.begin[TRIAD_MULTIBLOCK_GPU_COLUMNS];
  const double *one = g.partial + (int64_t)which * n;
  double all = 0;
#pragma unroll 8
  for (int i = thread; i < n; i += SUMMERS) all = largest ? fmax(all, one[i]) : all + one[i];
  part[thread] = all;
  for (int step = SUMMERS / 2; step > 0; step /= 2) {
    __syncthreads();
    if (thread < step)
      part[thread] = largest ? fmax(part[thread], part[thread + step]) : part[thread] + part[thread + step];
  }
  if (thread == 0) g.sum[which] = part[0];
}

extern "C" int triad_multiblock_gpu_finish(const mesh *g, int first, int n, void *stream)
{
  TRIAD_LAUNCH(dim3((unsigned)n), dim3(SUMMERS), stream, finish)(*g, first);
  return launched("sums of blocks");
}
