/* What stands around the stages of flow on curvilinear blocks (solvers/multiblock/gpu_multiblock.h): boundaries, edges,
 * temperatures, the look at a state, sums. */
#include "solvers/multiblock/gpu_multiblock.h"

#include "solvers/multiblock/device_tiles.h"
#include "solvers/multiblock/implicit_points.h"

typedef triad_mb_gpu mesh;

enum { THREADS = TRIAD_MB_GPU_THREADS, FIELDS = TRIAD_MB_FIELDS };

struct five {
  triad_real *q[FIELDS];
};

static five five_of(triad_real *const q[FIELDS]) { return five{{q[0], q[1], q[2], q[3], q[4]}}; }

static __device__ __forceinline__ triad_mb_state state_at(const five &f, int at)
{
  return (triad_mb_state){f.q[0][at], f.q[1][at], f.q[2][at], f.q[3][at], f.q[4][at]};
}

static __device__ __forceinline__ void put_state(const five &f, int at, triad_mb_state q)
{
  f.q[0][at] = q.rho;
  f.q[1][at] = q.u;
  f.q[2][at] = q.v;
  f.q[3][at] = q.w;
  f.q[4][at] = q.p;
}

static __device__ __forceinline__ int number(void) { return (int)(blockIdx.x * blockDim.x + threadIdx.x); }

/* ---- boundaries ---- */

static __global__ void __launch_bounds__(THREADS) boundaries(const mesh g, const five f)
{
  const int i = number();
  if (i >= g.n_faces) return;
  const triad_mb_gpu_face face = g.face[i];
  triad_mb_side side = g.side[face.patch];
  const triad_mb_state near = state_at(f, face.cell), inner = state_at(f, face.inner),
                       next = g.order > 0 ? inner : near;
  const triad_mb_vector lower = area_at<EITHER>(g, face.step, face.axis, face.metric);
  const triad_real area[3] = {lower.x, lower.y, lower.z};
  const triad_real sign = face.upper ? TRIAD_R(1) : TRIAD_R(-1);
  triad_real s[3], n[3];
  if (side.kind == TRIAD_MB_EXACT) {
    side.given = g.exact[2 * (int64_t)i];
    side.beyond = g.exact[2 * (int64_t)i + 1];
  }
  triad_mb_outwards(area, face.upper, s, n);
  const triad_mb_state at = triad_mb_state_at(&side, near, next, n, g.gamma);
  const triad_mb_state halo = triad_mb_halo_of(&side, near, inner, at, n);
  put_state(f, face.halo, halo);
  put_state(f, face.halo + face.out, halo);
  const triad_mb_flux flux = triad_mb_boundary_flux(&side, g.riemann, near, next, at, s, g.gamma);
  g.face_flux[0][i] = sign * flux.mass;
  g.face_flux[1][i] = sign * flux.x;
  g.face_flux[2][i] = sign * flux.y;
  g.face_flux[3][i] = sign * flux.z;
  g.face_flux[4][i] = sign * flux.energy;
}

extern "C" int triad_mb_gpu_boundaries(const mesh *g, triad_real *const q[FIELDS], void *stream)
{
  if (g->n_faces == 0) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(g->n_faces, THREADS)), dim3(THREADS), stream, boundaries)(*g, five_of(q));
  return launched("boundaries of blocks");
}

static __global__ void __launch_bounds__(THREADS) edges(const int (*left)[4], int n, const five f)
{
  const int i = number();
  if (i >= n) return;
  const int *at = left[i];
#pragma unroll
  for (int m = 0; m < FIELDS; m++) {
    triad_real *q = f.q[m], edge = q[at[1]] + q[at[2]] - q[at[3]];
    q[at[0]] = m == 0 || m == 4 ? triad_mb_most(edge, TRIAD_R(0.1) * q[at[3]]) : edge;
  }
}

extern "C" int triad_mb_gpu_edges(const int (*left)[4], int n, triad_real *const q[FIELDS], void *stream)
{
  if (n == 0) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(n, THREADS)), dim3(THREADS), stream, edges)(left, n, five_of(q));
  return launched("edges of blocks");
}

static __global__ void __launch_bounds__(THREADS)
    temperatures(const mesh g, const triad_real *rho, const triad_real *p, const int *list, int n)
{
  const int i = number();
  if (i >= n) return;
  const int at = list ? list[i] : i;
  const triad_real t = p[at] * triad_mb_per(rho[at]) * g.per_r;
  g.temperature[at] = t;
  g.viscosity[at] = triad_mb_viscosity(t, g.mu, g.reference, g.power, g.sutherland);
}

extern "C" int triad_mb_gpu_temperatures(const mesh *g, triad_real *const q[FIELDS], const int *list, int n,
                                         void *stream)
{
  if (n == 0) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(n, THREADS)), dim3(THREADS), stream, temperatures)(*g, q[0], q[4], list, n);
  return launched("temperatures");
}

static __global__ void __launch_bounds__(THREADS) drags(const mesh g, const five f)
{
  const int i = number();
  if (i >= g.n_faces) return;
  const triad_mb_gpu_face face = g.face[i];
  const triad_mb_sight sight = {{f.q[1], f.q[2], f.q[3], g.temperature},
                                g.viscosity,
                                {{g.s[0][0], g.s[0][1], g.s[0][2]},
                                 {g.s[1][0], g.s[1][1], g.s[1][2]},
                                 {g.s[2][0], g.s[2][1], g.s[2][2]}},
                                g.volume,
                                g.conduction};
  const int64_t step[3] = {face.step[0], face.step[1], face.step[2]};
  const triad_mb_flux d = triad_mb_diffused(&sight, face.axis, face.flat, step, face.metric);
  g.face_drag[0][i] = d.x;
  g.face_drag[1][i] = d.y;
  g.face_drag[2][i] = d.z;
}

extern "C" int triad_mb_gpu_drags(const mesh *g, triad_real *const q[FIELDS], void *stream)
{
  if (g->n_faces == 0 || !g->viscosity) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(g->n_faces, THREADS)), dim3(THREADS), stream, drags)(*g, five_of(q));
  return launched("friction of blocks");
}

/* ---- tiles, cell by cell ---- */

/* This thread's cells, with its tile and block; n is 0 where it has none. */
struct own {
  triad_mb_gpu_block block;
  int tile, lane, at, step, n;
};

static __device__ __forceinline__ own own_cells(const mesh &g)
{
  own o;
  o.tile = tile_of_warp(g.begin[TRIAD_MB_GPU_COLUMNS], &o.lane);
  o.n = -1;
  if (o.tile >= g.begin[TRIAD_MB_GPU_KINDS]) return o;
  const triad_mb_gpu_tile tile = g.tile[o.tile];
  o.block = g.block[tile.block];
  const march m = o.tile < g.begin[TRIAD_MB_GPU_PLANES]  ? march_of<TRIAD_MB_GPU_COLUMNS>(o.block, tile, o.lane, g.node[0] != NULL)
                  : o.tile < g.begin[TRIAD_MB_GPU_SIDES] ? march_of<TRIAD_MB_GPU_PLANES>(o.block, tile, o.lane, 0)
                                                         : march_of<TRIAD_MB_GPU_SIDES>(o.block, tile, o.lane, 0);
  o.at = m.at;
  o.step = m.step;
  o.n = m.mine ? m.n : 0;
  return o;
}

static dim3 blocks_of_all(const mesh *g)
{
  return blocks_of_tiles(g->begin[TRIAD_MB_GPU_KINDS] - g->begin[TRIAD_MB_GPU_COLUMNS]);
}

static int is_empty(const mesh *g) { return g->begin[TRIAD_MB_GPU_KINDS] == 0; }

static __global__ void __launch_bounds__(THREADS) look(const mesh g, const five u, const five f)
{
  own o = own_cells(g);
  double most = 0;
  if (o.n < 0) return;
  for (int k = 0, at = o.at; k < o.n; k++, at += o.step) {
    const triad_mb_state c = state_at(u, at),
                         q = triad_mb_primitive((triad_mb_flux){c.rho, c.u, c.v, c.w, c.p}, g.gamma);
    put_state(f, at, q);
    if (!(q.rho > 0) || !(q.p > 0) || !(q.p < TRIAD_R(1e30))) *g.bad = 1;
    most = fmax(most, look_at<EITHER>(g, o.block, at, q));
  }
  leave_sums<1, 1>(g, &most, TRIAD_MB_GPU_RATE, o.tile, o.lane);
}

extern "C" int triad_mb_gpu_look(const mesh *g, triad_real *const u[FIELDS], triad_real *const q[FIELDS], void *stream)
{
  if (is_empty(g)) return TRIAD_OK;
  TRIAD_LAUNCH(blocks_of_all(g), dim3(THREADS), stream, look)(*g, five_of(u), five_of(q));
  return launched("a look at blocks");
}

static __global__ void __launch_bounds__(THREADS) totals(const mesh g, const triad_real *mass, const triad_real *energy,
                                                              const triad_real *pressure)
{
  own o = own_cells(g);
  double sum[3] = {0, 0, 0};
  if (o.n < 0) return;
  for (int k = 0, at = o.at; k < o.n; k++, at += o.step) {
    int limited = 0;
    for (int axis = 0; axis < 3; axis++)
      if (axis != o.block.flat) limited |= triad_mb_is_limited(g.limiter, pressure + at, o.block.stride[axis]);
    sum[2] += limited;
    sum[0] += (double)g.volume[at] * (double)energy[at];
    sum[1] += (double)g.volume[at] * (double)mass[at];
  }
  leave_sums<3, 0>(g, sum, TRIAD_MB_GPU_ENERGY, o.tile, o.lane);
}

extern "C" int triad_mb_gpu_totals(const mesh *g, triad_real *const u[FIELDS], const triad_real *pressure, void *stream)
{
  if (is_empty(g)) return TRIAD_OK;
  TRIAD_LAUNCH(blocks_of_all(g), dim3(THREADS), stream, totals)(*g, u[0], u[4], pressure);
  return launched("totals of blocks");
}

/* ---- implicit steps ---- */

typedef triad_mb_gpu_change job;

static __device__ __forceinline__ triad_mb_flux change_at(const triad_real *const d[FIELDS], int at)
{
  return (triad_mb_flux){d[0][at], d[1][at], d[2][at], d[3][at], d[4][at]};
}

static __global__ void __launch_bounds__(THREADS) difference(const mesh g, const five a, const five b, const five d)
{
  own o = own_cells(g);
  for (int k = 0, at = o.at; k < o.n; k++, at += o.step)
#pragma unroll
    for (int m = 0; m < FIELDS; m++) d.q[m][at] = b.q[m][at] - a.q[m][at];
}

extern "C" int triad_mb_gpu_difference(const mesh *g, triad_real *const a[FIELDS], triad_real *const b[FIELDS],
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
    const triad_mb_state q = {p.q[0][other], p.q[1][other], p.q[2][other], p.q[3][other], p.q[4][other]};
    const triad_real spread = g.viscosity ? g.diffusion * g.viscosity[other] / (q.rho * g.volume[other]) : zero;
    const triad_mb_flux f = triad_mb_pulled(q, change_at(p.d, other), s, g.gamma, spread);
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

extern "C" int triad_mb_gpu_relax(const mesh *g, const job *p, void *stream)
{
  TRIAD_LAUNCH(blocks_of_all(g), dim3(THREADS), stream, relax)(*g, *p);
  return launched("a sweep of blocks");
}

static __global__ void __launch_bounds__(THREADS) apply(const mesh g, const job p)
{
  own o = own_cells(g);
  for (int k = 0, at = o.at; k < o.n; k++, at += o.step) {
    const triad_mb_state q = {p.q[0][at], p.q[1][at], p.q[2][at], p.q[3][at], p.q[4][at]};
    const triad_mb_flux u = {p.to[0][at], p.to[1][at], p.to[2][at], p.to[3][at], p.to[4][at]};
    const triad_real part = triad_mb_taken(q, u, change_at(p.d, at), g.gamma);
#pragma unroll
    for (int m = 0; m < FIELDS; m++) p.to[m][at] += part * p.d[m][at];
  }
}

extern "C" int triad_mb_gpu_apply(const mesh *g, const job *p, void *stream)
{
  TRIAD_LAUNCH(blocks_of_all(g), dim3(THREADS), stream, apply)(*g, *p);
  return launched("changes of blocks");
}

/* ---- sums of tiles ---- */

enum { SUMMERS = 512 };

static __global__ void __launch_bounds__(SUMMERS) finish(const mesh g, int first)
{
  __shared__ double part[SUMMERS];
  const int which = first + (int)blockIdx.x, thread = (int)threadIdx.x, largest = which == TRIAD_MB_GPU_RATE;
  const int n = g.begin[TRIAD_MB_GPU_KINDS] - g.begin[TRIAD_MB_GPU_COLUMNS];
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

extern "C" int triad_mb_gpu_finish(const mesh *g, int first, int n, void *stream)
{
  TRIAD_LAUNCH(dim3((unsigned)n), dim3(SUMMERS), stream, finish)(*g, first);
  return launched("sums of blocks");
}
