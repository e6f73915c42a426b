/* Velocities of the staggered solver on a GPU: a stage before its pressure, boundaries, the source of the pressure, the
 * projection, the look at a state (solvers/staggered/gpu/gpu_staggered.h). */
#include "solvers/staggered/gpu/device_mesh.h"
#include "solvers/staggered/points/volume_points.h"

/* ---- a stage ---- */

template <int A, int SOLIDS, int SAME>
static __device__ __forceinline__ void component(const mesh &g, const triad_staggered_gpu_update &p, int64_t at,
                                                 const int64_t c[3])
{
  const triad_real *const in[3] = {p.in[0], p.in[1], p.in[2]};
  triad_real change = p.force[A] - triad_staggered_advection(A, &g.sizes, in, at, c) +
                      p.viscosity * triad_staggered_diffusion(A, SOLIDS, &g.sizes, SAME ? in[A] : p.diffused[A], at, c);
  p.out[A][at] = triad_staggered_passes(A, &g.sizes, at) * (p.x_part * p.x[A][at] + p.rate * change);
}

/* SAME: what is diffused is what is carried. */
template <int SOLIDS, int SAME>
static __global__ void __launch_bounds__(LANES *ROWS) momentum(const mesh g, const triad_staggered_gpu_update p)
{
  int64_t c[3], at;
  if (!own_cell(g, c, &at)) return;
  component<0, SOLIDS, SAME>(g, p, at, c);
  component<1, SOLIDS, SAME>(g, p, at, c);
  component<2, SOLIDS, SAME>(g, p, at, c);
}

extern "C" int triad_staggered_gpu_momentum(const mesh *g, const triad_staggered_gpu_update *update, void *stream)
{
  const dim3 threads(LANES, ROWS);
  const int same = update->diffused[0] == update->in[0];
  if (g->solids && same) TRIAD_LAUNCH(blocks_of(g), threads, stream, momentum<1, 1>)(*g, *update);
  else if (g->solids) TRIAD_LAUNCH(blocks_of(g), threads, stream, momentum<1, 0>)(*g, *update);
  else if (same) TRIAD_LAUNCH(blocks_of(g), threads, stream, momentum<0, 1>)(*g, *update);
  else TRIAD_LAUNCH(blocks_of(g), threads, stream, momentum<0, 0>)(*g, *update);
  return launched("momentum");
}

/* ---- boundaries ---- */

static __global__ void __launch_bounds__(LANES *ROWS)
  fill(const mesh g, const triad_staggered_gpu_side s, int64_t points)
{
  const int axis = s.axis, a1 = axis == 0 ? 1 : 0, a2 = axis == 2 ? 1 : 2;
  const int64_t n = blockIdx.x * (int64_t)blockDim.x + threadIdx.x, n1 = g.local[a1] + 2 * g.halo[a1];
  if (n >= points) return;
  const int64_t inwards = s.upper ? -g.stride[axis] : g.stride[axis];
  const int64_t last = g.origin + (s.upper ? (g.local[axis] - 1) * g.stride[axis] : 0);
  const int64_t at = last + (n % n1 - g.halo[a1]) * g.stride[a1] + (n / n1 - g.halo[a2]) * g.stride[a2];
  const int64_t beyond = at - inwards;
#pragma unroll
  for (int a = 0; a < 3; a++)
    if (a != axis) s.u[a][beyond] = s.given ? 2 * s.velocity[a] - s.u[a][at] : s.u[a][at];
  triad_real *across = axis == 0 ? s.u[0] : axis == 1 ? s.u[1] : s.u[2];
  const triad_real through = axis == 0 ? s.velocity[0] : axis == 1 ? s.velocity[1] : s.velocity[2];
  if (s.closed) across[s.upper ? beyond : at] = g.sizes.open[at] & TRIAD_STAGGERED_SOLID ? TRIAD_R(0) : through;
  if (!s.upper) across[beyond] = 2 * across[at] - across[at + inwards];
}

extern "C" int triad_staggered_gpu_fill(const mesh *g, const triad_staggered_gpu_side *side, void *stream)
{
  const int a1 = side->axis == 0 ? 1 : 0, a2 = side->axis == 2 ? 1 : 2;
  const int64_t points = (g->local[a1] + 2 * g->halo[a1]) * (g->local[a2] + 2 * g->halo[a2]);
  const dim3 blocks(blocks_for(points, LANES * ROWS)), threads(LANES * ROWS);
  TRIAD_LAUNCH(blocks, threads, stream, fill)(*g, *side, points);
  return launched("a boundary");
}

/* ---- whole fields ---- */

static __global__ void __launch_bounds__(LANES *ROWS)
  combine(int64_t n, triad_real factor, const triad_real *x, const triad_real *y, triad_real *out)
{
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * x[i] + (y ? y[i] : TRIAD_R(0));
}

extern "C" int triad_staggered_gpu_combine(int64_t n, double factor, const triad_real *x, const triad_real *y,
                                           triad_real *out, void *stream)
{
  const dim3 blocks(blocks_for(n, LANES * ROWS)), threads(LANES * ROWS);
  TRIAD_LAUNCH(blocks, threads, stream, combine)(n, (triad_real)factor, x, y, out);
  return launched("a sum of fields");
}

/* ---- the pressure's source, and the projection ---- */

static __global__ void __launch_bounds__(LANES *ROWS)
  source(const mesh g, const triad_staggered_gpu_cells v, const three f, double per_dt, triad_real *b, sums results)
{
  int64_t c[3], at;
  double sum[2] = {0, 0};
  for (int there = own_cell(g, c, &at); there; there = next_cell(g, c, &at)) {
    const triad_staggered_sizes *s = &g.sizes;
    const triad_real *const u[3] = {f.u[0], f.u[1], f.u[2]};
    const double volume = (double)s->h[0][c[0]] * (double)s->h[1][c[1]] * (double)s->h[2][c[2]] * per_dt;
    const triad_real out = (triad_real)(-volume * (double)triad_staggered_divergence(s, u, at, c));
    double terms = 0;
#pragma unroll
    for (int i = 0; i < 3; i++) terms += fabs((double)(u[i][at] * s->per_h[i][c[i]]));
    b[v.origin + (int)c[0] + (int)c[1] * v.stride[1] + (int)c[2] * v.stride[2]] = out;
    if (!(s->open[at] & TRIAD_STAGGERED_SOLID)) sum[0] += (double)out;
    sum[1] += volume * volume * terms * terms;
  }
  add_up<2>(sum, results, TRIAD_STAGGERED_AFTER_SOURCE);
}

extern "C" int triad_staggered_gpu_source(const mesh *g, const triad_staggered_gpu_cells *c, triad_real *const u[3],
                                          double dt, triad_real *b, const sums *results, void *stream)
{
  const three f = {{u[0], u[1], u[2]}};
  const dim3 threads(LANES, ROWS);
  TRIAD_LAUNCH(few_blocks_of(g), threads, stream, source)(*g, *c, f, 1 / dt, b, *results);
  return launched("the pressure's source");
}

template <int A>
static __device__ __forceinline__ void project_one(const mesh &g, const three &f, const triad_real *p, triad_real dt,
                                                   int64_t at, const int64_t c[3])
{
  f.u[A][at] -= dt * triad_staggered_passes(A, &g.sizes, at) * triad_staggered_gradient(A, &g.sizes, p, at, c);
}

static __global__ void __launch_bounds__(LANES *ROWS)
  project(const mesh g, const three f, const triad_real *p, triad_real dt)
{
  int64_t c[3], at;
  if (!own_cell(g, c, &at)) return;
  project_one<0>(g, f, p, dt, at, c);
  project_one<1>(g, f, p, dt, at, c);
  project_one<2>(g, f, p, dt, at, c);
}

extern "C" int triad_staggered_gpu_project(const mesh *g, triad_real *const u[3], const triad_real *p, double dt,
                                           void *stream)
{
  const three f = {{u[0], u[1], u[2]}};
  const dim3 threads(LANES, ROWS);
  TRIAD_LAUNCH(blocks_of(g), threads, stream, project)(*g, f, p, (triad_real)dt);
  return launched("the projection");
}

/* ---- looks ---- */

static __global__ void __launch_bounds__(LANES *ROWS) look(const mesh g, const three f, sums results)
{
  int64_t c[3], at;
  double value[4] = {0, 0, 0, 0};
  for (int there = own_cell(g, c, &at); there; there = next_cell(g, c, &at)) {
    double rate = 0;
    int finite = 1;
#pragma unroll
    for (int a = 0; a < 3; a++) {
      const double here = (double)f.u[a][at], next = (double)f.u[a][at + g.sizes.step[a]];
      value[a] += triad_staggered_volume(&g.sizes, a, c) * here;
      if (g.sizes.step[a]) rate += (double)g.sizes.per_h[a][c[a]] * fmax(fabs(here), fabs(next));
      finite = finite && isfinite(here);
    }
    value[3] = fmax(value[3], finite ? rate : (double)INFINITY);
  }
  add_up<3, 1>(value, results, TRIAD_STAGGERED_AFTER_SUMS);
}

extern "C" int triad_staggered_gpu_look(const mesh *g, triad_real *const u[3], const sums *results, void *stream)
{
  const three f = {{u[0], u[1], u[2]}};
  const dim3 threads(LANES, ROWS);
  TRIAD_LAUNCH(few_blocks_of(g), threads, stream, look)(*g, f, *results);
  return launched("the time step limits of a state");
}

static __global__ void __launch_bounds__(LANES *ROWS) flow_rate(const mesh g, const three f, sums results)
{
  int64_t c[3], at;
  double value[6] = {0, 0, 0, 0, 0, 0};
  for (int there = own_cell(g, c, &at); there; there = next_cell(g, c, &at)) {
#pragma unroll
    for (int a = 0; a < 3; a++) {
      const double open = (double)triad_staggered_passes(a, &g.sizes, at) * triad_staggered_volume(&g.sizes, a, c);
      value[a] += open * (double)f.u[a][at];
      value[3 + a] += open;
    }
  }
  add_up<6>(value, results, TRIAD_STAGGERED_AFTER_SUMS);
}

extern "C" int triad_staggered_gpu_flow_rate(const mesh *g, triad_real *const u[3], const sums *results, void *stream)
{
  const three f = {{u[0], u[1], u[2]}};
  const dim3 threads(LANES, ROWS);
  TRIAD_LAUNCH(few_blocks_of(g), threads, stream, flow_rate)(*g, f, *results);
  return launched("the flow rate");
}

static __global__ void __launch_bounds__(LANES *ROWS)
  push(const mesh g, const three f, triad_real x, triad_real y, triad_real z)
{
  int64_t c[3], at;
  if (!own_cell(g, c, &at)) return;
  f.u[0][at] += triad_staggered_passes(0, &g.sizes, at) * x;
  f.u[1][at] += triad_staggered_passes(1, &g.sizes, at) * y;
  f.u[2][at] += triad_staggered_passes(2, &g.sizes, at) * z;
}

extern "C" int triad_staggered_gpu_push(const mesh *g, triad_real *const u[3], const double add[3], void *stream)
{
  const three f = {{u[0], u[1], u[2]}};
  const dim3 threads(LANES, ROWS);
  TRIAD_LAUNCH(blocks_of(g), threads, stream, push)(*g, f, (triad_real)add[0], (triad_real)add[1], (triad_real)add[2]);
  return launched("a push");
}
