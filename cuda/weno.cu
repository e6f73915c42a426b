/* The compressible solver on a GPU: one thread a point or a march of points, lanes along x.
 *
 * Along y and z a thread marches from row to row and keeps the upper edges of the row below and the flux through the face
 * below, so that each edge and each flux is made once. Along x the neighbours are other threads of the block. Viscous fluxes
 * are taken off at the faces. A sweep adds to the rates; the last one of a stage puts them to use instead of writing them. */
#include "solvers/weno/flux_points.h"
#include "solvers/weno/gpu_weno.h"
#include "solvers/weno/limit_points.h"
#include "solvers/weno/viscous_face_points.h"
#include "solvers/weno/weights_points.h"

#include <cuda_runtime.h>

#include <stdlib.h>

static int launched(const char *what)
{
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "launch of %s: %s", what, cudaGetErrorString(error));
}

static unsigned blocks_for(int64_t n, int64_t each) { return (unsigned)((n + each - 1) / each); }

/* ---- halos ---- */

/* Point number i of a layer across `axis`: place of its coordinate 0 there, over the whole extent of the other axes. */
static __device__ __forceinline__ int64_t layer_place(const triad_weno_gpu &g, int axis, int64_t i)
{
  int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
  int64_t na = g.local[a] + 2 * g.halo[a];
  return g.origin + (i % na - g.halo[a]) * g.stride[a] + (i / na - g.halo[b]) * g.stride[b];
}

static int64_t layer_points(const triad_weno_gpu *g, int axis)
{
  int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
  return (g->local[a] + 2 * g->halo[a]) * (g->local[b] + 2 * g->halo[b]);
}

static __global__ void wrap_kernel(triad_weno_gpu g, int axis, int64_t points)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= points * g.halo[axis]) return;
  /* along x the layers lie side by side: neighbouring threads take neighbouring points */
  int64_t depth = axis == 0 ? i % g.halo[0] : i / points, at = layer_place(g, axis, axis == 0 ? i / g.halo[0] : i % points);
  int64_t s = g.stride[axis], n = g.local[axis];
  triad_real *u = g.u[blockIdx.y];
  u[at - (depth + 1) * s] = u[at + (n - 1 - depth) * s];
  u[at + (n + depth) * s] = u[at + depth * s];
}

extern "C" int triad_weno_gpu_wrap(const triad_weno_gpu *g, int axis, void *stream)
{
  int64_t points = layer_points(g, axis);
  wrap_kernel<<<dim3(blocks_for(points * g->halo[axis], 256), 5), 256, 0, (cudaStream_t)stream>>>(*g, axis, points);
  return launched("periodic halos");
}

static __global__ void face_kernel(triad_weno_gpu g, triad_weno_rule r, int upper, int64_t points)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= points) return;
  int64_t s = g.stride[r.axis], last = layer_place(g, r.axis, i) + (upper ? (g.local[r.axis] - 1) * s : 0);
  if (upper) s = -s;
  for (int64_t depth = 1; depth <= g.halo[r.axis]; depth++) {
    triad_real mirror[5], end[5], out[5];
#pragma unroll
    for (int f = 0; f < 5; f++) {
      mirror[f] = g.u[f][last + (depth - 1) * s];
      end[f] = g.u[f][last];
    }
    triad_weno_beyond(&g.gas, &r, mirror, end, out);
#pragma unroll
    for (int f = 0; f < 5; f++) g.u[f][last - depth * s] = out[f];
  }
}

extern "C" int triad_weno_gpu_face(const triad_weno_gpu *g, const triad_weno_rule *rule, int upper, void *stream)
{
  int64_t points = layer_points(g, rule->axis);
  face_kernel<<<blocks_for(points, 128), 128, 0, (cudaStream_t)stream>>>(*g, *rule, upper, points);
  return launched("a boundary");
}

/* ---- primitives and the look at them ---- */

static __global__ void primitives_kernel(triad_weno_gpu g)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= g.volume) return;
  triad_weno_primitive q = triad_weno_primitives(&g.gas, g.u[0][i], g.u[1][i], g.u[2][i], g.u[3][i], g.u[4][i]);
  g.primitive[0][i] = q.u;
  g.primitive[1][i] = q.v;
  g.primitive[2][i] = q.w;
  g.primitive[3][i] = q.T;
  if (g.viscous) g.primitive[4][i] = triad_weno_viscosity(&g.gas, q.T);
}

extern "C" int triad_weno_gpu_primitives(const triad_weno_gpu *g, void *stream)
{
  primitives_kernel<<<blocks_for(g->volume, 256), 256, 0, (cudaStream_t)stream>>>(*g);
  return launched("primitives");
}

/* *worst = max(*worst, value) of the warp's values >= 0, whose bits order as integers do. */
static __device__ __forceinline__ void raise(double *worst, double value)
{
  for (int step = 16; step > 0; step /= 2) value = fmax(value, __shfl_xor_sync(0xffffffffu, value, step));
  if (threadIdx.x % 32 == 0 && value > 0)
    atomicMax((unsigned long long *)worst, (unsigned long long)__double_as_longlong(value));
}

static __global__ void look_kernel(triad_weno_gpu g, int64_t rows, double *worst)
{
  double fast = 0, thick = 0, bad = 0;
  for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    int64_t at = g.origin + row % g.local[1] * g.stride[1] + row / g.local[1] * g.stride[2];
    for (int64_t x = threadIdx.x; x < g.local[0]; x += blockDim.x) {
      triad_real rho = g.u[0][at + x];
      triad_weno_primitive q = {g.primitive[0][at + x], g.primitive[1][at + x], g.primitive[2][at + x],
                                g.primitive[3][at + x]};
      const triad_real v[3] = {q.u, q.v, q.w};
      triad_real c = TRIAD_SQRT(q.T);
#pragma unroll
      for (int i = 0; i < 3; i++)
        if (g.halo[i] > 0) fast = fmax(fast, (double)(g.per_spacing[i] * (TRIAD_ABS(v[i]) + c)));
      if (g.viscous) thick = fmax(thick, (double)(g.primitive[4][at + x] / rho));
      if (!triad_weno_is_gas(rho, q)) bad = 1;
    }
  }
  raise(worst, fast);
  raise(worst + 1, thick);
  raise(worst + 2, bad);
}

extern "C" int triad_weno_gpu_look(const triad_weno_gpu *g, double *worst, void *stream)
{
  int64_t rows = g->local[1] * g->local[2];
  cudaError_t error = cudaMemsetAsync(worst, 0, 3 * sizeof *worst, (cudaStream_t)stream);
  if (error != cudaSuccess) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "GPU: %s", cudaGetErrorString(error));
  look_kernel<<<(unsigned)(rows < 4096 ? rows : 4096), 128, 0, (cudaStream_t)stream>>>(*g, rows, worst);
  return launched("the look at a state");
}

/* ---- rates ---- */

enum { FIRST = 1, LAST = 2 }; /* a sweep sets the rates; puts them to use */

/* Threads of a block that marches, and at most of one along x. What registers allow: four blocks of the components' sweep, and three
 * of the characteristic one, on a multiprocessor at once were fastest on an H200. */
enum { LANES = 128, MOST = 192, BLOCKS_COMPONENTS = 4, BLOCKS_WAVES = 3 };

typedef struct sweep_args {
  triad_weno_gpu g;
  triad_weno_gpu_update p;
  int axis, flags;
  int field[5], velocity[3];
  int64_t step;     /* from point to point along the axis */
  triad_real ratio; /* of the limiter */
  triad_weno_steps viscous;
} sweep_args;

/* d is added to the rate of field f (its number in the state) at place i. */
static __device__ __forceinline__ void add_rate(const sweep_args &a, int f, int64_t i, triad_real d)
{
  triad_real rate = a.flags & FIRST ? d : a.g.rate[f][i] + d;
  if (!(a.flags & LAST)) {
    a.g.rate[f][i] = rate;
    return;
  }
  if (a.p.has_sum) a.p.sum[f][i] = a.p.from[f][i] + a.p.sum_part * rate;
  triad_real out = a.p.x_part * a.p.x[f][i] + a.p.rate_part * rate;
  if (a.p.has_y) out += a.p.y_part * a.p.y[f][i];
  a.p.out[f][i] = out;
}

static __device__ __forceinline__ triad_weno_cell cell_at(const sweep_args &a, int64_t i)
{
  triad_weno_cell c = {a.g.u[0][i], a.g.primitive[a.velocity[0]][i], a.g.primitive[a.velocity[1]][i],
                       a.g.primitive[a.velocity[2]][i], a.g.primitive[3][i]};
  return c;
}

static __device__ __forceinline__ triad_weno_five state_at(const sweep_args &a, int64_t i)
{
  triad_weno_five u = {a.g.u[0][i], a.g.u[a.field[1]][i], a.g.u[a.field[2]][i], a.g.u[a.field[3]][i], a.g.u[4][i]};
  return u;
}

static __device__ __forceinline__ triad_weno_five flux_at(const sweep_args &a, triad_weno_five u, int64_t i)
{
  return triad_weno_flux(&a.g.gas, u, a.g.primitive[a.velocity[0]][i], a.g.primitive[3][i]);
}

/* Edges of one cell a thread: U, then the flux. In shared memory, so that the loop over fields need not be unrolled: ten
 * reconstructions in a row would fill registers and the instruction cache. */
template <int N> struct edge_rows {
  triad_real q[10][N]; /* N threads */
};

/* Both edges of U and of the flux of the cell at place i. */
template <int W, int N>
static __device__ __forceinline__ void edges_at(const sweep_args &a, int64_t i, int t, edge_rows<N> &below,
                                                edge_rows<N> &above)
{
  triad_real un[5], p[5];
#pragma unroll
  for (int j = 0; j < 5; j++) {
    int64_t at = i + (j - 2) * a.step;
    un[j] = a.g.primitive[a.velocity[0]][at];
    p[j] = a.g.u[0][at] * a.g.primitive[3][at] * a.g.gas.per_gamma;
  }
#pragma unroll 1
  for (int k = 0; k < 5; k++) {
    const triad_real *field = a.g.u[a.field[k]] + i;
    triad_real u[5], f[5];
#pragma unroll
    for (int j = 0; j < 5; j++) u[j] = field[(j - 2) * a.step];
#pragma unroll
    for (int j = 0; j < 5; j++) f[j] = (u[j] + (k == 4 ? p[j] : 0)) * un[j] + (k == 1 ? p[j] : 0);
    triad_weno_edges(W, u[0], u[1], u[2], u[3], u[4], &below.q[k][t], &above.q[k][t]);
    triad_weno_edges(W, f[0], f[1], f[2], f[3], f[4], &below.q[5 + k][t], &above.q[5 + k][t]);
  }
}

static __device__ __forceinline__ triad_weno_five five_of(const triad_real *q)
{
  triad_weno_five v = {q[0], q[1], q[2], q[3], q[4]};
  return v;
}

/* Rows first .. first + 4 of thread t. */
template <int N>
static __device__ __forceinline__ triad_weno_five edge_of(const edge_rows<N> &e, int first, int t)
{
  triad_weno_five v = {e.q[first][t], e.q[first + 1][t], e.q[first + 2][t], e.q[first + 3][t], e.q[first + 4][t]};
  return v;
}

/* From the upper edges that thread tl has of the cell below the face and the lower ones that tr has of that above it. The
 * solver is the same for all threads: no warp takes two ways. */
template <int N>
static __device__ __forceinline__ triad_weno_five face_of(const sweep_args &a, triad_weno_cell x, triad_weno_cell y,
                                                          const edge_rows<N> &l, int tl, const edge_rows<N> &r, int tr)
{
  triad_weno_five ul = edge_of(l, 0, tl), ur = edge_of(r, 0, tr), fl = edge_of(l, 5, tl), fr = edge_of(r, 5, tr);
  if (a.g.riemann == TRIAD_WENO_ROE) return triad_weno_face(TRIAD_WENO_ROE, &a.g.gas, x, y, ul, ur, fl, fr);
  if (a.g.riemann == TRIAD_WENO_LLF) return triad_weno_face(TRIAD_WENO_LLF, &a.g.gas, x, y, ul, ur, fl, fr);
  return triad_weno_face(TRIAD_WENO_RUSANOV, &a.g.gas, x, y, ul, ur, fl, fr);
}

/* The flux through the face below place i, reconstructed as strengths of waves. */
template <int W>
static __device__ __forceinline__ triad_weno_five waves_face(const sweep_args &a, triad_weno_cell x, triad_weno_cell y,
                                                             int64_t i)
{
  triad_weno_average m = triad_weno_roe(&a.g.gas, x, y);
  triad_real l[2][5], r[2][5];
#pragma unroll
  for (int part = 0; part < 2; part++) {
    triad_real q[6][5];
#pragma unroll
    for (int j = 0; j < 6; j++) {
      int64_t at = i + (j - 3) * a.step;
      triad_weno_five u = state_at(a, at), v = triad_weno_to_waves(&a.g.gas, m, part ? flux_at(a, u, at) : u);
      q[j][0] = v.r;
      q[j][1] = v.n;
      q[j][2] = v.s;
      q[j][3] = v.t;
      q[j][4] = v.e;
    }
#pragma unroll
    for (int k = 0; k < 5; k++) {
      l[part][k] = triad_weno_edge(W, q[0][k], q[1][k], q[2][k], q[3][k], q[4][k]);
      r[part][k] = triad_weno_edge(W, q[5][k], q[4][k], q[3][k], q[2][k], q[1][k]);
    }
  }
  triad_weno_five ul = five_of(l[0]), ur = five_of(r[0]), fl = five_of(l[1]), fr = five_of(r[1]);
  if (a.g.riemann == TRIAD_WENO_ROE)
    return triad_weno_face_of_waves(TRIAD_WENO_ROE, &a.g.gas, m, x, y, ul, ur, fl, fr);
  if (a.g.riemann == TRIAD_WENO_LLF)
    return triad_weno_face_of_waves(TRIAD_WENO_LLF, &a.g.gas, m, x, y, ul, ur, fl, fr);
  return triad_weno_face_of_waves(TRIAD_WENO_RUSANOV, &a.g.gas, m, x, y, ul, ur, fl, fr);
}

/* The central flux through the face below place i. */
static __device__ __forceinline__ triad_weno_five central_face(const sweep_args &a, int64_t i)
{
  return triad_weno_central(&a.g.gas, cell_at(a, i - 4 * a.step), cell_at(a, i - 3 * a.step), cell_at(a, i - 2 * a.step),
                            cell_at(a, i - a.step), cell_at(a, i), cell_at(a, i + a.step), cell_at(a, i + 2 * a.step),
                            cell_at(a, i + 3 * a.step));
}

static __device__ __forceinline__ triad_weno_five limited(const sweep_args &a, triad_weno_cell x, triad_weno_cell y,
                                                          int64_t i, triad_weno_five f)
{
  if (!a.g.positivity) return f;
  triad_weno_five ux = state_at(a, i - a.step), uy = state_at(a, i);
  return triad_weno_limited(&a.g.gas, a.ratio, x, y, ux, uy, flux_at(a, ux, i - a.step), flux_at(a, uy, i), f);
}

static __device__ __forceinline__ void add_face_difference(const sweep_args &a, int64_t i, triad_weno_five lower,
                                                           triad_weno_five upper)
{
  triad_real per = a.g.per_spacing[a.axis];
  add_rate(a, 0, i, per * (lower.r - upper.r));
  add_rate(a, a.field[1], i, per * (lower.n - upper.n));
  add_rate(a, a.field[2], i, per * (lower.s - upper.s));
  add_rate(a, a.field[3], i, per * (lower.t - upper.t));
  add_rate(a, 4, i, per * (lower.e - upper.e));
}

/* ---- viscous terms ---- */

static __device__ __forceinline__ triad_weno_stress stress_at(const sweep_args &a, int64_t i)
{
  return triad_weno_stress_at(&a.g.gas, a.viscous, a.g.primitive[a.velocity[0]] + i, a.g.primitive[a.velocity[1]] + i,
                              a.g.primitive[a.velocity[2]] + i, a.g.primitive[3] + i, a.g.primitive[4] + i);
}

static __device__ __forceinline__ triad_weno_stress stress_at_face(const sweep_args &a, int64_t i)
{
  return triad_weno_stress_at_face(&a.g.gas, a.viscous, a.g.primitive[a.velocity[0]] + i,
                                   a.g.primitive[a.velocity[1]] + i, a.g.primitive[a.velocity[2]] + i,
                                   a.g.primitive[3] + i, a.g.primitive[4] + i);
}

/* f less (-s_{-1} + 26 s_0 - s_1)/24 of the faces below, at and above: differences of that are (27, -1)/24 of s. */
static __device__ __forceinline__ triad_weno_five less_face_stress(triad_weno_five f, triad_weno_stress below,
                                                                   triad_weno_stress at, triad_weno_stress above)
{
  const triad_real part = TRIAD_R(1.0 / 24);
  f.n -= part * (26 * at.n - (below.n + above.n));
  f.s -= part * (26 * at.s - (below.s + above.s));
  f.t -= part * (26 * at.t - (below.t + above.t));
  f.e -= part * (26 * at.e - (below.e + above.e));
  return f;
}

/* f less the flux (-s_{-2} + 7 s_{-1} + 7 s_0 - s_1)/12 through the face between points -1 and 0: differences of that are
 * the difference of order four of s. */
static __device__ __forceinline__ triad_weno_five less_stress(triad_weno_five f, triad_weno_stress a, triad_weno_stress b,
                                                              triad_weno_stress c, triad_weno_stress d)
{
  const triad_real part = TRIAD_R(1.0 / 12);
  f.n -= part * (7 * (b.n + c.n) - (a.n + d.n));
  f.s -= part * (7 * (b.s + c.s) - (a.s + d.s));
  f.t -= part * (7 * (b.t + c.t) - (a.t + d.t));
  f.e -= part * (7 * (b.e + c.e) - (a.e + d.e));
  return f;
}

/* ---- sweeps ---- */

/* Along y or z: thread x of row blockIdx.y of the other axis marches over the points of segment blockIdx.z. */
template <int W, int V>
static __global__ void __launch_bounds__(LANES, V == TRIAD_WENO_COMPONENTS ? BLOCKS_COMPONENTS : BLOCKS_WAVES)
    march_kernel(sweep_args a, int64_t segment)
{
  __shared__ edge_rows<LANES> edge[V == TRIAD_WENO_COMPONENTS ? 3 : 1];
  int t = threadIdx.x, now = 1;
  int64_t x = blockIdx.x * (int64_t)LANES + t, first = blockIdx.z * segment, n = a.g.local[a.axis];
  if (x >= a.g.local[0]) return;
  int64_t end = first + segment < n ? first + segment : n;
  int64_t i = a.g.origin + x + blockIdx.y * a.g.stride[3 - a.axis] + (first - 1) * a.step;
  triad_weno_five lower = {0, 0, 0, 0, 0}, upper;
  triad_weno_stress s0, s1, s2, s3;
  triad_weno_cell here, before = cell_at(a, i);
  if (V == TRIAD_WENO_COMPONENTS) edges_at<W>(a, i, t, edge[2], edge[0]);
  if (a.g.viscous) {
    s1 = stress_at(a, i - a.step);
    s2 = stress_at(a, i);
    s3 = stress_at(a, i + a.step);
  }
#pragma unroll 1
  for (int64_t j = first; j <= end; j++) {
    i += a.step;
    here = cell_at(a, i);
    if (V == TRIAD_WENO_COMPONENTS) {
      edges_at<W>(a, i, t, edge[2], edge[now]);
      upper = face_of(a, before, here, edge[!now], t, edge[2], t);
      now = !now;
    } else {
      upper = waves_face<W>(a, before, here, i);
    }
    upper = limited(a, before, here, i, upper);
    if (a.g.viscous) {
      s0 = s1;
      s1 = s2;
      s2 = s3;
      s3 = stress_at(a, i + a.step);
      upper = less_stress(upper, s0, s1, s2, s3);
    }
    if (j > first) add_face_difference(a, i - a.step, lower, upper);
    lower = upper;
    before = here;
  }
}

/* Along x: the block's threads stand for neighbouring cells, of which `margin` at either end only lend their edges and
 * stresses. */
template <int W, int V> static __global__ void __launch_bounds__(MOST) x_kernel(sweep_args a, int margin)
{
  __shared__ edge_rows<MOST> edge[V == TRIAD_WENO_COMPONENTS ? 2 : 1];
  __shared__ triad_real flux[5][MOST], stress[4][MOST];
  int t = threadIdx.x, threads = blockDim.x;
  int64_t c = blockIdx.x * (int64_t)(threads - 2 * margin) + t - margin, n = a.g.local[0];
  int64_t i = a.g.origin + c + blockIdx.y * a.g.stride[1] + blockIdx.z * a.g.stride[2];
  if (V == TRIAD_WENO_COMPONENTS && c >= -1 && c <= n) edges_at<W>(a, i, t, edge[0], edge[1]);
  if (a.g.viscous && c <= n + 1) {
    triad_weno_stress s = stress_at(a, i);
    stress[0][t] = s.n;
    stress[1][t] = s.s;
    stress[2][t] = s.t;
    stress[3][t] = s.e;
  }
  __syncthreads();
  if (t >= margin && t <= threads - margin && c <= n) {
    triad_weno_cell x = cell_at(a, i - 1), y = cell_at(a, i);
    triad_weno_five f;
    if (V == TRIAD_WENO_COMPONENTS)
      f = face_of(a, x, y, edge[1], t - 1, edge[0], t);
    else
      f = waves_face<W>(a, x, y, i);
    f = limited(a, x, y, i, f);
    if (a.g.viscous) {
      triad_weno_stress s[4];
#pragma unroll
      for (int j = 0; j < 4; j++) {
        s[j].n = stress[0][t + j - 2];
        s[j].s = stress[1][t + j - 2];
        s[j].t = stress[2][t + j - 2];
        s[j].e = stress[3][t + j - 2];
      }
      f = less_stress(f, s[0], s[1], s[2], s[3]);
    }
    flux[0][t] = f.r;
    flux[1][t] = f.n;
    flux[2][t] = f.s;
    flux[3][t] = f.t;
    flux[4][t] = f.e;
  }
  __syncthreads();
  if (t < margin || t >= threads - margin || c >= n) return;
  triad_weno_five lower = {flux[0][t], flux[1][t], flux[2][t], flux[3][t], flux[4][t]};
  triad_weno_five upper = {flux[0][t + 1], flux[1][t + 1], flux[2][t + 1], flux[3][t + 1], flux[4][t + 1]};
  add_face_difference(a, i, lower, upper);
}

/* Central fluxes, along y or z, as march_kernel. */
static __global__ void __launch_bounds__(LANES) central_march_kernel(sweep_args a, int64_t segment)
{
  int64_t x = blockIdx.x * (int64_t)LANES + threadIdx.x, first = blockIdx.z * segment, n = a.g.local[a.axis];
  if (x >= a.g.local[0]) return;
  int64_t end = first + segment < n ? first + segment : n;
  int64_t i = a.g.origin + x + blockIdx.y * a.g.stride[3 - a.axis] + first * a.step;
  triad_weno_five lower = {0, 0, 0, 0, 0}, upper;
  triad_weno_stress s0, s1, s2;
  if (a.g.viscous) {
    s1 = stress_at_face(a, i - a.step);
    s2 = stress_at_face(a, i);
  }
#pragma unroll 1
  for (int64_t j = first; j <= end; j++, i += a.step) {
    upper = central_face(a, i);
    if (a.g.viscous) {
      s0 = s1;
      s1 = s2;
      s2 = stress_at_face(a, i + a.step);
      upper = less_face_stress(upper, s0, s1, s2);
    }
    if (j > first) add_face_difference(a, i - a.step, lower, upper);
    lower = upper;
  }
}

/* The same along x, as x_kernel. */
static __global__ void __launch_bounds__(MOST) central_x_kernel(sweep_args a, int margin)
{
  __shared__ triad_real flux[5][MOST], stress[4][MOST];
  int t = threadIdx.x, threads = blockDim.x;
  int64_t c = blockIdx.x * (int64_t)(threads - 2 * margin) + t - margin, n = a.g.local[0];
  int64_t i = a.g.origin + c + blockIdx.y * a.g.stride[1] + blockIdx.z * a.g.stride[2];
  if (a.g.viscous && c >= -1 && c <= n + 1) {
    triad_weno_stress s = stress_at_face(a, i);
    stress[0][t] = s.n;
    stress[1][t] = s.s;
    stress[2][t] = s.t;
    stress[3][t] = s.e;
  }
  __syncthreads();
  if (t >= margin && t <= threads - margin && c <= n) {
    triad_weno_five f = central_face(a, i);
    if (a.g.viscous) {
      triad_weno_stress s[3];
#pragma unroll
      for (int j = 0; j < 3; j++) {
        s[j].n = stress[0][t + j - 1];
        s[j].s = stress[1][t + j - 1];
        s[j].t = stress[2][t + j - 1];
        s[j].e = stress[3][t + j - 1];
      }
      f = less_face_stress(f, s[0], s[1], s[2]);
    }
    flux[0][t] = f.r;
    flux[1][t] = f.n;
    flux[2][t] = f.s;
    flux[3][t] = f.t;
    flux[4][t] = f.e;
  }
  __syncthreads();
  if (t < margin || t >= threads - margin || c >= n) return;
  triad_weno_five lower = {flux[0][t], flux[1][t], flux[2][t], flux[3][t], flux[4][t]};
  triad_weno_five upper = {flux[0][t + 1], flux[1][t + 1], flux[2][t + 1], flux[3][t + 1], flux[4][t + 1]};
  add_face_difference(a, i, lower, upper);
}

/* ---- launches ---- */

/* Points of a march: long, so that little is done twice at its ends, but with enough threads to fill the GPU. */
static int64_t segment_of(const triad_weno_gpu *g, int axis)
{
  int64_t n = g->local[axis], segment = n, rows = g->local[0] * g->local[3 - axis];
  while (segment > 8 && rows * ((n + segment - 1) / segment) < 400000) segment = (segment + 1) / 2;
  return segment;
}

/* Threads of a block along x: whole warps, as few of them idle as can be. */
static int x_threads(int64_t n, int margin)
{
  int best = MOST;
  for (int threads = MOST; threads >= 64; threads -= 32)
    if (blocks_for(n, threads - 2 * margin) * (int64_t)threads < blocks_for(n, best - 2 * margin) * (int64_t)best)
      best = threads;
  return best;
}

template <int W, int V> static int sweep(const sweep_args *a, cudaStream_t stream)
{
  const triad_weno_gpu *g = &a->g;
  if (a->axis == 0) {
    int margin = g->viscous ? 2 : 1, threads = x_threads(g->local[0], margin);
    dim3 blocks(blocks_for(g->local[0], threads - 2 * margin), (unsigned)g->local[1], (unsigned)g->local[2]);
    x_kernel<W, V><<<blocks, threads, 0, stream>>>(*a, margin);
  } else {
    int64_t segment = segment_of(g, a->axis);
    dim3 blocks(blocks_for(g->local[0], LANES), (unsigned)g->local[3 - a->axis], blocks_for(g->local[a->axis], segment));
    march_kernel<W, V><<<blocks, LANES, 0, stream>>>(*a, segment);
  }
  return launched("a sweep");
}

template <int W> static int sweep_of(const sweep_args *a, cudaStream_t stream)
{
  return a->g.variables == TRIAD_WENO_COMPONENTS ? sweep<W, TRIAD_WENO_COMPONENTS>(a, stream)
                                                 : sweep<W, TRIAD_WENO_CHARACTERISTIC>(a, stream);
}

static int central_sweep(const sweep_args *a, cudaStream_t stream)
{
  const triad_weno_gpu *g = &a->g;
  if (a->axis == 0) {
    const int margin = 2;
    int threads = x_threads(g->local[0], margin);
    dim3 blocks(blocks_for(g->local[0], threads - 2 * margin), (unsigned)g->local[1], (unsigned)g->local[2]);
    central_x_kernel<<<blocks, threads, 0, stream>>>(*a, margin);
  } else {
    int64_t segment = segment_of(g, a->axis);
    dim3 blocks(blocks_for(g->local[0], LANES), (unsigned)g->local[3 - a->axis], blocks_for(g->local[a->axis], segment));
    central_march_kernel<<<blocks, LANES, 0, stream>>>(*a, segment);
  }
  return launched("a sweep");
}

static int sweep_along(const sweep_args *a, cudaStream_t stream)
{
  if (a->g.form == TRIAD_WENO_CENTRAL) return central_sweep(a, stream);
  switch (a->g.weights) {
  case TRIAD_WENO_JS: return sweep_of<TRIAD_WENO_JS>(a, stream);
  case TRIAD_WENO_M: return sweep_of<TRIAD_WENO_M>(a, stream);
  case TRIAD_WENO_Z: return sweep_of<TRIAD_WENO_Z>(a, stream);
  case TRIAD_WENO_TENO: return sweep_of<TRIAD_WENO_TENO>(a, stream);
  default: return sweep_of<TRIAD_WENO_LINEAR>(a, stream);
  }
}

/* The order of flux_points.h for faces across `axis`, as solvers/weno/tile.h has it. */
static sweep_args args_of(const triad_weno_gpu *g, const triad_weno_gpu_update *p, int axis, int axes)
{
  sweep_args a;
  a.g = *g;
  a.p = *p;
  a.axis = axis;
  a.flags = 0;
  for (int i = 0; i < 3; i++) a.velocity[i] = (axis + i) % 3;
  a.field[0] = 0;
  for (int i = 0; i < 3; i++) a.field[1 + i] = 1 + a.velocity[i];
  a.field[4] = 4;
  a.step = g->stride[axis];
  a.ratio = 2 * (triad_real)axes * p->dt * g->per_spacing[axis];
  int64_t step[3];
  triad_real per[3];
  for (int i = 0; i < 3; i++) {
    int v = a.velocity[i];
    step[i] = g->halo[v] > 0 ? g->stride[v] : 0;
    per[i] = g->per_spacing[v] / (g->form == TRIAD_WENO_CENTRAL ? 1 : 12);
  }
  a.viscous = triad_weno_steps{step[0], step[1], step[2], per[0], per[1], per[2]};
  return a;
}

extern "C" int triad_weno_gpu_rates(const triad_weno_gpu *g, const triad_weno_gpu_update *update, void *stream)
{
  int axes = 0, done = 0;
  for (int i = 0; i < 3; i++) axes += g->halo[i] > 0;
  for (int i = 0; i < 3; i++) {
    if (g->halo[i] == 0) continue;
    sweep_args a = args_of(g, update, i, axes);
    a.flags = (done == 0 ? FIRST : 0) | (done == axes - 1 ? LAST : 0);
    TRIAD_TRY(sweep_along(&a, (cudaStream_t)stream));
    done++;
  }
  return TRIAD_OK;
}
