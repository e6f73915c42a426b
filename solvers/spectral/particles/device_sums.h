/* Sums at particles inside a block of GPU threads, for cuda/ only: a batch of particles at a time, from points in
 * memory or from a brick of points in shared memory. Sixteen threads sum at a particle: each has one point along x, and
 * every second plane (every fourth for order 4). Both ways give the same bits, because a particle's sum has the same
 * terms in the same order, by the same instructions. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PARTICLES_DEVICE_SUMS_H
#define TRIAD_SOLVERS_SPECTRAL_PARTICLES_DEVICE_SUMS_H

#include "solvers/spectral/particles/gpu_motion.h"

#include <cuda_pipeline.h>

enum {
  SUM_THREADS = 256,
  SUM_LANES = 16,
  SUM_AT_ONCE = SUM_THREADS / SUM_LANES,
  SUM_BATCH = 64 /* particles, 3 x 64 <= threads */
};

/* How sixteen threads share the sum of order M, and what a brick of tiles' points and those around them is. A half
 * of a warp reads doubles of 16 different banks: ALONG neighbours of a row in each of APART planes, whose distance
 * is such that they do not meet. */
template <int M> struct sum_shape {
  enum {
    ALONG = M == 4 ? 4 : 8,
    APART = SUM_LANES / ALONG,
    PLANES = (M + APART - 1) / APART, /* that a thread sums */
    SIDE = TRIAD_TILE + M - 1,        /* of a brick's planes, which are SIDE x SIDE points */
    PLANE = SIDE * SIDE + (3 * ALONG - SIDE * SIDE % (2 * ALONG)) % (2 * ALONG),
    DEEP = TRIAD_SLAB + M - 1,
    FIELD = PLANE * DEEP
  };
};

template <int M> struct sum_batch {
  double weight[3][M][SUM_BATCH], sum[3][SUM_BATCH];
  int cell[3][SUM_BATCH];
};

static __device__ __forceinline__ int wrapped(int i, int n)
{
  while (i < 0) i += n;
  while (i >= n) i -= n;
  return i;
}

/* Local plane z, and the distance of its fields. */
static __device__ __forceinline__ const triad_real *plane_at(const triad_gpu_planes &p, int z, int64_t *field)
{
  if (z < 0 || z >= p.planes) {
    const int32_t from = p.from[z < 0 ? z + p.lower : p.lower + z - p.planes];
    *field = p.points;
    if (from >= 0) return p.beyond + from * 3 * p.points;
    z = -1 - from;
  }
  *field = p.points;
  if (z < p.edge) return p.head + z * 3 * p.points;
  *field = p.slots * p.points;
  return p.ring + z % p.slots * p.points;
}

/* Weights and cell of one axis, weights SUM_BATCH apart; a function of its own, so that no rounding depends on who
 * calls it. */
template <int M, bool SPLINES>
static __device__ __noinline__ void weigh(double x, double per_spacing, int64_t points, double *weight, int *cell)
{
  double part, w[M];
  *cell = (int)triad_particle_cell(x, per_spacing, points, &part);
  if (SPLINES) triad_spline_weights_of(1, M, &part, w);
  else triad_lagrange_weights_of(1, M, &part, w);
#pragma unroll
  for (int j = 0; j < M; j++) weight[j * SUM_BATCH] = w[j];
}

/* Those of `n` particles, order[0] and on: this thread's is one axis of one of them, whose number it returns; -1:
 * none. */
template <int M, bool SPLINES>
static __device__ __forceinline__ int64_t weigh_batch(const triad_gpu_tiles &t, const triad_gpu_group &g,
                                                      const int32_t *order, int n, sum_batch<M> *b)
{
  const int axis = threadIdx.x / SUM_BATCH, k = threadIdx.x % SUM_BATCH;
  if (axis >= 3 || k >= n) return -1;
  const int64_t i = order[k];
  const double *x = axis == 0 ? g.x[0] : axis == 1 ? g.x[1] : g.x[2];
  weigh<M, SPLINES>(x[i],
                    axis == 0   ? t.per_spacing[0]
                    : axis == 1 ? t.per_spacing[1]
                                : t.per_spacing[2],
                    axis == 0   ? t.points[0]
                    : axis == 1 ? t.points[1]
                                : t.points[2],
                    &b->weight[axis][0][k], &b->cell[axis][k]);
  return i;
}

/* ---- points of one thread of a particle ---- */

/* Points in memory: point `lane` along x, of planes above + q APART. */
template <int M> struct points_of_planes {
  const triad_gpu_planes *p;
  int z;
  int64_t row[M];
  const triad_real *plane;
  int64_t field;
  __device__ __forceinline__ points_of_planes(const triad_gpu_tiles &t, const triad_gpu_planes &planes, const int *cell,
                                              int lane, int above)
      : p(&planes), z(cell[2 * SUM_BATCH] - (int)t.first + above - (M / 2 - 1)), plane(nullptr), field(0)
  {
    const int nx = (int)t.points[0], ny = (int)t.points[1], x = wrapped(cell[0] + lane - (M / 2 - 1), nx);
#pragma unroll
    for (int j = 0; j < M; j++) row[j] = (int64_t)wrapped(cell[SUM_BATCH] + j - (M / 2 - 1), ny) * nx + x;
  }
  __device__ __forceinline__ void go_to(int q) { plane = plane_at(*p, z + q * sum_shape<M>::APART, &field); }
  __device__ __forceinline__ double at(int f, int j) const { return (double)plane[f * field + row[j]]; }
};

/* In a brick, whose first point is the first that its tile's particles need. */
template <int M> struct points_of_brick {
  const triad_real *from, *plane;
  __device__ __forceinline__ points_of_brick(const triad_real *brick, const int *origin, const int *cell, int lane,
                                             int above)
      : from(brick + (cell[2 * SUM_BATCH] - origin[2] + above) * sum_shape<M>::PLANE +
             (cell[SUM_BATCH] - origin[1]) * sum_shape<M>::SIDE + (cell[0] - origin[0]) + lane),
        plane(nullptr)
  {
  }
  __device__ __forceinline__ void go_to(int q) { plane = from + q * sum_shape<M>::APART * sum_shape<M>::PLANE; }
  __device__ __forceinline__ double at(int f, int j) const
  {
    return (double)plane[f * sum_shape<M>::FIELD + j * sum_shape<M>::SIDE];
  }
};

/* ---- sums ---- */

/* What one thread has of a particle's sums, of three fields: where there are fewer, nobody asks for the others'. */
template <int M, class Points>
static __device__ __forceinline__ void sum_part(Points &points, const sum_batch<M> *b, int k, int lane, int above,
                                                double *sum)
{
  double y[M];
#pragma unroll
  for (int j = 0; j < M; j++) y[j] = b->weight[1][j][k];
#pragma unroll
  for (int q = 0; q < sum_shape<M>::PLANES; q++) {
    const double zx = b->weight[2][above + q * sum_shape<M>::APART][k] * b->weight[0][lane][k];
    points.go_to(q);
#pragma unroll
    for (int f = 0; f < 3; f++) {
      double along = 0;
#pragma unroll
      for (int j = 0; j < M; j++) along = triad_fma(y[j], points.at(f, j), along);
      sum[f] = triad_fma(zx, along, sum[f]);
    }
  }
}

/* Sums over sixteen threads, 8, 4, 2 and 1 apart: of field f in thread 4 f of them. */
static __device__ __forceinline__ double sum_of_all(const double *sum, int me)
{
  const bool third = me & 8, second = me & 4;
  const unsigned all = 0xffffffffu;
  const double even = (third ? sum[2] : sum[0]) + __shfl_xor_sync(all, third ? sum[0] : sum[2], 8);
  const double odd = (third ? 0 : sum[1]) + __shfl_xor_sync(all, third ? sum[1] : 0, 8);
  double mine = (second ? odd : even) + __shfl_xor_sync(all, second ? even : odd, 4);
  mine += __shfl_xor_sync(all, mine, 2);
  return mine + __shfl_xor_sync(all, mine, 1);
}

/* All of a batch; make(cell, lane, above): the points of one thread. All threads of the block call it. */
template <int M, class Make> static __device__ __forceinline__ void sum_particles(Make make, int n, sum_batch<M> *b)
{
  const int me = threadIdx.x % SUM_LANES, lane = me % sum_shape<M>::ALONG, above = me / sum_shape<M>::ALONG;
  for (int first = 0; first < n; first += SUM_AT_ONCE) {
    const int k = first + threadIdx.x / SUM_LANES;
    double sum[3] = {0, 0, 0};
    if (k < n && lane < M) {
      auto points = make(&b->cell[0][k], lane, above);
      sum_part<M>(points, b, k, lane, above, sum);
    }
    const double mine = sum_of_all(sum, me);
    if (k < n && me % 4 == 0 && me < 12) b->sum[me / 4][k] = mine;
  }
}

/* ---- a brick ---- */

/* Have `deep` planes of a brick from local plane z on brought, of rows from (x, y) on; finished when the pipeline
 * is. All threads call it. */
template <int M>
static __device__ __forceinline__ void bring_brick(const triad_gpu_tiles &t, const triad_gpu_planes &p, int x, int y,
                                                   int z, int deep, int fields, triad_real *brick)
{
  typedef sum_shape<M> S;
  __shared__ const triad_real *plane[S::DEEP];
  __shared__ int64_t field[S::DEEP], row[S::SIDE];
  const int me = threadIdx.x, nx = (int)t.points[0], lane = me % SUM_LANES;
  if (me < deep) plane[me] = plane_at(p, z + me, &field[me]);
  if (me >= 64 && me < 64 + S::SIDE) row[me - 64] = (int64_t)wrapped(y + me - 64, (int)t.points[1]) * nx;
  __syncthreads();
  if (lane < S::SIDE) {
    const int along = wrapped(x + lane, nx);
    for (int f = 0; f < fields; f++)
      for (int r = me / SUM_LANES; r < deep * S::SIDE; r += SUM_AT_ONCE) {
        const int k = r / S::SIDE, j = r - k * S::SIDE;
        __pipeline_memcpy_async(brick + f * S::FIELD + k * S::PLANE + j * S::SIDE + lane,
                                plane[k] + f * field[k] + row[j] + along, sizeof(triad_real));
      }
  }
  __pipeline_commit();
}

#endif
