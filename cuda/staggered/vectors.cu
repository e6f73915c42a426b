/* Vectors of the pressure cell by cell, copies to and from fields, and sums over ranks whose kernels synchronise
 * (solvers/staggered/gpu/gpu_staggered.h). */
#include "solvers/staggered/gpu/device_cells.h"

/* ---- cell by cell ---- */

/* op.at(place in a vector, place in a field, sums) of each own cell; a block has a few rows of a plane. */
template <class Op> static __global__ void __launch_bounds__(WIDE *ROWS) each(const cells c, Op op, sums results)
{
  if (results.scalars && results.scalars->done && !op.always) return;
  const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x), y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
  double sum[1] = {0};
  op.begin(results);
  if (x < c.local[0] && y < c.local[1])
    for (int z = (int)blockIdx.z; z < c.local[2]; z += (int)gridDim.z)
      op.at(c, c.origin + x + y * c.stride[1] + z * c.stride[2], x, y, z, sum);
  if (Op::SUMS > 0) add_up<1>(sum, results, op.after);
}

template <class Op>
static int each_cell(const cells *c, const Op &op, const sums *results, void *stream, const char *what)
{
  const int64_t local[3] = {c->local[0], c->local[1], c->local[2]};
  const dim3 threads((unsigned)wide(local[0]), ROWS), blocks = grid_of(local);
  const sums none = {};
  TRIAD_LAUNCH(blocks, threads, stream, each<Op>)(*c, op, results ? *results : none);
  return launched(what);
}

struct add_op {
  enum { SUMS = 0, always = 0 };
  static constexpr triad_staggered_gpu_after after = TRIAD_STAGGERED_AFTER_SUMS;
  const triad_real *z;
  triad_real *x;
  __device__ __forceinline__ void begin(const sums &) {}
  __device__ __forceinline__ void at(const cells &, int i, int, int, int, double *) const { x[i] += z[i]; }
};

extern "C" int triad_staggered_gpu_add(const cells *c, const triad_real *z, triad_real *x, const sums *results,
                                       void *stream)
{
  return each_cell(c, add_op{z, x}, results, stream, "a sum of vectors");
}

struct total_op {
  enum { SUMS = 1, always = 1 };
  static constexpr triad_staggered_gpu_after after = TRIAD_STAGGERED_AFTER_TOTAL;
  const triad_real *x;
  __device__ __forceinline__ void begin(const sums &) {}
  __device__ __forceinline__ void at(const cells &c, int i, int, int, int, double *sum) const
  {
    if (!is_solid(c, i)) sum[0] += (double)x[i];
  }
};

extern "C" int triad_staggered_gpu_total(const cells *c, const triad_real *x, const sums *results, void *stream)
{
  return each_cell(c, total_op{x}, results, stream, "a total");
}

/* Where a cell lies in a field with halos. */
struct field_place {
  int origin, stride[3];
  __device__ __forceinline__ int at(int x, int y, int z) const { return origin + x + y * stride[1] + z * stride[2]; }
};

static field_place place_of(const triad_staggered_gpu *g)
{
  return {(int)g->origin, {(int)g->stride[0], (int)g->stride[1], (int)g->stride[2]}};
}

struct take_op {
  enum { SUMS = 0, always = 1 };
  static constexpr triad_staggered_gpu_after after = TRIAD_STAGGERED_AFTER_SUMS;
  field_place field;
  const triad_real *p;
  triad_real *vector;
  __device__ __forceinline__ void begin(const sums &) {}
  __device__ __forceinline__ void at(const cells &, int i, int x, int y, int z, double *) const
  {
    vector[i] = p[field.at(x, y, z)];
  }
};

extern "C" int triad_staggered_gpu_take(const triad_staggered_gpu *g, const cells *c, const triad_real *p,
                                        triad_real *x, void *stream)
{
  return each_cell(c, take_op{place_of(g), p, x}, nullptr, stream, "a field to a vector");
}

struct give_op {
  enum { SUMS = 0, always = 1 };
  static constexpr triad_staggered_gpu_after after = TRIAD_STAGGERED_AFTER_SUMS;
  field_place field;
  const triad_real *vector;
  triad_real *p, mean;
  __device__ __forceinline__ void begin(const sums &s) { mean = (triad_real)s.scalars->mean; }
  __device__ __forceinline__ void at(const cells &c, int i, int x, int y, int z, double *) const
  {
    p[field.at(x, y, z)] = is_solid(c, i) ? TRIAD_R(0) : vector[i] - mean;
  }
};

extern "C" int triad_staggered_gpu_give(const triad_staggered_gpu *g, const cells *c, const triad_real *x,
                                        triad_real *p, const sums *results, void *stream)
{
  return each_cell(c, give_op{place_of(g), x, p, 0}, results, stream, "a vector to a field");
}

/* ---- sums of several ranks ---- */

struct all_sums {
  double of[TRIAD_STAGGERED_GPU_SUMS];
};

static __global__ void compute_scalars(triad_staggered_gpu_scalars *s, const all_sums sum,
                                       triad_staggered_gpu_after after)
{
  for (int i = 0; i < TRIAD_STAGGERED_GPU_SUMS; i++) s->sum[i] = sum.of[i];
  triad_staggered_gpu_conclude(s, after);
}

extern "C" int triad_staggered_gpu_settle(const sums *results, const double sum[TRIAD_STAGGERED_GPU_SUMS],
                                          triad_staggered_gpu_after after, void *stream)
{
  all_sums all;
  for (int i = 0; i < TRIAD_STAGGERED_GPU_SUMS; i++) all.of[i] = sum[i];
  TRIAD_LAUNCH(dim3(1), dim3(1), stream, compute_scalars)(results->scalars, all, after);
  return launched("sums of all ranks");
}

enum { MEETING = 64 };

/* One block. */
static __global__ void __launch_bounds__(MEETING) meet_parts(sums results, triad_staggered_gpu_after after)
{
  triad_staggered_gpu_scalars *s = results.scalars;
  double sum[TRIAD_STAGGERED_GPU_SUMS];
  if (s->done) return; /* the sweep has done nothing */
  for (int i = 0; i < TRIAD_STAGGERED_GPU_SUMS; i++) sum[i] = s->sum[i];
  meet<TRIAD_STAGGERED_GPU_SUMS, 0>(sum, results.meeting, (int)threadIdx.x, (int)blockDim.x);
  if (threadIdx.x > 0) return;
  for (int i = 0; i < TRIAD_STAGGERED_GPU_SUMS; i++) s->sum[i] = sum[i];
  triad_staggered_gpu_conclude(s, after);
}

extern "C" int triad_staggered_gpu_meet(const sums *results, triad_staggered_gpu_after after, void *stream)
{
  TRIAD_LAUNCH(dim3(1), dim3(MEETING), stream, meet_parts)(*results, after);
  return launched("a barrier between ranks");
}
