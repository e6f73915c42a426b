/* Particles on a GPU (solvers/spectral/particles/gpu_motion.h): sorting by tiles, interpolation
 * (solvers/spectral/particles/device_sums.h), motion. The result for a particle depends only on its position, not on
 * the order or number of particles. */
#include "fft/gpu/device_lines.h"
#include "parallel/device_launch.h"
#include "solvers/particles/device_order.h"
#include "solvers/spectral/particles/device_sums.h"

enum { THREADS = 256, MOST_BLOCKS = 4096 };

/* ---- order ---- */

static __device__ __forceinline__ int64_t cell_of(const triad_gpu_tiles &t, int axis, double x)
{
  double part;
  return triad_particle_cell(x, t.per_spacing[axis], t.points[axis], &part);
}

/* The tile of number i; -1: it has left. */
struct tile_of {
  triad_gpu_tiles t;
  triad_gpu_group g;
  __device__ __forceinline__ int operator()(int64_t i) const
  {
    if (g.id[i] < 0) return -1;
    return (int)(triad_gpu_slab_of(&t, cell_of(t, 2, g.x[2][i]) - t.first) * t.n +
                 cell_of(t, 1, g.x[1][i]) / TRIAD_TILE * t.across + cell_of(t, 0, g.x[0][i]) / TRIAD_TILE);
  }
};

extern "C" int64_t triad_gpu_sort_room(const triad_gpu_tiles *t) { return order_room(t->slabs * t->n); }

extern "C" int triad_gpu_particles_sort(const triad_gpu_tiles *t, const triad_gpu_group *g, int32_t *scratch,
                                        void *stream)
{
  const tile_of tile = {*t, *g};
  return order_by_tiles(tile, g->n, t->slabs * t->n, g->end, g->place, g->order, scratch, stream);
}

template <class T> static __global__ void permute(int64_t n, const int32_t *order, const T *from, T *to)
{
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[order[i]];
}

static __global__ void count_up(int64_t n, int32_t *order)
{
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < n) order[i] = (int32_t)i;
}

extern "C" int triad_gpu_particles_permute(int64_t n, const int32_t *order, const double *from, double *to,
                                           void *stream)
{
  TRIAD_LAUNCH(dim3(blocks_for(n, THREADS)), dim3(THREADS), stream, permute<double>)(n, order, from, to);
  return launched("particles into order");
}

extern "C" int triad_gpu_particles_permute_ids(int64_t n, const int32_t *order, const int32_t *from, int32_t *to,
                                               void *stream)
{
  TRIAD_LAUNCH(dim3(blocks_for(n, THREADS)), dim3(THREADS), stream, permute<int32_t>)(n, order, from, to);
  return launched("particles into order");
}

extern "C" int triad_gpu_particles_count_up(int64_t n, int32_t *order, void *stream)
{
  TRIAD_LAUNCH(dim3(blocks_for(n, THREADS)), dim3(THREADS), stream, count_up)(n, order);
  return launched("particles in order");
}

/* ---- from rank to rank ---- */

static __global__ void leave(triad_gpu_tiles t, triad_gpu_group g, double *rows, int32_t *count)
{
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= g.n || g.id[i] < 0) return;
  const int64_t plane = cell_of(t, 2, g.x[2][i]) - t.first;
  if (plane >= 0 && plane < t.planes) return;
  const int64_t at = atomicAdd(count, 1);
  if (!rows) return;
  double *row = rows + at * TRIAD_TRAVEL_WIDTH;
  row[0] = g.id[i];
  for (int a = 0; a < 3; a++) {
    row[1 + a] = g.x[a][i];
    row[4 + a] = g.xq[a][i];
    row[7 + a] = g.v[a] ? g.v[a][i] : 0;
    row[10 + a] = g.v[a] ? g.vq[a][i] : 0;
    row[13 + a] = g.v[a] ? g.rest[a][i] : 0;
  }
  g.id[i] = -1;
}

static __global__ void arrive(triad_gpu_group g, int64_t first, int64_t n, const double *rows)
{
  const int64_t k = blockIdx.x * (int64_t)blockDim.x + threadIdx.x, i = first + k;
  if (k >= n) return;
  const double *row = rows + k * TRIAD_TRAVEL_WIDTH;
  g.id[i] = (int32_t)row[0];
  for (int a = 0; a < 3; a++) {
    g.x[a][i] = row[1 + a];
    g.xq[a][i] = row[4 + a];
    if (!g.v[a]) continue;
    g.v[a][i] = row[7 + a];
    g.vq[a][i] = row[10 + a];
    g.rest[a][i] = row[13 + a];
  }
}

extern "C" int triad_gpu_particles_leave(const triad_gpu_tiles *t, const triad_gpu_group *g, double *rows,
                                         int32_t *count, void *stream)
{
  TRIAD_LAUNCH(dim3(blocks_for(g->n, THREADS)), dim3(THREADS), stream, leave)(*t, *g, rows, count);
  return launched("particles that leave");
}

extern "C" int triad_gpu_particles_arrive(const triad_gpu_group *g, int64_t first, int64_t n, const double *rows,
                                          void *stream)
{
  TRIAD_LAUNCH(dim3(blocks_for(n, THREADS)), dim3(THREADS), stream, arrive)(*g, first, n, rows);
  return launched("particles that arrive");
}

/* ---- sums ---- */

/* Component a of what has come to number i. In a frame that turns all three come aside first, and `turned` is what
 * they make of it. */
static __device__ __forceinline__ void store_component(const triad_gpu_group &g, const triad_gpu_arrival &arrival,
                                                       int a, int64_t i, double u, double turned = 0)
{
  double none[3];
  double *to = a == 0 ? arrival.to[0] : a == 1 ? arrival.to[1] : arrival.to[2];
  if (to) {
    if (arrival.times) u *= arrival.times[i];
    to[i] = arrival.adds ? to[i] + u : u;
    return;
  }
  double *x = a == 0 ? g.x[0] : a == 1 ? g.x[1] : g.x[2], *xq = a == 0 ? g.xq[0] : a == 1 ? g.xq[1] : g.xq[2];
  double *v = a == 0 ? g.v[0] : a == 1 ? g.v[1] : g.v[2], *vq = a == 0 ? g.vq[0] : a == 1 ? g.vq[1] : g.vq[2];
  double *rest = a == 0 ? g.rest[0] : a == 1 ? g.rest[1] : g.rest[2];
  const double *acceleration = a == 0 ? g.aside[0] : a == 1 ? g.aside[1] : g.aside[2];
  triad_particle_move(&arrival.stage, a, u, arrival.stage.mass > 0 ? acceleration[i] : 0, turned, x + i, xq + i,
                      v ? v + i : none, v ? vq + i : none + 1, v ? rest + i : none + 2);
}

/* What has come to a batch; i: the number of this thread's particle. */
template <int M>
static __device__ __forceinline__ void settle_batch(const triad_gpu_group &g, const triad_gpu_arrival &arrival,
                                                    int64_t i, const sum_batch<M> *b)
{
  const int axis = threadIdx.x / SUM_BATCH;
  if (i >= 0 && axis < arrival.fields) store_component(g, arrival, axis, i, b->sum[axis][threadIdx.x % SUM_BATCH]);
}

static __device__ __forceinline__ int at_once(int64_t left) { return left < SUM_BATCH ? (int)left : SUM_BATCH; }

/* Interpolate from points in memory, for the particles of slabs begin .. end - 1. */
template <int M, bool SPLINES>
static __global__ void __launch_bounds__(SUM_THREADS)
  sums(const __grid_constant__ triad_gpu_tiles t, const __grid_constant__ triad_gpu_group g,
       const __grid_constant__ triad_gpu_planes p, int64_t begin, int64_t end,
       const __grid_constant__ triad_gpu_arrival arrival)
{
  __shared__ sum_batch<M> batch;
  const int64_t first = begin > 0 ? g.end[begin * t.n - 1] : 0, last = g.end[end * t.n - 1];
  for (int64_t at = first + blockIdx.x * (int64_t)SUM_BATCH; at < last; at += gridDim.x * (int64_t)SUM_BATCH) {
    const int n = at_once(last - at);
    const int64_t i = weigh_batch<M, SPLINES>(t, g, g.order + at, n, &batch);
    __syncthreads();
    sum_particles<M>([&](const int *cell, int lane, int above) { return points_of_planes<M>(t, p, cell, lane, above); },
                     n, &batch);
    __syncthreads();
    settle_batch<M>(g, arrival, i, &batch);
  }
}

/* From bricks, a block each. Those above one another follow one another, so that what they share is in cache. */
template <int M, bool SPLINES>
static __global__ void __launch_bounds__(SUM_THREADS)
  sums_of_bricks(const __grid_constant__ triad_gpu_tiles t, const __grid_constant__ triad_gpu_group g,
                 const __grid_constant__ triad_gpu_planes p, int begin, int slabs,
                 const __grid_constant__ triad_gpu_arrival arrival)
{
  TRIAD_SHARED(memory);
  __shared__ int origin[3];
  sum_batch<M> *batch = (sum_batch<M> *)memory;
  triad_real *brick = (triad_real *)(memory + sizeof *batch);
  const int slab = begin + blockIdx.x % slabs, flat = blockIdx.x / slabs, z = (int)triad_gpu_slab_begin(&t, slab);
  const int64_t tile = slab * t.n + flat, first = tile > 0 ? g.end[tile - 1] : 0, last = g.end[tile];
  if (first >= last) return;
  const int x = flat % (int)t.across * TRIAD_TILE, y = flat / (int)t.across * TRIAD_TILE;
  if (threadIdx.x == 0) {
    origin[0] = x;
    origin[1] = y;
    origin[2] = (int)t.first + z;
  }
  const int deep = (int)triad_gpu_slab_begin(&t, slab + 1) - z + M - 1;
  bring_brick<M>(t, p, x - (M / 2 - 1), y - (M / 2 - 1), z - (M / 2 - 1), deep, arrival.fields, brick);
  for (int64_t at = first; at < last; at += SUM_BATCH) {
    const int n = at_once(last - at);
    const int64_t i = weigh_batch<M, SPLINES>(t, g, g.order + at, n, batch);
    __pipeline_wait_prior(0);
    __syncthreads();
    sum_particles<M>(
      [&](const int *cell, int lane, int above) { return points_of_brick<M>(brick, origin, cell, lane, above); }, n,
      batch);
    __syncthreads();
    settle_batch<M>(g, arrival, i, batch);
  }
}

/* Old GPUs have no room for a brick of high order. */
static bool has_room(size_t bytes)
{
  int device = 0, most = 0;
  return cudaGetDevice(&device) == cudaSuccess &&
         cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) == cudaSuccess &&
         bytes <= (size_t)most;
}

template <int M, bool SPLINES>
static int sum_order(const triad_gpu_tiles *t, const triad_gpu_group *g, const triad_gpu_planes *p, int64_t begin,
                     int64_t end, const triad_gpu_arrival *arrival, void *stream)
{
  typedef sum_shape<M> S;
  const int64_t slabs = end - begin, tiles = slabs * t->n,
                planes = triad_gpu_slab_begin(t, end) - triad_gpu_slab_begin(t, begin);
  const double in_tile = (double)g->n * (double)planes / ((double)t->planes * (double)tiles);
  const size_t bytes = sizeof(sum_batch<M>) + 3 * S::FIELD * sizeof(triad_real);
  if (in_tile * (M * M * M) > TRIAD_BRICK_GAIN * (double)(S::SIDE * S::SIDE * S::DEEP) && has_room(bytes)) {
    TRIAD_TRY(allow_shared(sums_of_bricks<M, SPLINES>, bytes));
    TRIAD_LAUNCH_SHARED(dim3((unsigned)tiles), dim3(SUM_THREADS), bytes, stream, sums_of_bricks<M, SPLINES>)
    (*t, *g, *p, (int)begin, (int)slabs, *arrival);
  } else {
    const unsigned all = blocks_for(g->n, SUM_BATCH), most = MOST_BLOCKS;
    TRIAD_LAUNCH(dim3(all < most ? all : most), dim3(SUM_THREADS), stream, sums<M, SPLINES>)
    (*t, *g, *p, begin, end, *arrival);
  }
  return launched("sums at particles");
}

extern "C" int triad_gpu_particles_sum(const triad_gpu_tiles *t, const triad_gpu_group *g, const triad_gpu_planes *p,
                                       int order, int splines, int64_t begin, int64_t end,
                                       const triad_gpu_arrival *arrival, void *stream)
{
  if (begin >= end || g->n == 0) return TRIAD_OK;
  if (splines && order == 4) return sum_order<4, true>(t, g, p, begin, end, arrival, stream);
  if (splines) return sum_order<6, true>(t, g, p, begin, end, arrival, stream);
  if (order == 2) return sum_order<2, false>(t, g, p, begin, end, arrival, stream);
  if (order == 6) return sum_order<6, false>(t, g, p, begin, end, arrival, stream);
  return sum_order<8, false>(t, g, p, begin, end, arrival, stream);
}

static __global__ void move(triad_gpu_group g, triad_gpu_arrival aside, triad_gpu_arrival arrival)
{
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= g.n) return;
  double turned[3] = {0, 0, 0};
  if (arrival.stage.turns) {
    const double u[3] = {aside.to[0][i], aside.to[1][i], aside.to[2][i]}, v[3] = {g.v[0][i], g.v[1][i], g.v[2][i]};
    triad_particle_turn(&arrival.stage, u, v, turned);
  }
  for (int a = 0; a < 3; a++) store_component(g, arrival, a, i, aside.to[a][i], turned[a]);
}

extern "C" int triad_gpu_particles_move(const triad_gpu_group *g, const triad_gpu_arrival *aside, void *stream)
{
  triad_gpu_arrival arrival = *aside;
  for (int a = 0; a < 3; a++) arrival.to[a] = nullptr;
  arrival.times = nullptr;
  arrival.adds = 0;
  TRIAD_LAUNCH(dim3(blocks_for(g->n, THREADS)), dim3(THREADS), stream, move)(*g, *aside, arrival);
  return launched("motion of particles");
}

static __global__ void superfluid(triad_gpu_group g, double two_alpha, double least, double *to)
{
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < g.n)
    to[i] = triad_superfluid_velocity(two_alpha, least, g.aside[0][i], g.aside[1][i], g.aside[2][i], g.aside[3][i]);
}

extern "C" int triad_gpu_particles_superfluid(const triad_gpu_group *g, double two_alpha, double least, int along,
                                              void *stream)
{
  TRIAD_LAUNCH(dim3(blocks_for(g->n, THREADS)), dim3(THREADS), stream, superfluid)(*g, two_alpha, least, g->u[along]);
  return launched("a superfluid's velocity");
}

/* ---- modes ---- */

struct three_fields {
  const triad_cplx *u[3];
  triad_cplx *rate[3];
};

static __global__ void decay_modes(triad_gpu_modes m, triad_decay decay, three_fields of)
{
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= m.n) return;
  const int64_t j = i / m.columns, c = i - j * m.columns;
  const double lambda =
    triad_decay_of(&decay, m.size_x[c] * m.size_x[c] + m.size_y[c] * m.size_y[c] + m.size_z[j] * m.size_z[j]);
#pragma unroll
  for (int f = 0; f < 3; f++) {
    triad_cplx n = of.rate[f][i];
    n.re = (triad_real)((double)n.re - lambda * (double)of.u[f][i].re);
    n.im = (triad_real)((double)n.im - lambda * (double)of.u[f][i].im);
    of.rate[f][i] = n;
  }
}

extern "C" int triad_gpu_particles_decay(const triad_gpu_modes *modes, const triad_decay *decay,
                                         const triad_cplx *const *u, triad_cplx *const *rate, void *stream)
{
  const three_fields of = {{u[0], u[1], u[2]}, {rate[0], rate[1], rate[2]}};
  TRIAD_LAUNCH(dim3(blocks_for(modes->n, THREADS)), dim3(THREADS), stream, decay_modes)(*modes, *decay, of);
  return launched("decay of rates");
}

struct mode_outputs {
  triad_cplx *field[3];
};

static __global__ void make_modes(triad_gpu_modes m, triad_gpu_terms terms, mode_outputs out)
{
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= m.n) return;
  const int64_t j = i / m.columns, c = i - j * m.columns;
  const double factor = terms.across ? terms.across[c] * terms.up[j] : 1;
#pragma unroll
  for (int f = 0; f < 3; f++) {
    if (f >= terms.n) continue;
    triad_cplx sum = {0, 0};
#pragma unroll
    for (int k = 0; k < 2; k++) {
      if (k >= terms.field[f].n) continue;
      const triad_cplx u = terms.field[f].term[k].from[i];
      const int along = terms.field[f].term[k].along;
      double by = terms.field[f].term[k].sign * factor;
      if (along >= 0) by *= along == 0 ? m.wx[c] : along == 1 ? m.wy[c] : m.wz[j];
      sum.re += (triad_real)(along < 0 ? by * (double)u.re : -by * (double)u.im);
      sum.im += (triad_real)(along < 0 ? by * (double)u.im : by * (double)u.re);
    }
    out.field[f][i] = sum;
  }
}

extern "C" int triad_gpu_particles_modes(const triad_gpu_modes *modes, const triad_gpu_terms *terms,
                                         triad_cplx *const *out, void *stream)
{
  const mode_outputs to = {{out[0], out[1], out[2]}};
  TRIAD_LAUNCH(dim3(blocks_for(modes->n, THREADS)), dim3(THREADS), stream, make_modes)(*modes, *terms, to);
  return launched("modes for particles");
}
