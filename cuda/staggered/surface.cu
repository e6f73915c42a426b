/* The pressure around solids by the transform: operations on cells that adjoin solids
 * (solvers/staggered/gpu/gpu_surface.h). A thread processes one cell after the other. */
#include "solvers/staggered/gpu/gpu_surface.h"

#include "solvers/staggered/gpu/device_sums.h"

typedef triad_staggered_gpu_cells cells;
typedef triad_staggered_gpu_results sums;
typedef triad_staggered_gpu_surface surface;
typedef triad_staggered_beside beside;

enum { THREADS = 256 };

static __device__ __forceinline__ int place_of(const cells &c, const beside &b)
{
  return c.origin + b.c[0] + b.c[1] * c.stride[1] + b.c[2] * c.stride[2];
}

/* E times the potential: coefficients of the sides as if they were open. */
static __device__ __forceinline__ triad_real through_closed(const cells &c, const surface &s, const beside &b, int at,
                                                            triad_real here)
{
  triad_real side[6], sum = 0;
  if (c.kind == TRIAD_STAGGERED_GPU_GENERAL) {
    const triad_staggered_row row = triad_staggered_row_of(&c.sizes, b.c[1], b.c[2]);
    triad_staggered_sides(0, &c.sizes, &row, at, b.c[0], side);
  } else {
    for (int i = 0; i < 6; i++) side[i] = c.side[i / 2];
  }
#pragma unroll
  for (int a = 0; a < 3; a++) {
    const int below = b.c[a] == 0 ? c.below[a] : -c.stride[a],
              above = b.c[a] == c.local[a] - 1 ? c.above[a] : c.stride[a];
    if (b.sides & TRIAD_STAGGERED_LOWER(a)) sum += side[2 * a] * (here - s.potential[at + below]);
    if (b.sides & TRIAD_STAGGERED_UPPER(a)) sum += side[2 * a + 1] * (here - s.potential[at + above]);
  }
  return sum;
}

static __device__ __forceinline__ double set_rest(const surface &s, int64_t i, int at, triad_real rest)
{
  s.number[TRIAD_STAGGERED_REST][i] = rest;
  s.charges[at] = rest;
  return (double)rest * (double)rest;
}

struct begin_op {
  enum { always = 1 };
  static constexpr triad_staggered_gpu_after after = TRIAD_STAGGERED_AFTER_RESIDUAL;
  __device__ __forceinline__ void begin(const sums &) {}
  __device__ __forceinline__ double at(const cells &c, const surface &s, int64_t i, const beside &b, int at) const
  {
    s.number[TRIAD_STAGGERED_CORRECTION][i] = s.number[TRIAD_STAGGERED_CHARGE][i] = 0;
    s.number[TRIAD_STAGGERED_DIRECTION][i] = s.number[TRIAD_STAGGERED_A_DIRECTION][i] = 0;
    return set_rest(s, i, at, through_closed(c, s, b, at, s.potential[at]));
  }
};

struct look_op {
  enum { always = 0 };
  static constexpr triad_staggered_gpu_after after = TRIAD_STAGGERED_AFTER_PRECONDITION;
  __device__ __forceinline__ void begin(const sums &) {}
  __device__ __forceinline__ double at(const cells &c, const surface &s, int64_t i, const beside &b, int at) const
  {
    const triad_real value = s.potential[at], rest = s.number[TRIAD_STAGGERED_REST][i];
    s.number[TRIAD_STAGGERED_VALUE][i] = value;
    s.number[TRIAD_STAGGERED_A_VALUE][i] = rest - through_closed(c, s, b, at, value);
    return (double)rest * (double)value;
  }
};

struct turn_op {
  enum { always = 0 };
  static constexpr triad_staggered_gpu_after after = TRIAD_STAGGERED_AFTER_DIRECTION;
  triad_real beta;
  __device__ __forceinline__ void begin(const sums &r) { beta = (triad_real)(r.several ? r.beta : r.scalars->beta); }
  __device__ __forceinline__ double at(const cells &, const surface &s, int64_t i, const beside &, int) const
  {
    triad_real *const *v = s.number;
    const triad_real d = v[TRIAD_STAGGERED_VALUE][i] + beta * v[TRIAD_STAGGERED_DIRECTION][i];
    const triad_real q = v[TRIAD_STAGGERED_A_VALUE][i] + beta * v[TRIAD_STAGGERED_A_DIRECTION][i];
    v[TRIAD_STAGGERED_DIRECTION][i] = d;
    v[TRIAD_STAGGERED_A_DIRECTION][i] = q;
    v[TRIAD_STAGGERED_CHARGE][i] = v[TRIAD_STAGGERED_REST][i] + beta * v[TRIAD_STAGGERED_CHARGE][i];
    return (double)d * (double)q;
  }
};

struct descend_op {
  enum { always = 0 };
  static constexpr triad_staggered_gpu_after after = TRIAD_STAGGERED_AFTER_STEP;
  triad_real alpha;
  __device__ __forceinline__ void begin(const sums &r) { alpha = (triad_real)(r.several ? r.alpha : r.scalars->alpha); }
  __device__ __forceinline__ double at(const cells &, const surface &s, int64_t i, const beside &, int at) const
  {
    s.number[TRIAD_STAGGERED_CORRECTION][i] += alpha * s.number[TRIAD_STAGGERED_CHARGE][i];
    return set_rest(s, i, at, s.number[TRIAD_STAGGERED_REST][i] - alpha * s.number[TRIAD_STAGGERED_A_DIRECTION][i]);
  }
};

template <class Op>
static __global__ void __launch_bounds__(THREADS) each(const cells c, const surface s, Op op, sums results)
{
  if (results.scalars->done && !Op::always) return;
  double sum[1] = {0};
  op.begin(results);
  for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < s.n; i += gridDim.x * (int64_t)blockDim.x) {
    const beside b = s.cell[i];
    sum[0] += op.at(c, s, i, b, place_of(c, b));
  }
  add_up<1>(sum, results, Op::after);
}

/* There is room for the sums of so many blocks. */
template <class Op>
static int each_cell(const cells *c, const surface *s, const Op &op, const sums *results, void *stream)
{
  const int64_t local[3] = {c->local[0], c->local[1], c->local[2]}, most = triad_staggered_gpu_blocks(local);
  const unsigned wanted = blocks_for(s->n, THREADS);
  TRIAD_LAUNCH(dim3(wanted < most ? wanted : (unsigned)most), dim3(THREADS), stream, each<Op>)(*c, *s, op, *results);
  return launched("cells next to solids");
}

extern "C" int triad_staggered_gpu_surface_begin(const cells *c, const surface *s, const sums *results, void *stream)
{
  return each_cell(c, s, begin_op{}, results, stream);
}

extern "C" int triad_staggered_gpu_surface_look(const cells *c, const surface *s, const sums *results, void *stream)
{
  return each_cell(c, s, look_op{}, results, stream);
}

extern "C" int triad_staggered_gpu_surface_turn(const cells *c, const surface *s, const sums *results, void *stream)
{
  return each_cell(c, s, turn_op{0}, results, stream);
}

extern "C" int triad_staggered_gpu_surface_descend(const cells *c, const surface *s, const sums *results, void *stream)
{
  return each_cell(c, s, descend_op{0}, results, stream);
}

static __global__ void __launch_bounds__(THREADS) put(const cells c, const surface s, triad_real *r)
{
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < s.n) r[place_of(c, s.cell[i])] += s.number[TRIAD_STAGGERED_CORRECTION][i];
}

extern "C" int triad_staggered_gpu_surface_end(const cells *c, const surface *s, triad_real *r, void *stream)
{
  TRIAD_LAUNCH(dim3(blocks_for(s->n, THREADS)), dim3(THREADS), stream, put)(*c, *s, r);
  return launched("charges next to solids");
}
