/* The pressure of the staggered solver on a GPU: conjugate gradients (solvers/staggered/gpu_staggered.h).
 *
 * A thread goes up a column of cells and keeps the cell below, its own and the one above; those beside it come from the
 * first cache level, where its block's neighbours have left them. So each vector comes from memory about once. */
#include "solvers/staggered/device_sums.h"

typedef triad_staggered_gpu_cells cells;
typedef triad_staggered_gpu_results sums;

/* The a of q(x) = a - x, as on the CPU. */
static constexpr double polynomial = 2.1;

/* ---- launches ---- */

/* Rows of a block; cells of a column: enough blocks to keep all multiprocessors at work to the end, columns long enough to
 * be worth their ends, which are read twice. */
enum { ROWS = 8, WIDE = 64, NARROW = 32 };
static constexpr int64_t enough_blocks = 4096, shortest = 8, longest = 32;

static int wide(int64_t nx) { return nx > NARROW ? WIDE : NARROW; }

static int64_t ceiling(int64_t n, int64_t each) { return (n + each - 1) / each; }

static int64_t segment_of(const int64_t local[3])
{
  int64_t blocks = ceiling(local[0], wide(local[0])) * ceiling(local[1], ROWS);
  int64_t segment = local[2] * blocks / enough_blocks;
  return segment < shortest ? shortest : segment > longest ? longest : segment;
}

static dim3 grid_of(const int64_t local[3])
{
  return dim3((unsigned)ceiling(local[0], wide(local[0])), (unsigned)ceiling(local[1], ROWS),
              (unsigned)ceiling(local[2], segment_of(local)));
}

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

/* Cells of a column, z0 to z1 - 1, that are beside other ranks: op.beside(at, end, number) of each and each of its ends there;
 * number: its place in what is there of the other rank's. */
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
static __device__ __forceinline__ int ends_first(int block, int blocks) { return block == 1 ? blocks - 1 : block > 1 ? block - 1 : 0; }

/* op.value(at) of a cell, of which A is taken; op.put(at, value, A value) stores and adds to the sums; what else is to be done
 * at cells beside other ranks comes after, Op::at_ends: so loops over cells take no registers for it. */
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

template <class Op> static int sweep_all(const cells *c, const Op &op, const sums *results, void *stream, const char *what)
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
  default: TRIAD_LAUNCH(blocks, threads, stream, sweep<TRIAD_STAGGERED_GPU_GENERAL, Op>)(*c, op, segment, *results);
  }
  return launched(what);
}

static __device__ __forceinline__ int is_solid(const cells &c, int at) { return c.sizes.open[at] & TRIAD_STAGGERED_SOLID; }

/* What an op does at cells beside other ranks: NOTHING, or its result is sent, which is this vector there. */
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

extern "C" int triad_staggered_gpu_residual(const cells *c, int first, const triad_real *x, triad_real *b, triad_real *r,
                                            const sums *results, void *stream)
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
  __device__ __forceinline__ void begin(const sums &s)
  {
    beta = (triad_real)(s.several ? s.beta : s.scalars->beta);
  }
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
  __device__ __forceinline__ void begin(const sums &s)
  {
    alpha = (triad_real)(s.several ? s.alpha : s.scalars->alpha);
  }
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
    return sweep_all(c, advance_op<TRIAD_STAGGERED_GPU_R>{{}, d, x, r, 0}, results, stream, "a step of conjugate gradients");
  return sweep_all(c, advance_op<NOTHING>{{}, d, x, r, 0}, results, stream, "a step of conjugate gradients");
}

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

template <class Op> static int each_cell(const cells *c, const Op &op, const sums *results, void *stream, const char *what)
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

extern "C" int triad_staggered_gpu_add(const cells *c, const triad_real *z, triad_real *x, const sums *results, void *stream)
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

extern "C" int triad_staggered_gpu_take(const triad_staggered_gpu *g, const cells *c, const triad_real *p, triad_real *x,
                                        void *stream)
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

extern "C" int triad_staggered_gpu_give(const triad_staggered_gpu *g, const cells *c, const triad_real *x, triad_real *p,
                                        const sums *results, void *stream)
{
  return each_cell(c, give_op{place_of(g), x, p, 0}, results, stream, "a vector to a field");
}

/* ---- sums of several ranks ---- */

struct all_sums {
  double of[TRIAD_STAGGERED_GPU_SUMS];
};

static __global__ void settle(triad_staggered_gpu_scalars *s, const all_sums sum, triad_staggered_gpu_after after)
{
  for (int i = 0; i < TRIAD_STAGGERED_GPU_SUMS; i++) s->sum[i] = sum.of[i];
  triad_staggered_gpu_conclude(s, after);
}

extern "C" int triad_staggered_gpu_settle(const sums *results, const double sum[TRIAD_STAGGERED_GPU_SUMS],
                                          triad_staggered_gpu_after after, void *stream)
{
  all_sums all;
  for (int i = 0; i < TRIAD_STAGGERED_GPU_SUMS; i++) all.of[i] = sum[i];
  TRIAD_LAUNCH(dim3(1), dim3(1), stream, settle)(results->scalars, all, after);
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
  return launched("a meeting of ranks");
}

/* ---- modes ---- */

enum { MODES = 256 };

static __global__ void __launch_bounds__(MODES) divide(triad_staggered_gpu_modes m)
{
  const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x), y = (int)blockIdx.y, z = (int)blockIdx.z;
  if (x >= m.n[0]) return;
  const double value = m.value[0][x] + m.value[1][y] + m.value[2][z];
  const triad_real part = value > 0 ? (triad_real)(m.scale / value) : 0;
  triad_cplx *mode = m.mode + ((int64_t)z * m.n[1] + y) * m.n[0] + x;
  mode->re *= part;
  mode->im *= part;
}

extern "C" int triad_staggered_gpu_divide(const triad_staggered_gpu_modes *m, void *stream)
{
  const dim3 blocks(blocks_for(m->n[0], MODES), (unsigned)m->n[1], (unsigned)m->n[2]), threads(MODES);
  TRIAD_LAUNCH(blocks, threads, stream, divide)(*m);
  return launched("modes over their eigenvalues");
}

/* ---- lines of modes ---- */

enum { COLUMNS = 64 };

/* By Thomas's algorithm, a thread each; of numbers with so many parts. */
template <int PARTS> static __global__ void __launch_bounds__(COLUMNS) eliminate(const triad_staggered_gpu_lines t)
{
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), j = (int)blockIdx.y;
  if (i >= t.columns[0]) return;
  const double value = t.value[0][i] + t.value[1][j];
  const int64_t first = i * t.column + j * t.row;
  triad_real *mode = (triad_real *)t.mode;
  double now[PARTS], mean[PARTS], above = 0;
  for (int p = 0; p < PARTS; p++) now[p] = mean[p] = 0;
  for (int l = 0; l < t.n; l++) {
    const int64_t at = first + l * t.step;
    const double lower = l > 0 ? t.area * (double)t.per_d[l] : 0;
    const double upper = l < t.n - 1 ? t.area * (double)t.per_d[l + 1] : 0;
    const double diagonal = lower + upper + t.area * (double)t.h[l] * value - lower * above;
    /* constants are in the null space of the mean's matrix: the last value is as good as any */
    const double part = value > 0 || l < t.n - 1 ? 1 / diagonal : 0;
    above = upper * part;
    for (int p = 0; p < PARTS; p++) {
      now[p] = (t.scale * (double)mode[at * PARTS + p] + lower * now[p]) * part;
      mode[at * PARTS + p] = (triad_real)now[p];
    }
    t.upper[at] = (triad_real)above;
  }
  for (int l = t.n - 2; l >= 0; l--) {
    const int64_t at = first + l * t.step;
    for (int p = 0; p < PARTS; p++) {
      mean[p] += now[p];
      now[p] = (double)mode[at * PARTS + p] + (double)t.upper[at] * now[p];
      mode[at * PARTS + p] = (triad_real)now[p];
    }
  }
  if (value > 0) return;
  for (int p = 0; p < PARTS; p++) mean[p] = (mean[p] + now[p]) / t.n;
  for (int l = 0; l < t.n; l++)
    for (int p = 0; p < PARTS; p++) mode[(first + l * t.step) * PARTS + p] -= (triad_real)mean[p];
}

extern "C" int triad_staggered_gpu_eliminate(const triad_staggered_gpu_lines *t, void *stream)
{
  const dim3 blocks(blocks_for(t->columns[0], COLUMNS), (unsigned)t->columns[1]), threads(COLUMNS);
  if (t->real) TRIAD_LAUNCH(blocks, threads, stream, eliminate<1>)(*t);
  else TRIAD_LAUNCH(blocks, threads, stream, eliminate<2>)(*t);
  return launched("lines of modes");
}
