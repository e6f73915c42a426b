/* Implicit steps of flow on curvilinear blocks (solvers/multiblock/gpu/gpu_multiblock.h): Jacobi's sweeps. */
#include "solvers/multiblock/gpu/gpu_multiblock.h"

#include "solvers/multiblock/gpu/device_cells.h"
#include "solvers/multiblock/points/implicit_points.h"

typedef triad_multiblock_gpu_change job;

static __device__ __forceinline__ triad_gas_flux change_at(const triad_real *const d[FIELDS], int at)
{
  return (triad_gas_flux){d[0][at], d[1][at], d[2][at], d[3][at], d[4][at]};
}

static __global__ void __launch_bounds__(THREADS) difference(const mesh g, const five a, const five b, const five d)
{
  own o = own_cells(g);
  for (int k = 0, at = o.at; k < o.n; k++, at += o.step)
#pragma unroll
    for (int m = 0; m < FIELDS; m++) d.q[m][at] = b.q[m][at] - a.q[m][at];
}

extern "C" int triad_multiblock_gpu_difference(const mesh *g, triad_real *const a[FIELDS], triad_real *const b[FIELDS],
                                               triad_real *const d[FIELDS], void *stream)
{
  TRIAD_LAUNCH(blocks_of_all(g), dim3(THREADS), stream, difference)(*g, five_of(a), five_of(b), five_of(d));
  return launched("changes of blocks");
}

/* What neighbours along an axis do to a cell, added to sum. */
static __device__ __forceinline__ void pull(const mesh &g, const job &p, int axis, int stride, int at,
                                            triad_real sum[FIELDS])
{
  for (int upper = 0; upper < 2; upper++) {
    const int other = upper ? at + stride : at - stride, face = upper ? other : at;
    const triad_real sign = upper ? TRIAD_R(1) : TRIAD_R(-1), zero = 0;
    const triad_real s[3] = {sign * g.s[axis][0][face], sign * g.s[axis][1][face], sign * g.s[axis][2][face]};
    const triad_gas_state q = {p.q[0][other], p.q[1][other], p.q[2][other], p.q[3][other], p.q[4][other]};
    const triad_real spread = g.viscosity ? g.diffusion * g.viscosity[other] / (q.rho * g.volume[other]) : zero;
    const triad_gas_flux f = triad_multiblock_pulled(q, change_at(p.d, other), s, g.gamma, spread);
    sum[0] += f.mass;
    sum[1] += f.x;
    sum[2] += f.y;
    sum[3] += f.z;
    sum[4] += f.energy;
  }
}

static __global__ void __launch_bounds__(THREADS) relax(const mesh g, const job p)
{
  own o = own_cells(g);
  for (int k = 0, at = o.at; k < o.n; k++, at += o.step) {
    triad_real sum[FIELDS] = {0, 0, 0, 0, 0};
    for (int axis = 0; axis < 3; axis++)
      if (axis != o.block.flat) pull(g, p, axis, o.block.stride[axis], at, sum);
    const triad_real part = TRIAD_R(0.5) * p.cfl / g.rate[at];
#pragma unroll
    for (int m = 0; m < FIELDS; m++) p.to[m][at] = p.first[m][at] - part * sum[m];
  }
}

extern "C" int triad_multiblock_gpu_relax(const mesh *g, const job *p, void *stream)
{
  TRIAD_LAUNCH(blocks_of_all(g), dim3(THREADS), stream, relax)(*g, *p);
  return launched("a sweep of blocks");
}

static __global__ void __launch_bounds__(THREADS) apply(const mesh g, const job p)
{
  own o = own_cells(g);
  for (int k = 0, at = o.at; k < o.n; k++, at += o.step) {
    const triad_gas_state q = {p.q[0][at], p.q[1][at], p.q[2][at], p.q[3][at], p.q[4][at]};
    const triad_gas_flux u = {p.to[0][at], p.to[1][at], p.to[2][at], p.to[3][at], p.to[4][at]};
    const triad_real part = triad_multiblock_taken(q, u, change_at(p.d, at), g.gamma);
#pragma unroll
    for (int m = 0; m < FIELDS; m++) p.to[m][at] += part * p.d[m][at];
  }
}

extern "C" int triad_multiblock_gpu_apply(const mesh *g, const job *p, void *stream)
{
  TRIAD_LAUNCH(blocks_of_all(g), dim3(THREADS), stream, apply)(*g, *p);
  return launched("changes of blocks");
}
