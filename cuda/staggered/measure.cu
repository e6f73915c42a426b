/* Columns of the series of the staggered solver on a GPU (solvers/staggered/gpu/gpu_measure.h). */
#include "solvers/staggered/gpu/device_mesh.h"
#include "solvers/staggered/gpu/gpu_measure.h"

static __global__ void __launch_bounds__(LANES *ROWS) budget(const mesh g, const three f, sums results)
{
  int64_t c[3], at;
  const triad_real *const u[3] = {f.u[0], f.u[1], f.u[2]};
  double value[TRIAD_STAGGERED_BUDGET_NUMBERS];
#pragma unroll
  for (int i = 0; i < TRIAD_STAGGERED_BUDGET_NUMBERS; i++) value[i] = 0;
  for (int there = own_cell(g, c, &at); there; there = next_cell(g, c, &at))
    triad_staggered_budget(&g.sizes, u, at, c, value);
  add_up<TRIAD_STAGGERED_BUDGET_SUMS, 1>(value, results, TRIAD_STAGGERED_AFTER_SUMS);
}

extern "C" int triad_staggered_gpu_budget(const mesh *g, triad_real *const u[3], const sums *results, void *stream)
{
  const three f = {{u[0], u[1], u[2]}};
  const dim3 threads(LANES, ROWS);
  TRIAD_LAUNCH(few_blocks_of(g), threads, stream, budget)(*g, f, *results);
  return launched("the budget");
}

static __global__ void __launch_bounds__(LANES *ROWS)
  drag(const mesh g, const triad_staggered_sight w, const three f, const triad_real *p, sums results)
{
  int64_t c[3], at;
  const triad_real *const u[3] = {f.u[0], f.u[1], f.u[2]};
  double value[TRIAD_STAGGERED_FORCE_WALLS] = {0, 0, 0, 0, 0, 0}, *moment = value + TRIAD_STAGGERED_FORCE_MOMENT;
  for (int there = own_cell(g, c, &at); there; there = next_cell(g, c, &at)) {
    triad_staggered_drag(&w, 0, u, p, at, c, value, moment);
    triad_staggered_drag(&w, 1, u, p, at, c, value + 1, moment);
    triad_staggered_drag(&w, 2, u, p, at, c, value + 2, moment);
  }
  add_up<TRIAD_STAGGERED_FORCE_WALLS>(value, results, TRIAD_STAGGERED_AFTER_SUMS);
}

extern "C" int triad_staggered_gpu_drag(const mesh *g, const triad_staggered_sight *sight, triad_real *const u[3],
                                        const triad_real *p, const sums *results, void *stream)
{
  const three f = {{u[0], u[1], u[2]}};
  const dim3 threads(LANES, ROWS);
  TRIAD_LAUNCH(few_blocks_of(g), threads, stream, drag)(*g, *sight, f, p, *results);
  return launched("the drag");
}

template <int B>
static __global__ void __launch_bounds__(LANES *ROWS)
  walls(const mesh g, const triad_staggered_sight w, const three f, sums results)
{
  int64_t c[3], at;
  const triad_real *const u[3] = {f.u[0], f.u[1], f.u[2]};
  double value[4] = {0, 0, 0, 0};
  for (int there = own_cell(g, c, &at); there; there = next_cell(g, c, &at))
    triad_staggered_push_walls(&w, B, u, at, c, value);
  add_up<4>(value, results, TRIAD_STAGGERED_AFTER_SUMS);
}

extern "C" int triad_staggered_gpu_walls(const mesh *g, const triad_staggered_sight *sight, int b,
                                         triad_real *const u[3], const sums *results, void *stream)
{
  const three f = {{u[0], u[1], u[2]}};
  const dim3 threads(LANES, ROWS);
  if (b == 0) TRIAD_LAUNCH(few_blocks_of(g), threads, stream, walls<0>)(*g, *sight, f, *results);
  else if (b == 1) TRIAD_LAUNCH(few_blocks_of(g), threads, stream, walls<1>)(*g, *sight, f, *results);
  else TRIAD_LAUNCH(few_blocks_of(g), threads, stream, walls<2>)(*g, *sight, f, *results);
  return launched("forces on walls");
}
