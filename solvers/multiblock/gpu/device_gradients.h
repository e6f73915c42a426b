/* Stress and heat conduction through faces, for warps that proceed along an axis: as in viscous_points.h, but sums of
 * adjacent cells, which gradients at up to four faces need, are computed once. Neighbours across the lanes are read
 * from other lanes, those along the sweep are kept in registers; only the third axis is read from memory. For cuda/
 * only. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_GPU_DEVICE_GRADIENTS_H
#define TRIAD_SOLVERS_MULTIBLOCK_GPU_DEVICE_GRADIENTS_H

#include "solvers/multiblock/gpu/device_tiles.h"

/* ---- from lane to lane ---- */

static __device__ __forceinline__ triad_real from_lane_below(triad_real x)
{
  return (triad_real)__shfl_up_sync(0xffffffffu, x, 1);
}

static __device__ __forceinline__ triad_real from_lane_above(triad_real x)
{
  return (triad_real)__shfl_down_sync(0xffffffffu, x, 1);
}

static __device__ __forceinline__ triad_gas_vector vector_above(triad_gas_vector v)
{
  return (triad_gas_vector){from_lane_above(v.x), from_lane_above(v.y), from_lane_above(v.z)};
}

static __device__ __forceinline__ triad_gas_vector vector_below(triad_gas_vector v)
{
  return (triad_gas_vector){from_lane_below(v.x), from_lane_below(v.y), from_lane_below(v.z)};
}

static __device__ __forceinline__ triad_multiblock_four four_above(triad_multiblock_four f)
{
  return (triad_multiblock_four){from_lane_above(f.u), from_lane_above(f.v), from_lane_above(f.w),
                                 from_lane_above(f.t)};
}

static __device__ __forceinline__ triad_multiblock_four four_below(triad_multiblock_four f)
{
  return (triad_multiblock_four){from_lane_below(f.u), from_lane_below(f.v), from_lane_below(f.w),
                                 from_lane_below(f.t)};
}

/* A sum with what the lane below has. */
static __device__ __forceinline__ triad_gas_vector with_below(triad_gas_vector v)
{
  return triad_multiblock_sum(v, vector_below(v));
}
static __device__ __forceinline__ triad_multiblock_four with_below(triad_multiblock_four f)
{
  return triad_multiblock_plus(f, four_below(f));
}

/* ---- a march ---- */

/* Carried along it, of a lane's cell and that of the lane below: their sum; how much it is more than that of the
 * cells before; the sum of the areas of their lower faces along the march. */
struct beside {
  triad_multiblock_four sum, rise;
  triad_gas_vector area;
};

/* Cell `at` of a lane, the areas of its lower face across the lanes and of its upper one along the march; the third
 * axis, -1: there is none; values u, v, w, T of cells, of which those of velocities are p's. */
struct viewed {
  const triad_real *value[4];
  int at, next, lane_step, third, third_step;
  triad_multiblock_four here, above;
  triad_gas_vector lanes, along;
};

/* All lanes of a warp call these. */
static __device__ __forceinline__ void start_beside(const triad_multiblock_gpu &g, const triad_real *const value[4],
                                                    const march &w, beside &x)
{
  x.sum = with_below(triad_multiblock_four_at(value, w.at));
  x.rise = triad_multiblock_minus(x.sum, with_below(triad_multiblock_four_at(value, w.at - w.step)));
  x.area = with_below(triad_multiblock_vector_at(g.s[w.along], w.at));
}

static __device__ __forceinline__ triad_gas_flux stress_between(const triad_multiblock_gpu &g,
                                                                const triad_multiblock_gradients &q, triad_gas_vector s,
                                                                triad_multiblock_four twice, int a, int b)
{
  return triad_multiblock_stress(q, s, twice, g.viscosity[a] + g.viscosity[b], g.volume[a] + g.volume[b], g.conduction);
}

/* Through the lower face across the lanes; x goes on to the next cell. */
static __device__ __forceinline__ triad_gas_flux diffused_across_lanes(const triad_multiblock_gpu &g, const march &w,
                                                                       const viewed &v, beside &x)
{
  const triad_multiblock_four sum = with_below(v.above), rise = triad_multiblock_minus(sum, x.sum), twice = x.sum;
  const triad_gas_vector area = with_below(v.along);
  triad_multiblock_gradients q =
    triad_multiblock_across_face(four_below(v.here), v.here, vector_below(v.lanes), v.lanes,
                                 triad_multiblock_vector_at(g.s[w.lanes], v.at + v.lane_step));
  triad_multiblock_add_side(&q, rise, area);
  triad_multiblock_add_side(&q, x.rise, x.area);
  if (v.third >= 0) {
    const triad_real *const *s = g.s[v.third];
    triad_multiblock_add_side(
      &q, triad_multiblock_minus(with_below(triad_multiblock_four_at(v.value, v.at + v.third_step)), twice),
      with_below(triad_multiblock_vector_at(s, v.at + v.third_step)));
    triad_multiblock_add_side(
      &q, triad_multiblock_minus(twice, with_below(triad_multiblock_four_at(v.value, v.at - v.third_step))),
      with_below(triad_multiblock_vector_at(s, v.at)));
  }
  x.sum = sum;
  x.rise = rise;
  x.area = area;
  return stress_between(g, q, v.lanes, twice, v.at - v.lane_step, v.at);
}

/* Through the upper face along the march. */
static __device__ __forceinline__ triad_gas_flux diffused_along_march(const triad_multiblock_gpu &g, const march &w,
                                                                      const viewed &v)
{
  const triad_multiblock_four twice = triad_multiblock_plus(v.here, v.above),
                              rise = triad_multiblock_minus(twice, four_below(twice));
  const triad_gas_vector area = triad_multiblock_sum(v.lanes, triad_multiblock_vector_at(g.s[w.lanes], v.next));
  triad_multiblock_gradients q =
    triad_multiblock_across_face(v.here, v.above, triad_multiblock_vector_at(g.s[w.along], v.at), v.along,
                                 triad_multiblock_vector_at(g.s[w.along], v.next + w.step));
  triad_multiblock_add_side(&q, four_above(rise), vector_above(area));
  triad_multiblock_add_side(&q, rise, area);
  if (v.third >= 0) {
    const triad_real *const *s = g.s[v.third];
    const int up = v.third_step;
    triad_multiblock_add_side(
      &q,
      triad_multiblock_minus(triad_multiblock_plus(triad_multiblock_four_at(v.value, v.at + up),
                                                   triad_multiblock_four_at(v.value, v.next + up)),
                             twice),
      triad_multiblock_sum(triad_multiblock_vector_at(s, v.at + up), triad_multiblock_vector_at(s, v.next + up)));
    triad_multiblock_add_side(
      &q,
      triad_multiblock_minus(twice, triad_multiblock_plus(triad_multiblock_four_at(v.value, v.at - up),
                                                          triad_multiblock_four_at(v.value, v.next - up))),
      triad_multiblock_sum(triad_multiblock_vector_at(s, v.at), triad_multiblock_vector_at(s, v.next)));
  }
  return stress_between(g, q, v.along, twice, v.at, v.next);
}

#endif
