/* Particles in a gas on a GPU (solvers/compressible/particles/gpu_motion.h). Eight threads interpolate at a particle,
 * each a point along x of every row; the result depends only on the particle's position, not on the order of
 * particles. */
#include "parallel/device_launch.h"
#include "solvers/particles/device_order.h"
#include "solvers/compressible/particles/gpu_motion.h"

enum { THREADS = 256, LANES = 8, AT_ONCE = THREADS / LANES };

static __device__ __forceinline__ int64_t this_thread(void) { return blockIdx.x * (int64_t)blockDim.x + threadIdx.x; }

/* ---- sums and stages ---- */

/* Of all lanes of a particle, in each of them; all threads of a warp call it. */
static __device__ __forceinline__ void add_lanes(double sum[3])
{
#pragma unroll
  for (int c = 0; c < 3; c++)
    for (int other = LANES / 2; other > 0; other /= 2) sum[c] += __shfl_xor_sync(0xffffffffu, sum[c], other);
}

static __device__ __forceinline__ double along(const double *v, int axis)
{
  return axis == 0 ? v[0] : axis == 1 ? v[1] : v[2];
}

/* The gas at particle i's place of vector `in`, in all of its lanes; false where this rank has not got all points. */
template <int M, bool MASS>
static __device__ __forceinline__ bool at_particle(const triad_gas_points &p, const triad_gas_members &m, int64_t i,
                                                   int in, bool here, double *u, double *acceleration)
{
  const int lane = threadIdx.x % LANES;
  triad_gas_near near;
  bool found = here;
  for (int c = 0; c < 3; c++) u[c] = acceleration[c] = 0;
  if (here) {
    const double x[3] = {*triad_gas_moving(&m, i, in, 0), *triad_gas_moving(&m, i, in, 1),
                         *triad_gas_moving(&m, i, in, 2)};
    found = triad_gas_find(&p, M, x, MASS, &near);
    if (found) triad_gas_sum(&p, p.velocity, &near, M, -1, lane, LANES, u);
  }
  add_lanes(u);
  if (!MASS) return found;
  if (found) triad_gas_acceleration(&p, &near, M, u, lane, LANES, acceleration);
  add_lanes(acceleration);
  return found;
}

template <int M, bool MASS>
static __global__ void __launch_bounds__(THREADS)
  stage_kernel(const __grid_constant__ triad_gas_points p, const __grid_constant__ triad_gas_members m,
               const __grid_constant__ triad_scheme_update update, triad_gas_news *news)
{
  const int64_t i = this_thread() / LANES;
  const int lane = threadIdx.x % LANES;
  const bool here = i < m.n && !triad_gas_is_taken(&m, i);
  double u[3], acceleration[3];
  const bool found = at_particle<M, MASS>(p, m, i, update.in, here, u, acceleration);
  if (here && !found) news->lost = 1;
  if (found && lane < (m.inertial ? TRIAD_GAS_MOVING : 3))
    triad_gas_move(&m, &update, i, lane, along(u, lane % 3), along(acceleration, lane % 3));
}

template <int M>
static __global__ void __launch_bounds__(THREADS)
  velocities_kernel(const __grid_constant__ triad_gas_points p, const __grid_constant__ triad_gas_members m,
                    double *velocity, triad_gas_news *news)
{
  const int64_t i = this_thread() / LANES;
  const int lane = threadIdx.x % LANES;
  const bool here = i < m.n && !triad_gas_is_taken(&m, i);
  double u[3], none[3];
  const bool found = at_particle<M, false>(p, m, i, 0, here, u, none);
  if (here && !found) news->lost = 1;
  if (i < m.n && lane < 3) velocity[3 * i + lane] = found ? along(u, lane) : 0;
}

template <int M>
static void launch_stage(const triad_gas_points *p, const triad_gas_members *m, const triad_scheme_update *s,
                         triad_gas_news *news, void *stream)
{
  const dim3 blocks(blocks_for(m->n, AT_ONCE)), threads(THREADS);
  if (m->mass > 0) TRIAD_LAUNCH(blocks, threads, stream, stage_kernel<M, true>)(*p, *m, *s, news);
  else TRIAD_LAUNCH(blocks, threads, stream, stage_kernel<M, false>)(*p, *m, *s, news);
}

extern "C" int triad_gas_gpu_stage(const triad_gas_points *p, const triad_gas_members *m, const triad_scheme_update *s,
                                   triad_gas_news *news, void *stream)
{
  if (m->points == 2) launch_stage<2>(p, m, s, news, stream);
  else if (m->points == 4) launch_stage<4>(p, m, s, news, stream);
  else launch_stage<6>(p, m, s, news, stream);
  return launched("a stage of particles");
}

extern "C" int triad_gas_gpu_velocities(const triad_gas_points *p, const triad_gas_members *m, double *velocity,
                                        triad_gas_news *news, void *stream)
{
  const dim3 blocks(blocks_for(m->n, AT_ONCE)), threads(THREADS);
  if (m->points == 2) TRIAD_LAUNCH(blocks, threads, stream, velocities_kernel<2>)(*p, *m, velocity, news);
  else if (m->points == 4) TRIAD_LAUNCH(blocks, threads, stream, velocities_kernel<4>)(*p, *m, velocity, news);
  else TRIAD_LAUNCH(blocks, threads, stream, velocities_kernel<6>)(*p, *m, velocity, news);
  return launched("velocities at particles");
}

/* ---- the end of a step ---- */

static __device__ __forceinline__ bool leaves(const triad_gas_points &p, const triad_gas_members &m, int64_t i)
{
  const double x[3] = {*triad_gas_number(&m, i, TRIAD_GAS_X), *triad_gas_number(&m, i, TRIAD_GAS_X + 1),
                       *triad_gas_number(&m, i, TRIAD_GAS_X + 2)};
  return triad_gas_owner(&p, x) != p.rank;
}

static __global__ void meet_kernel(const __grid_constant__ triad_gas_points p,
                                   const __grid_constant__ triad_gas_members m, triad_gas_news *news)
{
  const int64_t i = this_thread();
  if (i >= m.n) return;
  triad_gas_meet(&p, &m, i);
  if (leaves(p, m, i)) atomicAdd(&news->leaving, 1);
}

extern "C" int triad_gas_gpu_meet(const triad_gas_points *p, const triad_gas_members *m, triad_gas_news *news,
                                  void *stream)
{
  TRIAD_LAUNCH(dim3(blocks_for(m->n, THREADS)), dim3(THREADS), stream, meet_kernel)(*p, *m, news);
  return launched("particles at boundaries");
}

/* Bits of numbers that are not negative order as integers do. */
static __global__ void pace_kernel(const __grid_constant__ triad_gas_points p,
                                   const __grid_constant__ triad_gas_members m, triad_gas_news *news)
{
  const int64_t i = this_thread();
  double most = i < m.n ? triad_gas_pace(&p, &m, i) : 0;
  for (int step = 16; step > 0; step /= 2) most = fmax(most, __shfl_xor_sync(0xffffffffu, most, step));
  if (threadIdx.x % 32 == 0 && most > 0)
    atomicMax((unsigned long long *)&news->pace, (unsigned long long)__double_as_longlong(most));
}

extern "C" int triad_gas_gpu_pace(const triad_gas_points *p, const triad_gas_members *m, triad_gas_news *news,
                                  void *stream)
{
  TRIAD_LAUNCH(dim3(blocks_for(m->n, THREADS)), dim3(THREADS), stream, pace_kernel)(*p, *m, news);
  return launched("the fastest particle");
}

/* ---- rows ---- */

static __device__ __forceinline__ void to_row(const triad_gas_members &m, int64_t i, double *row)
{
  for (int k = 0; k < TRIAD_GAS_WIDTH; k++) row[k] = *triad_gas_number(&m, i, k);
}

static __global__ void leave_kernel(const __grid_constant__ triad_gas_points p,
                                    const __grid_constant__ triad_gas_members m, double *rows, triad_gas_news *news)
{
  const int64_t i = this_thread();
  if (i < m.n && leaves(p, m, i)) to_row(m, i, rows + atomicAdd(&news->leaving, 1) * (int64_t)TRIAD_GAS_WIDTH);
}

static __global__ void rows_kernel(const __grid_constant__ triad_gas_members m, double *rows)
{
  const int64_t i = this_thread();
  if (i < m.n) to_row(m, i, rows + i * TRIAD_GAS_WIDTH);
}

static __global__ void take_kernel(const __grid_constant__ triad_gas_members m, int64_t first, int64_t n,
                                   const double *rows)
{
  const int64_t i = this_thread();
  for (int k = 0; i < n && k < TRIAD_GAS_WIDTH; k++)
    *triad_gas_number(&m, first + i, k) = rows[i * TRIAD_GAS_WIDTH + k];
}

extern "C" int triad_gas_gpu_leave(const triad_gas_points *p, const triad_gas_members *m, double *rows,
                                   triad_gas_news *news, void *stream)
{
  TRIAD_LAUNCH(dim3(blocks_for(m->n, THREADS)), dim3(THREADS), stream, leave_kernel)(*p, *m, rows, news);
  return launched("particles that leave");
}

extern "C" int triad_gas_gpu_rows(const triad_gas_members *m, double *rows, void *stream)
{
  TRIAD_LAUNCH(dim3(blocks_for(m->n, THREADS)), dim3(THREADS), stream, rows_kernel)(*m, rows);
  return launched("rows of particles");
}

extern "C" int triad_gas_gpu_take(const triad_gas_members *m, int64_t first, int64_t n, const double *rows,
                                  void *stream)
{
  TRIAD_LAUNCH(dim3(blocks_for(n, THREADS)), dim3(THREADS), stream, take_kernel)(*m, first, n, rows);
  return launched("particles that arrive");
}

/* ---- order ---- */

TRIAD_POINT int64_t tiles_along(int64_t points) { return (points + TRIAD_GAS_TILE - 1) / TRIAD_GAS_TILE; }

extern "C" int64_t triad_gas_gpu_tiles(const int64_t local[3])
{
  return tiles_along(local[0]) * tiles_along(local[1]) * tiles_along(local[2]);
}

extern "C" int64_t triad_gas_gpu_scratch(int64_t tiles) { return order_room(tiles); }

/* The tile of one that stays. */
struct gas_tile {
  triad_gas_points p;
  triad_gas_members m;
  __device__ __forceinline__ int operator()(int64_t i) const
  {
    int64_t tile[3];
    if (leaves(p, m, i)) return -1;
    for (int a = 0; a < 3; a++)
      tile[a] = (triad_gas_own_cell(&p, a, *triad_gas_number(&m, i, TRIAD_GAS_X + a)) - p.begin[a]) / TRIAD_GAS_TILE;
    return (int)(tile[0] + tiles_along(p.local[0]) * (tile[1] + tiles_along(p.local[1]) * tile[2]));
  }
};

static __global__ void permute_kernel(const __grid_constant__ triad_gas_members m, int64_t staying,
                                      const int32_t *order, double *record)
{
  const int64_t i = this_thread();
  if (i < staying) record[i + blockIdx.y * m.number] = *triad_gas_number(&m, order[i], (int)blockIdx.y);
}

extern "C" int triad_gas_gpu_order(const triad_gas_points *p, const triad_gas_members *m, int64_t staying,
                                   double *record, int32_t *end, int64_t *place, int32_t *order, int32_t *scratch,
                                   void *stream)
{
  const gas_tile tile = {*p, *m};
  TRIAD_TRY(order_by_tiles(tile, m->n, triad_gas_gpu_tiles(p->local), end, place, order, scratch, stream));
  TRIAD_LAUNCH(dim3(blocks_for(staying, THREADS), TRIAD_GAS_WIDTH), dim3(THREADS), stream, permute_kernel)
  (*m, staying, order, record);
  return launched("particles into order");
}

/* ---- the gas's acceleration at points ---- */

struct three_fields {
  triad_real *of[3];
};

struct five_fields {
  const triad_real *of[5];
};

static __global__ void change_kernel(const __grid_constant__ triad_gas_points p, five_fields rate,
                                     const triad_real *density, three_fields acceleration)
{
  const int64_t i = this_thread(), row = i / p.local[0];
  if (i >= p.local[0] * p.local[1] * p.local[2]) return;
  const int64_t at = p.origin + i % p.local[0] + row % p.local[1] * p.stride[1] + row / p.local[1] * p.stride[2];
#pragma unroll
  for (int c = 0; c < 3; c++)
    acceleration.of[c][at] = triad_gas_change(rate.of[1 + c][at], p.velocity[c][at], rate.of[0][at], density[at]);
}

extern "C" int triad_gas_gpu_change(const triad_gas_points *p, triad_real *const *rate, const triad_real *density,
                                    triad_real *const *acceleration, void *stream)
{
  const five_fields from = {{rate[0], rate[1], rate[2], rate[3], rate[4]}};
  const three_fields to = {{acceleration[0], acceleration[1], acceleration[2]}};
  const int64_t n = p->local[0] * p->local[1] * p->local[2];
  TRIAD_LAUNCH(dim3(blocks_for(n, THREADS)), dim3(THREADS), stream, change_kernel)(*p, from, density, to);
  return launched("the gas's acceleration");
}

/* A thread has one line across the boundary, over the whole extent of the other axes. */
static __global__ void change_face_kernel(const __grid_constant__ triad_gas_points p, int kind, int axis, int upper,
                                          three_fields acceleration)
{
  const int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
  const int64_t na = p.local[a] + 2 * p.halo[a], nb = p.local[b] + 2 * p.halo[b], i = this_thread();
  if (i >= na * nb) return;
  const int64_t inwards = upper ? -p.stride[axis] : p.stride[axis];
  const int64_t last = p.origin + (i % na - p.halo[a]) * p.stride[a] + (i / na - p.halo[b]) * p.stride[b] +
                       (upper ? (p.local[axis] - 1) * p.stride[axis] : 0);
#pragma unroll
  for (int c = 0; c < 3; c++)
    for (int64_t depth = 1; depth <= p.halo[axis]; depth++)
      acceleration.of[c][last - depth * inwards] = triad_gas_change_beyond(
        kind, c, axis, acceleration.of[c][last + (depth - 1) * inwards], acceleration.of[c][last]);
}

extern "C" int triad_gas_gpu_change_face(const triad_gas_points *p, int kind, int axis, int upper,
                                         triad_real *const *acceleration, void *stream)
{
  const three_fields to = {{acceleration[0], acceleration[1], acceleration[2]}};
  const int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
  const int64_t n = (p->local[a] + 2 * p->halo[a]) * (p->local[b] + 2 * p->halo[b]);
  TRIAD_LAUNCH(dim3(blocks_for(n, THREADS)), dim3(THREADS), stream, change_face_kernel)(*p, kind, axis, upper, to);
  return launched("the gas's acceleration beyond a boundary");
}
