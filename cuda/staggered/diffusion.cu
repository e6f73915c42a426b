/* Implicit diffusion of the staggered solver on a GPU (solvers/staggered/gpu/gpu_diffusion.h). */
#include "solvers/staggered/gpu/gpu_diffusion.h"

#include "solvers/staggered/gpu/device_sums.h"
#include "solvers/staggered/points/heat_points.h"

typedef triad_staggered_gpu mesh;
typedef triad_staggered_gpu_diffusion diffusion;
typedef triad_staggered_gpu_results sums;

enum { LANES = 32, ROWS = 8, HEAT = TRIAD_STAGGERED_GPU_DIFFUSED_HEAT };

/* Kernels loop over planes, so that there are few blocks whose sums must be added. */
static dim3 blocks_of(const mesh *g)
{
  const int64_t most = TRIAD_STAGGERED_GPU_PLANES, planes = g->local[2] < most ? g->local[2] : most;
  return dim3(blocks_for(g->local[0], LANES), blocks_for(g->local[1], ROWS), (unsigned)planes);
}

/* 1 at faces that are open, and in cells of fluid. */
template <int A> static __device__ __forceinline__ triad_real is_open(const mesh &g, int64_t at)
{
  if constexpr (A == HEAT) return triad_staggered_is_fluid(&g.sizes, at);
  else return triad_staggered_passes(A, &g.sizes, at);
}

/* The matrix applied to f, there. */
template <int A, int SOLIDS>
static __device__ __forceinline__ triad_real matrix(const mesh &g, const diffusion &s, const triad_real *f, int64_t at,
                                                    const int64_t c[3])
{
  if constexpr (A == HEAT)
    return is_open<A>(g, at) * (f[at] - s.theta * triad_staggered_conduction(SOLIDS, s.held, &g.sizes, f, at, c));
  else return is_open<A>(g, at) * (f[at] - s.theta * triad_staggered_diffusion(A, SOLIDS, &g.sizes, f, at, c));
}

/* The volume that a face weighs. */
template <int A> static __device__ __forceinline__ double volume_of(const triad_staggered_sizes &s, const int64_t c[3])
{
  return (double)(A == 0 ? s.d : s.h)[0][c[0]] * (double)(A == 1 ? s.d : s.h)[1][c[1]] *
         (double)(A == 2 ? s.d : s.h)[2][c[2]];
}

struct begin_op {
  enum { SUMS = 2, always = 1 };
  static constexpr triad_staggered_gpu_after after = TRIAD_STAGGERED_AFTER_FIRST;
  template <int A, int SOLIDS>
  static __device__ __forceinline__ void at(const mesh &g, const diffusion &s, const sums &, int64_t i,
                                            const int64_t c[3], double *sum)
  {
    const double volume = volume_of<A>(g.sizes, c);
    const triad_real open = is_open<A>(g, i), b = open * s.u[i];
    const triad_real r = b - matrix<A, SOLIDS>(g, s, s.guess, i, c);
    s.r[i] = s.d[i] = r;
    s.u[i] = (A == HEAT ? 1 : open) * s.guess[i];
    sum[0] += volume * (double)r * (double)r;
    sum[1] += volume * (double)b * (double)b;
  }
};

struct multiply_op {
  enum { SUMS = 1, always = 0 };
  static constexpr triad_staggered_gpu_after after = TRIAD_STAGGERED_AFTER_DIRECTION;
  template <int A, int SOLIDS>
  static __device__ __forceinline__ void at(const mesh &g, const diffusion &s, const sums &, int64_t i,
                                            const int64_t c[3], double *sum)
  {
    const triad_real q = matrix<A, SOLIDS>(g, s, s.d, i, c);
    s.q[i] = q;
    sum[0] += volume_of<A>(g.sizes, c) * (double)s.d[i] * (double)q;
  }
};

struct step_op {
  enum { SUMS = 1, always = 0 };
  static constexpr triad_staggered_gpu_after after = TRIAD_STAGGERED_AFTER_STEP;
  template <int A, int SOLIDS>
  static __device__ __forceinline__ void at(const mesh &g, const diffusion &s, const sums &now, int64_t i,
                                            const int64_t c[3], double *sum)
  {
    const triad_real alpha = (triad_real)(now.several ? now.alpha : now.scalars->alpha), r = s.r[i] - alpha * s.q[i];
    s.u[i] += alpha * s.d[i];
    s.r[i] = r;
    sum[0] += volume_of<A>(g.sizes, c) * (double)r * (double)r;
  }
};

struct direction_op {
  enum { SUMS = 0, always = 0 };
  static constexpr triad_staggered_gpu_after after = TRIAD_STAGGERED_AFTER_SUMS;
  template <int A, int SOLIDS>
  static __device__ __forceinline__ void at(const mesh &, const diffusion &s, const sums &now, int64_t i,
                                            const int64_t[3], double *)
  {
    s.d[i] = s.r[i] + (triad_real)(now.several ? now.beta : now.scalars->beta) * s.d[i];
  }
};

template <class Op, int A, int SOLIDS>
static __global__ void __launch_bounds__(LANES *ROWS) each(const mesh g, const diffusion s, sums results)
{
  if (results.scalars->done && !Op::always) return;
  double sum[Op::SUMS > 0 ? Op::SUMS : 1] = {0};
  int64_t c[3] = {blockIdx.x * (int64_t)blockDim.x + threadIdx.x, blockIdx.y * (int64_t)blockDim.y + threadIdx.y,
                  blockIdx.z};
  if (c[0] < g.local[0] && c[1] < g.local[1])
    for (; c[2] < g.local[2]; c[2] += gridDim.z)
      Op::template at<A, SOLIDS>(g, s, results, g.origin + c[0] + c[1] * g.stride[1] + c[2] * g.stride[2], c, sum);
  if constexpr (Op::SUMS > 0) add_up<Op::SUMS>(sum, results, Op::after);
}

template <class Op, int SOLIDS> static void launch(const mesh *g, const diffusion *s, const sums *results, void *stream)
{
  const dim3 threads(LANES, ROWS);
  if (s->a == 0) TRIAD_LAUNCH(blocks_of(g), threads, stream, each<Op, 0, SOLIDS>)(*g, *s, *results);
  else if (s->a == 1) TRIAD_LAUNCH(blocks_of(g), threads, stream, each<Op, 1, SOLIDS>)(*g, *s, *results);
  else if (s->a == 2) TRIAD_LAUNCH(blocks_of(g), threads, stream, each<Op, 2, SOLIDS>)(*g, *s, *results);
  else TRIAD_LAUNCH(blocks_of(g), threads, stream, each<Op, HEAT, SOLIDS>)(*g, *s, *results);
}

template <class Op>
static int launch_all(const mesh *g, const diffusion *s, const sums *results, void *stream, const char *what)
{
  if (g->solids) launch<Op, 1>(g, s, results, stream);
  else launch<Op, 0>(g, s, results, stream);
  return launched(what);
}

extern "C" int triad_staggered_gpu_diffusion_begin(const mesh *g, const diffusion *s, const sums *results, void *stream)
{
  return launch_all<begin_op>(g, s, results, stream, "the first residual of implicit diffusion");
}

extern "C" int triad_staggered_gpu_diffusion_multiply(const mesh *g, const diffusion *s, const sums *results,
                                                      void *stream)
{
  return launch_all<multiply_op>(g, s, results, stream, "implicit diffusion");
}

extern "C" int triad_staggered_gpu_diffusion_step(const mesh *g, const diffusion *s, const sums *results, void *stream)
{
  return launch_all<step_op>(g, s, results, stream, "a step of implicit diffusion");
}

extern "C" int triad_staggered_gpu_diffusion_direction(const mesh *g, const diffusion *s, const sums *results,
                                                       void *stream)
{
  return launch_all<direction_op>(g, s, results, stream, "a direction of implicit diffusion");
}
