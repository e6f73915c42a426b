/* Boundaries, regions and sums over planes of the staggered solver on a GPU (solvers/staggered/gpu/gpu_boundary.h). */
#include "solvers/staggered/gpu/gpu_boundary.h"

#include "solvers/staggered/gpu/device_sums.h"
#include "solvers/staggered/points/heat_points.h"

typedef triad_staggered_gpu mesh;
typedef triad_staggered_gpu_cells cells;
typedef triad_staggered_gpu_end way_out;
typedef triad_staggered_gpu_results sums;

enum { THREADS = 256, LANES = 32, ROWS = 8, MOST_BLOCKS = 64 /* of a plane's sums */ };

/* ---- faces of an end ---- */

/* A cell at an end: its place along the two axes of the plane, its number in the plane, its place in memory. */
struct place {
  int64_t i, j, number, at;
};

TRIAD_POINT_INLINE int axis_1(int axis) { return axis == 0 ? 1 : 0; }
TRIAD_POINT_INLINE int axis_2(int axis) { return axis == 2 ? 1 : 2; }

static int64_t points_of(const mesh *g, int axis, int halo)
{
  const int a1 = axis_1(axis), a2 = axis_2(axis);
  return (g->local[a1] + 2 * halo * g->halo[a1]) * (g->local[a2] + 2 * halo * g->halo[a2]);
}

static __device__ __forceinline__ place place_of(const mesh &g, int axis, int upper, int halo, int64_t n)
{
  const int a1 = axis_1(axis), a2 = axis_2(axis);
  const int64_t n1 = g.local[a1] + 2 * halo * g.halo[a1];
  place p = {n % n1 - halo * g.halo[a1], n / n1 - halo * g.halo[a2], n, 0};
  p.at = g.origin + (upper ? (g.local[axis] - 1) * g.stride[axis] : 0) + p.i * g.stride[a1] + p.j * g.stride[a2];
  return p;
}

static __device__ __forceinline__ int64_t thread() { return blockIdx.x * (int64_t)blockDim.x + threadIdx.x; }

static __device__ __forceinline__ int is_solid(const mesh &g, int64_t at)
{
  return g.sizes.open[at] & TRIAD_STAGGERED_SOLID;
}

static __global__ void __launch_bounds__(THREADS)
  carry(const mesh g, const way_out e, const triad_real *old, const triad_real *now, triad_real way, int64_t points)
{
  if (thread() >= points) return;
  const place p = place_of(g, e.axis, e.upper, 1, thread());
  const int64_t face = p.at + (e.upper ? g.stride[e.axis] : 0), before = p.at + (e.upper ? 0 : g.stride[e.axis]);
  const triad_real part = way * g.sizes.per_h[e.axis][e.upper ? g.local[e.axis] - 1 : 0];
  triad_real value = now[before];
  if (old) value = old[face] - part * (now[face] - value);
  e.plane[p.number] = is_solid(g, p.at) ? TRIAD_R(0) : value;
}

extern "C" int triad_staggered_gpu_carry(const mesh *g, const way_out *e, const triad_real *old, const triad_real *now,
                                         double way, void *stream)
{
  const int64_t points = points_of(g, e->axis, 1);
  TRIAD_LAUNCH(dim3(blocks_for(points, THREADS)), dim3(THREADS), stream, carry)
  (*g, *e, old, now, (triad_real)way, points);
  return launched("outflow rates");
}

static __global__ void __launch_bounds__(THREADS)
  let_out(const mesh g, const way_out e, triad_real *u, double comes_in, double area,
          const triad_staggered_gpu_scalars *s, int64_t points)
{
  if (thread() >= points) return;
  const place p = place_of(g, e.axis, e.upper, 1, thread());
  const triad_real add = s ? (triad_real)((comes_in - s->sum[0]) / area) : TRIAD_R(0), more = e.upper ? add : -add;
  u[p.at + (e.upper ? g.stride[e.axis] : 0)] = e.plane[p.number] + (is_solid(g, p.at) ? TRIAD_R(0) : more);
}

extern "C" int triad_staggered_gpu_let_out(const mesh *g, const way_out *e, triad_real *u, double comes_in, double area,
                                           const sums *results, void *stream)
{
  const int64_t points = points_of(g, e->axis, 1);
  const triad_staggered_gpu_scalars *s = results ? results->scalars : nullptr;
  TRIAD_LAUNCH(dim3(blocks_for(points, THREADS)), dim3(THREADS), stream, let_out)(*g, *e, u, comes_in, area, s, points);
  return launched("the outflow");
}

struct two_ends {
  way_out of[2];
  int n;
};

static __global__ void __launch_bounds__(THREADS)
  leaving(const mesh g, const two_ends ends, const triad_real *u, sums results)
{
  double sum[1] = {0};
  for (int k = 0; k < ends.n; k++) {
    const way_out &e = ends.of[k];
    const int a1 = axis_1(e.axis), a2 = axis_2(e.axis);
    const int64_t points = g.local[a1] * g.local[a2];
    for (int64_t n = thread(); n < points; n += (int64_t)gridDim.x * blockDim.x) {
      const place p = place_of(g, e.axis, e.upper, 0, n);
      const double side = (double)g.sizes.h[a1][p.i] * (double)g.sizes.h[a2][p.j];
      if (is_solid(g, p.at)) continue;
      sum[0] += (e.upper ? side : -side) * (double)u[p.at + (e.upper ? g.stride[e.axis] : 0)];
    }
  }
  add_up<1>(sum, results, TRIAD_STAGGERED_AFTER_SUMS);
}

extern "C" int triad_staggered_gpu_leaving(const mesh *g, const way_out *e, int n, const triad_real *u,
                                           const sums *results, void *stream)
{
  two_ends ends = {{e[0], e[n - 1]}, n};
  unsigned blocks = n > 0 ? blocks_for(points_of(g, e[0].axis, 0), THREADS) : 1;
  if (blocks > MOST_BLOCKS) blocks = MOST_BLOCKS;
  TRIAD_LAUNCH(dim3(blocks), dim3(THREADS), stream, leaving)(*g, ends, u, *results);
  return launched("what leaves");
}

struct velocity {
  triad_real *u[3];
};

static __global__ void __launch_bounds__(THREADS)
  go_on(const mesh g, const way_out e, const velocity v, triad_real *scratch, int64_t points)
{
  if (thread() >= points) return;
  const place p = place_of(g, e.axis, e.upper, 0, thread());
  const int a1 = axis_1(e.axis), a2 = axis_2(e.axis);
  const triad_staggered_sizes &s = g.sizes;
  const triad_real sides = (v.u[a1][p.at + s.step[a1]] - v.u[a1][p.at]) * s.per_h[a1][p.i] +
                           (v.u[a2][p.at + s.step[a2]] - v.u[a2][p.at]) * s.per_h[a2][p.j];
  const triad_real through = s.h[e.axis][e.upper ? g.local[e.axis] - 1 : 0] * sides;
  const triad_real before = v.u[e.axis][p.at + (e.upper ? 0 : g.stride[e.axis])];
  scratch[p.at] = is_solid(g, p.at) ? TRIAD_R(0) : before + (e.upper ? -through : through);
}

extern "C" int triad_staggered_gpu_continue(const mesh *g, const way_out *e, triad_real *const u[3],
                                            triad_real *scratch, void *stream)
{
  const int64_t points = points_of(g, e->axis, 0);
  const velocity v = {{u[0], u[1], u[2]}};
  TRIAD_LAUNCH(dim3(blocks_for(points, THREADS)), dim3(THREADS), stream, go_on)(*g, *e, v, scratch, points);
  return launched("the outflow at the end of a step");
}

static __global__ void __launch_bounds__(THREADS)
  take_on(const mesh g, const way_out e, const triad_real *scratch, triad_real *u, int64_t points)
{
  if (thread() >= points) return;
  const place p = place_of(g, e.axis, e.upper, 1, thread());
  u[p.at + (e.upper ? g.stride[e.axis] : 0)] = scratch[p.at];
}

extern "C" int triad_staggered_gpu_take_on(const mesh *g, const way_out *e, const triad_real *scratch, triad_real *u,
                                           void *stream)
{
  const int64_t points = points_of(g, e->axis, 1);
  TRIAD_LAUNCH(dim3(blocks_for(points, THREADS)), dim3(THREADS), stream, take_on)(*g, *e, scratch, u, points);
  return launched("the outflow at the end of a step");
}

static __global__ void __launch_bounds__(THREADS)
  mirror(const mesh g, int axis, int upper, triad_real sign, triad_real *f, int64_t points)
{
  if (thread() >= points) return;
  const place p = place_of(g, axis, upper, 0, thread());
  f[p.at + (upper ? g.stride[axis] : -g.stride[axis])] = sign * f[p.at];
}

extern "C" int triad_staggered_gpu_mirror(const mesh *g, int axis, int upper, double sign, triad_real *f, void *stream)
{
  const int64_t points = points_of(g, axis, 0);
  TRIAD_LAUNCH(dim3(blocks_for(points, THREADS)), dim3(THREADS), stream, mirror)
  (*g, axis, upper, (triad_real)sign, f, points);
  return launched("a change at a boundary");
}

/* ---- cells of a vector ---- */

static dim3 planes_of(const cells *c)
{
  const int planes = c->local[2] < TRIAD_STAGGERED_GPU_PLANES ? c->local[2] : TRIAD_STAGGERED_GPU_PLANES;
  return dim3(blocks_for(c->local[0], LANES), blocks_for(c->local[1], ROWS), (unsigned)planes);
}

/* A column of cells; z from blockIdx.z on in steps of gridDim.z. -1: none. */
static __device__ __forceinline__ int column_of(const cells &c, int *x, int *y)
{
  *x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  *y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
  return *x < c.local[0] && *y < c.local[1] ? c.origin + *x + *y * c.stride[1] : -1;
}

static __device__ __forceinline__ int64_t region_at(const cells &c, const int32_t *region, int64_t first, int at)
{
  const int64_t r = region[at] - first;
  return c.sizes.open[at] & TRIAD_STAGGERED_SOLID || r < 0 || r >= TRIAD_STAGGERED_GPU_SUMS ? -1 : r;
}

static __global__ void __launch_bounds__(LANES *ROWS)
  region_sums(const cells c, const int32_t *region, int64_t first, const triad_real *v, sums results)
{
  double sum[TRIAD_STAGGERED_GPU_SUMS] = {0, 0, 0, 0, 0, 0};
  int x, y, column = column_of(c, &x, &y);
  for (int z = (int)blockIdx.z; column >= 0 && z < c.local[2]; z += (int)gridDim.z) {
    const int at = column + z * c.stride[2];
    const int64_t mine = region_at(c, region, first, at);
#pragma unroll
    for (int i = 0; i < TRIAD_STAGGERED_GPU_SUMS; i++) sum[i] += i == mine ? (double)v[at] : 0;
  }
  add_up<TRIAD_STAGGERED_GPU_SUMS>(sum, results, TRIAD_STAGGERED_AFTER_SUMS);
}

extern "C" int triad_staggered_gpu_region_sums(const cells *c, const int32_t *region, int64_t first,
                                               const triad_real *v, const sums *results, void *stream)
{
  TRIAD_LAUNCH(planes_of(c), dim3(LANES, ROWS), stream, region_sums)(*c, region, first, v, *results);
  return launched("sums of regions");
}

struct six {
  double of[TRIAD_STAGGERED_GPU_SUMS];
};

static __global__ void __launch_bounds__(LANES *ROWS)
  region_level(const cells c, const int32_t *region, int64_t first, const six count, triad_real *v,
               const triad_staggered_gpu_scalars *s)
{
  int x, y, column = column_of(c, &x, &y);
  for (int z = (int)blockIdx.z; column >= 0 && z < c.local[2]; z += (int)gridDim.z) {
    const int at = column + z * c.stride[2];
    const int64_t mine = region_at(c, region, first, at);
#pragma unroll
    for (int i = 0; i < TRIAD_STAGGERED_GPU_SUMS; i++)
      if (i == mine) v[at] -= (triad_real)(s->sum[i] / count.of[i]);
    if (c.sizes.open[at] & TRIAD_STAGGERED_SOLID) v[at] = 0;
  }
}

extern "C" int triad_staggered_gpu_region_level(const cells *c, const int32_t *region, int64_t first,
                                                const double count[TRIAD_STAGGERED_GPU_SUMS], triad_real *v,
                                                const sums *results, void *stream)
{
  six counts;
  for (int i = 0; i < TRIAD_STAGGERED_GPU_SUMS; i++) counts.of[i] = count[i];
  TRIAD_LAUNCH(planes_of(c), dim3(LANES, ROWS), stream, region_level)(*c, region, first, counts, v, results->scalars);
  return launched("means of regions");
}

static __global__ void __launch_bounds__(LANES *ROWS) diagonal(const cells c, triad_real *table)
{
  int x, y, column = column_of(c, &x, &y);
  for (int z = (int)blockIdx.z; column >= 0 && z < c.local[2]; z += (int)gridDim.z) {
    const int at = column + z * c.stride[2];
    const triad_staggered_row row = triad_staggered_row_of(&c.sizes, y, z);
    triad_real side[6];
    triad_staggered_sides(1, &c.sizes, &row, at, x, side);
    table[at] = 1 / triad_staggered_diagonal(side);
  }
}

extern "C" int triad_staggered_gpu_diagonal(const cells *c, triad_real *table, void *stream)
{
  TRIAD_LAUNCH(planes_of(c), dim3(LANES, ROWS), stream, diagonal)(*c, table);
  return launched("the pressure's diagonal");
}

/* ---- sums over planes: a block each ---- */

template <int SUMS>
static __global__ void __launch_bounds__(THREADS)
  over_planes(const mesh g, int axis, const velocity v, const triad_real *p, const triad_real *heat, double *sum)
{
  const int a1 = axis_1(axis), a2 = axis_2(axis);
  const triad_staggered_sizes &s = g.sizes;
  const triad_real *const u[3] = {v.u[0], v.u[1], v.u[2]};
  double value[SUMS];
  for (int i = 0; i < SUMS; i++) value[i] = 0;
  for (int64_t n = threadIdx.x; n < g.local[a1] * g.local[a2]; n += blockDim.x) {
    const int64_t i = n % g.local[a1], j = n / g.local[a1];
    const int64_t at = g.origin + blockIdx.x * g.stride[axis] + i * g.stride[a1] + j * g.stride[a2];
    const double area = (double)s.h[a1][i] * (double)s.h[a2][j];
    if (is_solid(g, at)) continue;
    triad_staggered_profile(&s, u, p, at, area, value);
    if constexpr (SUMS > TRIAD_STAGGERED_PROFILE_HEAT) triad_staggered_profile_heat(&s, u, heat, at, area, value);
  }
  triad_of_block<SUMS, 0>(value, (int)threadIdx.x, (int)blockDim.x);
  if (threadIdx.x > 0) return;
  for (int i = 0; i < SUMS; i++) sum[(int64_t)i * g.local[axis] + blockIdx.x] = value[i];
}

extern "C" int triad_staggered_gpu_planes(const mesh *g, int axis, triad_real *const u[3], const triad_real *p,
                                          const triad_real *heat, double *sum, void *stream)
{
  const velocity v = {{u[0], u[1], u[2]}};
  const dim3 blocks((unsigned)g->local[axis]), threads(THREADS);
  if (heat) TRIAD_LAUNCH(blocks, threads, stream, over_planes<TRIAD_STAGGERED_PROFILE_ALL>)(*g, axis, v, p, heat, sum);
  else TRIAD_LAUNCH(blocks, threads, stream, over_planes<TRIAD_STAGGERED_PROFILE_SUMS>)(*g, axis, v, p, heat, sum);
  return launched("sums over planes");
}
