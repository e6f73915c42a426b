/* One layer of a warp's sweep: the fluxes across the axis of its lanes, the flux along the sweep, which the next layer
 * uses too, and prefetches. For cuda/ only. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_GPU_DEVICE_MARCH_H
#define TRIAD_SOLVERS_MULTIBLOCK_GPU_DEVICE_MARCH_H

#include "solvers/multiblock/gpu/device_faces.h"

/* ---- fluxes ---- */

/* rest = what leaves cell i of the march across the axis of the lanes. All lanes of a warp call it; those of the
 * row's lower ends have no face. */
template <int RIEMANN, int LIMITER, int FLOW, int KIND, class DESK>
static __device__ __forceinline__ void across_lanes(const mesh &g, const job &p, const triad_multiblock_gpu_block &b,
                                                    const march &w, int i, const place &c, const DESK &d,
                                                    triad_gas_vector area, triad_gas_flux diffused,
                                                    triad_real rest[FIELDS])
{
  const int at = w.at + i * w.step, stride = b.stride[w.lanes];
  triad_real left[FIELDS], down[FIELDS], up[FIELDS], out[FIELDS] = {0, 0, 0, 0, 0}, here[FIELDS], below[FIELDS],
                                                     above[FIELDS];
  read_at(p.q, at - stride, below);
  read_at(p.q, at + stride, above);
  state_on(d, i, here);
  reach<LIMITER>(g, w.lanes, at, below, here, above, down, up);
#pragma unroll
  for (int m = 0; m < FIELDS; m++) left[m] = from_lane_below(up[m]);
  if ((w.lanes == 0 ? c.i : c.j) >= 0) {
    const int face =
      through<RIEMANN, diffuses<FLOW, KIND>::ALONE>(g, p, b, flat_of<KIND>(b), w.lanes, at, c, area, left, down, out);
    if (diffuses<FLOW, KIND>::BY_LANES) {
      take_diffused(diffused, out);
      insulate(g, face, out);
    }
  }
#pragma unroll
  for (int m = 0; m < FIELDS; m++) rest[m] = from_lane_above(out[m]) - out[m];
}

/* The march so far: the state that is left of the next face, and the flux through the last one. */
struct carried {
  triad_real up[FIELDS], low[FIELDS];
};

template <int RIEMANN, int LIMITER, int FLOW, int KIND>
static __device__ __forceinline__ void begin(const mesh &g, const job &p, const triad_multiblock_gpu_block &b,
                                             const march &w, triad_gas_vector area, carried &x)
{
  triad_real down[FIELDS], left[FIELDS];
  reach_at<LIMITER>(g, p, w.along, w.at - w.step, w.step, down, left);
  reach_at<LIMITER>(g, p, w.along, w.at, w.step, down, x.up);
  (void)through<RIEMANN, FLOW == LAMINAR>(g, p, b, flat_of<KIND>(b), w.along, w.at, w.c, area, left, down, x.low);
}

/* rest += what leaves cell i along the march; its upper face is the lower one of the next. */
template <int RIEMANN, int LIMITER, int FLOW, int KIND, class DESK>
static __device__ __forceinline__ void go_on(const mesh &g, const job &p, const triad_multiblock_gpu_block &b,
                                             const march &w, int i, const place &next, const DESK &d,
                                             triad_gas_vector area, triad_gas_flux diffused, carried &x,
                                             triad_real rest[FIELDS])
{
  triad_real down[FIELDS], up[FIELDS], out[FIELDS], here[FIELDS], above[FIELDS], beyond[FIELDS];
  state_on(d, i, here);
  state_on(d, i + 1, above);
  state_on(d, i + 2, beyond);
  reach<LIMITER>(g, w.along, w.at + (i + 1) * w.step, here, above, beyond, down, up);
  const int face = through<RIEMANN, diffuses<FLOW, KIND>::ALONE>(g, p, b, flat_of<KIND>(b), w.along,
                                                                 w.at + (i + 1) * w.step, next, area, x.up, down, out);
  if (diffuses<FLOW, KIND>::BY_LANES) {
    take_diffused(diffused, out);
    insulate(g, face, out);
  }
#pragma unroll
  for (int m = 0; m < FIELDS; m++) {
    rest[m] += out[m] - x.low[m];
    x.low[m] = out[m];
    x.up[m] = up[m];
  }
}

/* ---- what comes next ---- */

/* What the look at a new state reads is on its way while the fluxes are found. */
template <int KIND>
static __device__ __forceinline__ void fetch_for_look(const mesh &g, const job &p, const triad_multiblock_gpu_block &b,
                                                      const march &w, int at)
{
  if (!p.look) return;
#pragma unroll
  for (int axis = 0; axis < 3; axis++)
#pragma unroll
    for (int a = 0; a < 3; a++)
      if (axis != w.along && axis != flat_of<KIND>(b)) ahead(g.s[axis][a] + at);
}

/* Is what gradients at the next cell's faces read, and no one else has brought, to be on its way a step before? */
enum { GRADIENTS_AHEAD = 0 };

/* From the cell at a place on the march: the row beyond it, and those beside that along the third axis. */
static __device__ __forceinline__ void fetch_for_gradients(const mesh &g, const job &p,
                                                           const triad_multiblock_gpu_block &b, const march &w, int at)
{
  const int third = 3 - w.lanes - w.along, next = at + 2 * w.step;
  const triad_real *const value[4] = {p.q[1], p.q[2], p.q[3], g.temperature};
#pragma unroll
  for (int a = 0; a < 3; a++) {
    ahead(g.s[third][a] + next);
    ahead(g.s[third][a] + next + b.stride[third]);
  }
#pragma unroll
  for (int m = 0; m < 4; m++) {
    ahead(value[m] + next - b.stride[third]);
    ahead(value[m] + next + b.stride[third]);
  }
  ahead(g.temperature + next);
  ahead(g.viscosity + next);
  ahead(g.volume + next);
}

/* Cell i of a march as gradients see it. */
template <int KIND, class DESK>
static __device__ __forceinline__ viewed view_of(const mesh &g, const job &p, const triad_multiblock_gpu_block &b,
                                                 const march &w, int i, const faces &f, const DESK &d)
{
  const int third = KIND == TRIAD_MULTIBLOCK_GPU_ROWS ? 2 : -1, at = w.at + i * w.step, next = at + w.step;
  const triad_real(*here)[THREADS] = d.q[i % RING], (*above)[THREADS] = d.q[(i + 1) % RING];
  const int me = (int)threadIdx.x;
  return viewed{{p.q[1], p.q[2], p.q[3], g.temperature},
                at,
                next,
                b.stride[w.lanes],
                third,
                third < 0 ? 0 : b.stride[2],
                {here[1][me], here[2][me], here[3][me], g.temperature[at]},
                {above[1][me], above[2][me], above[3][me], g.temperature[next]},
                f.lanes,
                f.along};
}

#endif
