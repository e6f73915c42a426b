/* The temperature of the staggered solver on a GPU: a stage, buoyancy, ends of the box, sums
 * (solvers/staggered/gpu/gpu_heat.h). */
#include "solvers/staggered/gpu/device_mesh.h"
#include "solvers/staggered/gpu/gpu_heat.h"

/* ---- a stage ---- */

template <int SOLIDS>
static __global__ void __launch_bounds__(LANES *ROWS) heat(const mesh g, const triad_staggered_gpu_heat_update p)
{
  int64_t c[3], at;
  if (!own_cell(g, c, &at)) return;
  const triad_real *const u[3] = {p.u[0], p.u[1], p.u[2]};
  const triad_real change = triad_staggered_heat_change(SOLIDS, p.held, &g.sizes, u, p.in, p.diffused, p.diffusivity,
                                                        p.source, p.gradient, at, c);
  p.out[at] = p.x_part * p.x[at] + p.rate * change;
}

extern "C" int triad_staggered_gpu_heat(const mesh *g, const triad_staggered_gpu_heat_update *update, void *stream)
{
  const dim3 threads(LANES, ROWS);
  if (g->solids) TRIAD_LAUNCH(blocks_of(g), threads, stream, heat<1>)(*g, *update);
  else TRIAD_LAUNCH(blocks_of(g), threads, stream, heat<0>)(*g, *update);
  return launched("the temperature");
}

/* ---- buoyancy ---- */

struct along {
  triad_real of[3];
};

static __global__ void __launch_bounds__(LANES *ROWS)
  buoyancy(const mesh g, const triad_real *t, triad_real reference, const along factor, const three f)
{
  int64_t c[3], at;
  if (!own_cell(g, c, &at)) return;
  f.u[0][at] += triad_staggered_buoyancy(0, &g.sizes, t, reference, factor.of[0], at);
  f.u[1][at] += triad_staggered_buoyancy(1, &g.sizes, t, reference, factor.of[1], at);
  f.u[2][at] += triad_staggered_buoyancy(2, &g.sizes, t, reference, factor.of[2], at);
}

extern "C" int triad_staggered_gpu_buoyancy(const mesh *g, const triad_real *t, double reference,
                                            const double factor[3], triad_real *const u[3], void *stream)
{
  const three f = {{u[0], u[1], u[2]}};
  const along all = {{(triad_real)factor[0], (triad_real)factor[1], (triad_real)factor[2]}};
  const dim3 threads(LANES, ROWS);
  TRIAD_LAUNCH(blocks_of(g), threads, stream, buoyancy)(*g, t, (triad_real)reference, all, f);
  return launched("buoyancy");
}

/* ---- ends of the box ---- */

static __global__ void __launch_bounds__(LANES *ROWS)
  heat_end(const mesh g, int axis, int upper, triad_real sign, triad_real more, triad_real *t, int64_t points)
{
  const int a1 = axis == 0 ? 1 : 0, a2 = axis == 2 ? 1 : 2;
  const int64_t n = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (n >= points) return;
  const int64_t last = g.origin + (upper ? (g.local[axis] - 1) * g.stride[axis] : 0);
  const int64_t at = last + n % g.local[a1] * g.stride[a1] + n / g.local[a1] * g.stride[a2];
  t[at + (upper ? g.stride[axis] : -g.stride[axis])] = sign * t[at] + more;
}

extern "C" int triad_staggered_gpu_heat_end(const mesh *g, int axis, int upper, double sign, double more, triad_real *t,
                                            void *stream)
{
  const int a1 = axis == 0 ? 1 : 0, a2 = axis == 2 ? 1 : 2;
  const int64_t points = g->local[a1] * g->local[a2];
  const dim3 blocks(blocks_for(points, LANES * ROWS)), threads(LANES * ROWS);
  TRIAD_LAUNCH(blocks, threads, stream, heat_end)
  (*g, axis, upper, (triad_real)sign, (triad_real)more, t, points);
  return launched("the temperature of a boundary");
}

/* ---- sums ---- */

static __global__ void __launch_bounds__(LANES *ROWS)
  look_heat(const mesh g, const triad_staggered_heat_sight w, const three f, const triad_real *t, double middle,
            sums results)
{
  int64_t c[3], at;
  const triad_real *const u[3] = {f.u[0], f.u[1], f.u[2]};
  double value[4] = {0, 0, 0, 0};
  for (int there = own_cell(g, c, &at); there; there = next_cell(g, c, &at))
    triad_staggered_heat_look(&w, u, t, middle, at, c, value);
  add_up<2, 2>(value, results, TRIAD_STAGGERED_AFTER_SUMS);
}

extern "C" int triad_staggered_gpu_look_heat(const mesh *g, const triad_staggered_heat_sight *sight,
                                             triad_real *const u[3], const triad_real *t, double middle,
                                             const sums *results, void *stream)
{
  const three f = {{u[0], u[1], u[2]}};
  const dim3 threads(LANES, ROWS);
  TRIAD_LAUNCH(few_blocks_of(g), threads, stream, look_heat)(*g, *sight, f, t, middle, *results);
  return launched("a check of the temperature");
}

template <int PART>
static __global__ void __launch_bounds__(LANES *ROWS)
  heat_sums(const mesh g, const triad_staggered_heat_sight w, const three f, const triad_real *t, sums results)
{
  int64_t c[3], at;
  const triad_real *const u[3] = {f.u[0], f.u[1], f.u[2]};
  double value[TRIAD_STAGGERED_GPU_SUMS * TRIAD_STAGGERED_GPU_HEAT_PARTS];
#pragma unroll
  for (int i = 0; i < TRIAD_STAGGERED_GPU_SUMS * TRIAD_STAGGERED_GPU_HEAT_PARTS; i++) value[i] = 0;
  for (int there = own_cell(g, c, &at); there; there = next_cell(g, c, &at))
    triad_staggered_heat_sums(&w, u, t, at, c, value);
  add_up<TRIAD_STAGGERED_GPU_SUMS>(value + PART * TRIAD_STAGGERED_GPU_SUMS, results, TRIAD_STAGGERED_AFTER_SUMS);
}

extern "C" int triad_staggered_gpu_heat_sums(const mesh *g, const triad_staggered_heat_sight *sight, int part,
                                             triad_real *const u[3], const triad_real *t, const sums *results,
                                             void *stream)
{
  const three f = {{u[0], u[1], u[2]}};
  const dim3 threads(LANES, ROWS);
  if (part == 0) TRIAD_LAUNCH(few_blocks_of(g), threads, stream, heat_sums<0>)(*g, *sight, f, t, *results);
  else if (part == 1) TRIAD_LAUNCH(few_blocks_of(g), threads, stream, heat_sums<1>)(*g, *sight, f, t, *results);
  else TRIAD_LAUNCH(few_blocks_of(g), threads, stream, heat_sums<2>)(*g, *sight, f, t, *results);
  return launched("sums of the temperature");
}
