/* The pressure of the staggered solver on a GPU: conjugate gradients (solvers/staggered/gpu/gpu_staggered.h).
 *
 * A thread moves up a column of cells and keeps the cell below, its own and the one above; horizontal neighbours come
 * from the first-level cache, where neighbouring threads of its block have loaded them. Each vector is therefore read
 * from memory about once. */
#include "solvers/staggered/gpu/device_cells.h"

/* The a of q(x) = a - x, as on the CPU. */
static constexpr double polynomial = 2.1;

extern "C" int64_t triad_staggered_gpu_blocks(const int64_t local[3])
{
  int64_t sweeps = ceiling(local[0], wide(local[0])) * ceiling(local[1], ROWS) * ceiling(local[2], shortest);
  const int64_t most = TRIAD_STAGGERED_GPU_PLANES, planes = local[2] < most ? local[2] : most;
  int64_t steps = ceiling(local[0], NARROW) * ceiling(local[1], ROWS) * planes;
  return sweeps > steps ? sweeps : steps;
}

/* ---- sweeps: A applied to a value of cells ---- */

/* The sum over the sides of a cell of coefficient (here - beyond). */
template <int KIND>
static __device__ __forceinline__ triad_real flux(const cells &c, const triad_staggered_row &row, int at, int x,
                                                  triad_real here, const triad_real beyond[6])
{
  triad_real sum = 0;
  if (KIND == TRIAD_STAGGERED_GPU_OPEN) {
#pragma unroll
    for (int a = 0; a < 3; a++) sum += c.side[a] * ((here - beyond[2 * a]) + (here - beyond[2 * a + 1]));
  } else if (KIND == TRIAD_STAGGERED_GPU_BITS) {
    const int bits = c.sizes.open[at];
#pragma unroll
    for (int a = 0; a < 3; a++)
      sum += c.side[a] * ((bits & TRIAD_STAGGERED_LOWER(a) ? here - beyond[2 * a] : 0) +
                          (bits & TRIAD_STAGGERED_UPPER(a) ? here - beyond[2 * a + 1] : 0));
  } else {
    triad_real side[6];
    triad_staggered_sides(1, &c.sizes, &row, at, x, side);
#pragma unroll
    for (int i = 0; i < 6; i++) sum += side[i] * (here - beyond[i]);
  }
  return sum;
}

/* Call op.at(cell, end, index) for each cell of a column, z0 to z1 - 1, that adjoins another rank, and for each of its
 * ends there; index: its position in the data received from that rank. */
template <class Op>
static __device__ __forceinline__ void each_beside(const cells &c, const Op &op, int x, int y, int z0, int z1)
{
#pragma unroll 1
  for (int end = 0; end < TRIAD_STAGGERED_GPU_ENDS; end++) {
    const int axis = end / 2, upper = end % 2, place = upper ? c.local[axis] - 1 : 0;
    if (!(c.others.beside >> end & 1) || (axis == 0 && x != place) || (axis == 1 && y != place)) continue;
    const int begin = axis == 2 ? max(place, z0) : z0, stop = axis == 2 ? min(place + 1, z1) : z1;
#pragma unroll 1
    for (int z = begin; z < stop; z++)
      op.beside(c, c.origin + x + y * c.stride[1] + z * c.stride[2], end,
                x * c.others.stride[end][0] + y * c.others.stride[end][1] + z * c.others.stride[end][2]);
  }
}

/* Has a column such cells, or may it? */
static __device__ __forceinline__ bool is_beside(const cells &c, int z0, int z1)
{
  return (c.others.beside & ~(TRIAD_STAGGERED_LOWER(2) | TRIAD_STAGGERED_UPPER(2))) ||
         (z0 == 0 && (c.others.beside & TRIAD_STAGGERED_LOWER(2))) ||
         (z1 == c.local[2] && (c.others.beside & TRIAD_STAGGERED_UPPER(2)));
}

/* Blocks across z whose cells others wait for come first. */
static __device__ __forceinline__ int ends_first(int block, int blocks)
{
  return block == 1 ? blocks - 1 : block > 1 ? block - 1 : 0;
}

/* op.value(at): the value of a cell, to which A is applied; op.put(at, value, A value) stores and adds to the sums.
 * Additional operations at cells that adjoin other ranks follow in Op::at_ends, so loops over cells use no registers
 * for them. */
template <int KIND, class Op>
static __global__ void __launch_bounds__(WIDE *ROWS) sweep(const cells c, Op op, int segment, sums results)
{
  if (results.scalars->done && !op.always) return;
  const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x), y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
  const int block = Op::at_ends ? ends_first((int)blockIdx.z, (int)gridDim.z) : (int)blockIdx.z;
  const int z0 = block * segment, z1 = min(z0 + segment, c.local[2]);
  double sum[Op::SUMS];
  for (int i = 0; i < Op::SUMS; i++) sum[i] = 0;
  op.begin(results);
  if (x < c.local[0] && y < c.local[1] && z0 < z1) {
    const int west = x == 0 ? c.below[0] : -1, east = x == c.local[0] - 1 ? c.above[0] : 1;
    const int south = y == 0 ? c.below[1] : -c.stride[1], north = y == c.local[1] - 1 ? c.above[1] : c.stride[1];
    int at = c.origin + x + y * c.stride[1] + z0 * c.stride[2];
    triad_real beyond[6], here = op.template value<KIND>(c, at);
    triad_staggered_row row = {{0}, {0}, {0}};
    beyond[4] = op.template value<KIND>(c, at + (z0 == 0 ? c.below[2] : -c.stride[2]));
    for (int z = z0; z < z1; z++) {
      if (KIND == TRIAD_STAGGERED_GPU_GENERAL) row = triad_staggered_row_of(&c.sizes, y, z);
      beyond[5] = op.template value<KIND>(c, at + (z == c.local[2] - 1 ? c.above[2] : c.stride[2]));
      beyond[0] = op.template value<KIND>(c, at + west);
      beyond[1] = op.template value<KIND>(c, at + east);
      beyond[2] = op.template value<KIND>(c, at + south);
      beyond[3] = op.template value<KIND>(c, at + north);
      op.template put<KIND>(c, at, here, flux<KIND>(c, row, at, x, here, beyond), sum);
      beyond[4] = here;
      here = beyond[5];
      at += c.stride[2];
    }
    if constexpr (Op::at_ends)
      if (is_beside(c, z0, z1)) each_beside(c, op, x, y, z0, z1);
  }
  add_up<Op::SUMS>(sum, results, op.after, Op::at_ends && Op::sends && is_beside(c, z0, z1), (unsigned)block);
}

template <class Op>
static int sweep_all(const cells *c, const Op &op, const sums *results, void *stream, const char *what)
{
  const int64_t local[3] = {c->local[0], c->local[1], c->local[2]};
  const dim3 threads((unsigned)wide(local[0]), ROWS), blocks = grid_of(local);
  const int segment = (int)segment_of(local);
  switch (c->kind) {
  case TRIAD_STAGGERED_GPU_OPEN:
    TRIAD_LAUNCH(blocks, threads, stream, sweep<TRIAD_STAGGERED_GPU_OPEN, Op>)(*c, op, segment, *results);
    break;
  case TRIAD_STAGGERED_GPU_BITS:
    TRIAD_LAUNCH(blocks, threads, stream, sweep<TRIAD_STAGGERED_GPU_BITS, Op>)(*c, op, segment, *results);
    break;
  case TRIAD_STAGGERED_GPU_GENERAL:
    TRIAD_LAUNCH(blocks, threads, stream, sweep<TRIAD_STAGGERED_GPU_GENERAL, Op>)(*c, op, segment, *results);
    break;
  }
  return launched(what);
}

/* Op::at_ends: NOTHING, or the number of the vector whose values at cells that adjoin other ranks are sent. */
enum { NOTHING = -1 };
template <int SENT> struct sent_op {
  enum { at_ends = SENT >= 0, sends = 1 };
  static __device__ __forceinline__ void send(const cells &c, const triad_real *from, int at, int end, int number)
  {
    if constexpr (SENT >= 0) c.others.there[SENT][end][number] = from[at];
  }
};

template <int FIRST, int SENT> struct residual_op : sent_op<SENT> {
  enum { SUMS = 1 + FIRST, always = 1 };
  static constexpr triad_staggered_gpu_after after =
    FIRST ? TRIAD_STAGGERED_AFTER_FIRST : TRIAD_STAGGERED_AFTER_RESIDUAL;
  const triad_real *x;
  triad_real *b, *r, mean;
  __device__ __forceinline__ void begin(const sums &s) { mean = (triad_real)s.scalars->mean; }
  template <int KIND> __device__ __forceinline__ triad_real value(const cells &, int at) const { return x[at]; }
  template <int KIND>
  __device__ __forceinline__ void put(const cells &c, int at, triad_real, triad_real flow, double *sum) const
  {
    triad_real source = b[at];
    if (FIRST) {
      source = KIND != TRIAD_STAGGERED_GPU_OPEN && is_solid(c, at) ? 0 : source - mean;
      b[at] = source;
      sum[FIRST] += (double)source * (double)source;
    }
    triad_real rest = source - flow;
    r[at] = rest;
    sum[0] += (double)rest * (double)rest;
  }
  __device__ __forceinline__ void beside(const cells &c, int at, int end, int number) const
  {
    sent_op<SENT>::send(c, r, at, end, number);
  }
};

extern "C" int triad_staggered_gpu_residual(const cells *c, int first, const triad_real *x, triad_real *b,
                                            triad_real *r, const sums *results, void *stream)
{
  if (c->others.sends && first)
    return sweep_all(c, residual_op<1, TRIAD_STAGGERED_GPU_R>{{}, x, b, r, 0}, results, stream, "the first residual");
  if (c->others.sends)
    return sweep_all(c, residual_op<0, TRIAD_STAGGERED_GPU_R>{{}, x, b, r, 0}, results, stream, "a residual");
  if (first) return sweep_all(c, residual_op<1, NOTHING>{{}, x, b, r, 0}, results, stream, "the first residual");
  return sweep_all(c, residual_op<0, NOTHING>{{}, x, b, r, 0}, results, stream, "a residual");
}

/* 1/diagonal of a cell. */
template <int KIND> static __device__ __forceinline__ triad_real weight(const cells &c, int at)
{
  if (KIND == TRIAD_STAGGERED_GPU_OPEN) return c.per_diagonal;
  return c.table[KIND == TRIAD_STAGGERED_GPU_BITS ? c.sizes.open[at] & TRIAD_STAGGERED_ALL_OPEN : at];
}

template <int SENT> struct precondition_op : sent_op<SENT> {
  enum { SUMS = 1, always = 0 };
  static constexpr triad_staggered_gpu_after after = TRIAD_STAGGERED_AFTER_PRECONDITION;
  const triad_real *r;
  triad_real *z;
  __device__ __forceinline__ void begin(const sums &) {}
  template <int KIND> __device__ __forceinline__ triad_real value(const cells &c, int at) const
  {
    return weight<KIND>(c, at) * r[at];
  }
  template <int KIND>
  __device__ __forceinline__ void put(const cells &c, int at, triad_real, triad_real flow, double *sum) const
  {
    triad_real rest = r[at], better = weight<KIND>(c, at) * (TRIAD_R(polynomial) * rest - flow);
    z[at] = better;
    sum[0] += (double)better * (double)rest;
  }
  __device__ __forceinline__ void beside(const cells &c, int at, int end, int number) const
  {
    sent_op<SENT>::send(c, z, at, end, number);
  }
};

extern "C" int triad_staggered_gpu_precondition(const cells *c, const triad_real *r, triad_real *z, const sums *results,
                                                void *stream)
{
  if (c->others.sends)
    return sweep_all(c, precondition_op<TRIAD_STAGGERED_GPU_Z>{{}, r, z}, results, stream, "the polynomial");
  return sweep_all(c, precondition_op<NOTHING>{{}, r, z}, results, stream, "the polynomial");
}

template <int HALOS> struct direction_op {
  enum { SUMS = 1, always = 0, at_ends = HALOS, sends = 0 };
  static constexpr triad_staggered_gpu_after after = TRIAD_STAGGERED_AFTER_DIRECTION;
  const triad_real *z, *old;
  triad_real *d, beta;
  __device__ __forceinline__ void begin(const sums &s) { beta = (triad_real)(s.several ? s.beta : s.scalars->beta); }
  template <int KIND> __device__ __forceinline__ triad_real value(const cells &, int at) const
  {
    return z[at] + beta * old[at];
  }
  template <int KIND>
  __device__ __forceinline__ void put(const cells &, int at, triad_real here, triad_real flow, double *sum) const
  {
    d[at] = here;
    sum[0] += (double)here * (double)flow;
  }
  /* halos, too, which z and old have */
  __device__ __forceinline__ void beside(const cells &c, int at, int end, int) const
  {
    const int there = at + (end % 2 ? c.above : c.below)[end / 2];
    d[there] = z[there] + beta * old[there];
  }
};

extern "C" int triad_staggered_gpu_direction(const cells *c, const triad_real *z, const triad_real *old, triad_real *d,
                                             const sums *results, void *stream)
{
  if (c->others.beside) return sweep_all(c, direction_op<1>{z, old, d, 0}, results, stream, "a direction");
  return sweep_all(c, direction_op<0>{z, old, d, 0}, results, stream, "a direction");
}

template <int SENT> struct advance_op : sent_op<SENT> {
  enum { SUMS = 1, always = 0 };
  static constexpr triad_staggered_gpu_after after = TRIAD_STAGGERED_AFTER_STEP;
  const triad_real *d;
  triad_real *x, *r, alpha;
  __device__ __forceinline__ void begin(const sums &s) { alpha = (triad_real)(s.several ? s.alpha : s.scalars->alpha); }
  template <int KIND> __device__ __forceinline__ triad_real value(const cells &, int at) const { return d[at]; }
  template <int KIND>
  __device__ __forceinline__ void put(const cells &, int at, triad_real here, triad_real flow, double *sum) const
  {
    triad_real rest = r[at] - alpha * flow;
    x[at] += alpha * here;
    r[at] = rest;
    sum[0] += (double)rest * (double)rest;
  }
  __device__ __forceinline__ void beside(const cells &c, int at, int end, int number) const
  {
    sent_op<SENT>::send(c, r, at, end, number);
  }
};

extern "C" int triad_staggered_gpu_advance(const cells *c, const triad_real *d, triad_real *x, triad_real *r,
                                           const sums *results, void *stream)
{
  if (c->others.sends)
    return sweep_all(c, advance_op<TRIAD_STAGGERED_GPU_R>{{}, d, x, r, 0}, results, stream,
                     "a step of conjugate gradients");
  return sweep_all(c, advance_op<NOTHING>{{}, d, x, r, 0}, results, stream, "a step of conjugate gradients");
}
