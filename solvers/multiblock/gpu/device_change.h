/* The update of a cell in a stage: its rate, if the flow is inviscid and checked before the update; the state at the
 * start of the step; the sum of its fluxes. For cuda/ only. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_GPU_DEVICE_CHANGE_H
#define TRIAD_SOLVERS_MULTIBLOCK_GPU_DEVICE_CHANGE_H

#include "solvers/multiblock/gpu/device_desk.h"

/* ---- rates, of inviscid flow: those across the axes that a warp finds fluxes of ---- */

/* Of the cell at a place. */
template <int KIND>
static __device__ __forceinline__ triad_real rate_of(const mesh &g, const triad_multiblock_gpu_block &b, const march &w,
                                                     int at, const triad_real here[FIELDS])
{
  const triad_gas_state q = state_of(here);
  triad_real rate = 0;
  if (KIND != TRIAD_MULTIBLOCK_GPU_COLUMNS)
    rate = add_rate(g, area_at<AREAS>(g, b.stride, w.lanes, at),
                    area_at<AREAS>(g, b.stride, w.lanes, at + b.stride[w.lanes]), q, 0, 0);
  return add_rate(g, area_at<AREAS>(g, b.stride, w.along, at), area_at<AREAS>(g, b.stride, w.along, at + w.step), q, 0,
                  rate);
}

/* Of cell i where nodes are kept; all lanes call it. */
template <int KIND, class DESK>
static __device__ __forceinline__ triad_real rate_between(const mesh &g, int i, const faces &f, DESK &d)
{
  const triad_gas_vector low = vector_on(d.low);
  triad_real here[FIELDS], rate = 0;
  state_on(d, i, here);
  if (KIND == TRIAD_MULTIBLOCK_GPU_ROWS) rate = add_rate(g, f.lanes, vector_above(f.lanes), state_of(here), 0, 0);
  put_vector(d.low, f.along);
  return add_rate(g, low, f.along, state_of(here), 0, rate);
}

/* The rate of a cell for its change, of which rows have found a part and this warp this one; it is noted for stages
 * to come. */
template <class DESK>
static __device__ __forceinline__ void put_rate(const mesh &g, int at, triad_real rate, DESK &d, double *most)
{
  d.own[RATE][threadIdx.x] = g.rate[at] = rate;
  *most = fmax(*most, (double)(rate * triad_gas_per(d.own[VOLUME][threadIdx.x])));
}

/* ---- a cell ---- */

/* The state at the start of the step, of cell i of a march. */
template <int FIRST, class DESK>
static __device__ __forceinline__ void start_on(const mesh &g, const job &p, const DESK &d, int i,
                                                triad_real u0[FIELDS])
{
  if (starts_from_primitives<FIRST>(p)) {
    triad_real here[FIELDS];
    state_on(d, i, here);
    const triad_gas_flux u = triad_gas_conserved(state_of(here), g.gamma);
    u0[0] = u.mass;
    u0[1] = u.x;
    u0[2] = u.y;
    u0[3] = u.z;
    u0[4] = u.energy;
    return;
  }
#pragma unroll
  for (int m = 0; m < FIELDS; m++) u0[m] = d.own[U0 + m][threadIdx.x];
}

/* u = start u0 + last u - rate dt/V R of cell i, and its primitives. FIRST: residuals are added up. */
template <int KIND, int FLOW, int FIRST, class DESK>
static __device__ __forceinline__ void change(const mesh &g, const job &p, const triad_multiblock_gpu_block &b, int at,
                                              int i, const DESK &d, triad_real rest[FIELDS], double sums[FIELDS],
                                              double *most)
{
  const triad_real(*own)[THREADS] = d.own;
  const triad_real per_volume = triad_gas_per(own[VOLUME][threadIdx.x]);
  const triad_real step = p.rate * (p.dt > 0 ? p.dt * per_volume : p.cfl * triad_gas_per(own[RATE][threadIdx.x]));
  triad_real u0[FIELDS], u[FIELDS];
  start_on<FIRST>(g, p, d, i, u0);
#pragma unroll
  for (int m = 0; m < FIELDS; m++) {
    if (KIND == TRIAD_MULTIBLOCK_GPU_COLUMNS) rest[m] += own[REST + m][threadIdx.x];
    if (g.source[m]) rest[m] -= g.source[m][at];
    if (FIRST) sums[m] += (double)(rest[m] * rest[m] * per_volume);
    u[m] = p.start * u0[m] - step * rest[m];
    if (p.last > 0 || p.last < 0) u[m] += p.last * p.was[m][at];
    if (p.u[m]) p.u[m][at] = u[m];
  }
  if (!p.next[0]) return;
  const triad_gas_state q = triad_gas_primitive((triad_gas_flux){u[0], u[1], u[2], u[3], u[4]}, g.gamma);
  p.next[0][at] = q.rho;
  p.next[1][at] = q.u;
  p.next[2][at] = q.v;
  p.next[3][at] = q.w;
  p.next[4][at] = q.p;
  if (!(q.rho > 0) || !(q.p > 0) || !(q.p < TRIAD_R(1e30))) *g.bad = 1;
  if (p.look) *most = fmax(*most, look_at < FLOW == ON_NODES ? NODES : AREAS > (g, b, at, q));
}

#endif
