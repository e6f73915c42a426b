/* The x passes of one equation set, compiled once per set of solvers/spectral/equations/list.h with -DTRIAD_SET=<set>:
 * each TRIAD_GPU_PASS of <set>_points.h (kernels.h). A pass is fused if it requests it and kernels for its lines along
 * x exist; otherwise it consists of lines, points and lines. */
#include "fft/gpu/device_fused.h"
#ifndef __CUDACC_RTC__
#include "fft/gpu/gpu_pass.h"
#include "parallel/rounds.h"

#include <string.h>
#endif

#define TRIAD_TEXT_(x) #x
#define TRIAD_TEXT(x) TRIAD_TEXT_(x)

/* What a TRIAD_GPU_PASS may leave out. HELD 0: as many as IN. */
struct pass_defaults {
  enum { HELD = 0, KEEPS = 0, CARRIES = 0, BEHIND = 0, RATES = 1, FUSED = 1, SHARED = 0, SHIFTED = 1 };
};

/* As the kernels see it. G: its numbers, constants, point() and rate(). */
template <class G> struct pass {
  typedef typename G::constants law;
  enum {
    IN = G::IN,
    HELD = (int)G::HELD != 0 ? (int)G::HELD : (int)G::IN,
    KEEPS = G::KEEPS,
    RESULTS = G::RESULTS,
    CARRIES = G::CARRIES,
    BEHIND = G::BEHIND,
    SHARED = G::SHARED,
    FUSED = G::FUSED,
    SHIFTED = G::SHIFTED,
    WIDE = 0,
    PIECES = 0,
    BESIDE = 0, /* extra results at the points of this pass (fft/gpu/gpu_compiled.h) */
    AMONG = 0
  };
  static const char *word() { return G::word(); } /* its name */
  static __device__ __forceinline__ void point(const law &c, double dt, const triad_real *in, triad_real *out)
  {
    G::point(c, dt, in, out);
  }
  static __device__ __forceinline__ triad_real product(const law &c, double dt, int r, const triad_real *in)
  {
    triad_real out[RESULTS];
    G::point(c, dt, in, out);
    return out[r]; /* r is known when loops are unrolled: the others are not computed */
  }
  static __device__ __forceinline__ triad_real rate(const law &c, const triad_real *in)
  {
    if constexpr (G::RATES != 0) return G::rate(c, in);
    else return 0;
  }
};

/* The same where modes of up to half the points are kept. */
template <class P> struct wide : P {
  enum { WIDE = 1 };
};
/* The same where rows lie in the pieces that travel (triad_gpu_shape.from and .to). */
template <class P> struct in_pieces : P {
  enum { PIECES = 1 };
};

#ifndef __CUDACC_RTC__
/* No more blocks than the GPU holds, each with its share of the rows. */
template <int N, class P> static int fused(const typename P::law *law, const triad_gpu_chunk *c)
{
  typedef typename fused_room<N, P>::shape shape;
  constexpr size_t bytes = fused_room<N, P>::shared;
  const int64_t rows = (int64_t)c->count * c->shape->n[1];
  const unsigned all = blocks_for(rows, fused_form<N, P>::ROWS * shape::LANES);
  int each = 0, processors = 0, device = 0;
  TRIAD_TRY(allow_shared(fused_rows<N, P>, bytes));
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess)
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, fused_rows<N, P>, shape::THREADS, bytes);
  if (error != cudaSuccess || each < 1)
    return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "shared memory of the fused x pass: %s", cudaGetErrorString(error));
  const unsigned blocks = (unsigned)triad_blocks_of_rounds(all, each * processors);
  TRIAD_LAUNCH_SHARED(dim3(blocks), dim3(shape::WIDTH, shape::LANES), bytes, c->stream, fused_rows<N, P>)
  (*c->shape, *law, (const dcplx *)c->in, (dcplx *)c->out, rows, c->n_in - P::IN,
   c->kept + c->first * c->shape->n[1] * N, c->kept_stride, c->dt, c->peaks);
  return launched("fused x pass");
}

/* The same for lengths whose kernels are compiled at run time, and for a pass with extra results, whose parameters
 * follow in law. */
template <class P> static int visit_compiled(const void *law, const triad_gpu_chunk *c)
{
  const dcplx *in = (const dcplx *)c->in;
  dcplx *out = (dcplx *)c->out;
  int64_t rows = (int64_t)c->count * c->shape->n[1], kept_stride = c->kept_stride;
  int carried = c->n_in - P::IN;
  triad_real *kept = c->kept + c->first * c->shape->n[1] * c->shape->n[0];
  double dt = c->dt, *peaks = c->peaks;
  const void *arguments[] = {c->shape, law, &in, &out, &rows, &carried, &kept, &kept_stride, &dt, &peaks};
  if (c->beside)
    return triad_gpu_compiled_beside(c->beside, c->shape->n[0], TRIAD_TEXT(TRIAD_SET), P::word(), P::HELD - P::SHARED,
                                     rows, arguments, c->stream);
  return triad_gpu_compiled_points(c->shape->compiled[0], TRIAD_TEXT(TRIAD_SET), P::word(), P::HELD - P::SHARED, rows,
                                   arguments, c->stream);
}

/* A pass of no rows makes the kernel, if there can be one. */
template <class P> static int visit_beside(const typename P::law *law, const triad_gpu_chunk *c)
{
  struct {
    alignas(8) typename P::law own;
    alignas(8) char beside[TRIAD_GPU_BESIDE_BYTES];
  } both = {*law, {}};
  const unsigned further = c->beside->reads >> P::IN;
  if (c->count == 0 && (P::HELD > P::IN || (further && (further > 1 || P::CARRIES == 0 || c->n_in != P::IN + 1))))
    return TRIAD_OK;
  if (c->beside->bytes > 0) memcpy(both.beside, c->beside->law, c->beside->bytes);
  return visit_compiled<P>(&both, c);
}

template <class P> static int visit_fused(const typename P::law *law, const triad_gpu_chunk *c)
{
  return with_size(c->shape->n[0], [&](auto size) {
    if constexpr (P::SHIFTED != 0)
      if (c->shape->wide)
        return c->shape->from ? fused<size(), in_pieces<wide<P>>>(law, c) : fused<size(), wide<P>>(law, c);
    return c->shape->from ? fused<size(), in_pieces<P>>(law, c) : fused<size(), P>(law, c);
  });
}

/* The plain pass, on rows of physical values: what the fused one must agree with, and the one of lines by cuFFT. */
template <class P>
static __global__ void points_kernel(typename P::law law, int64_t n, int carried, const triad_real *in, triad_real *out,
                                     triad_real *kept, int64_t kept_stride, double dt, double *peak)
{
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  double rate = 0;
  if (i < n) {
    triad_real values[P::HELD], results[P::RESULTS];
#pragma unroll
    for (int f = 0; f < P::HELD; f++)
      values[f] =
        f >= P::IN ? kept[(f - P::IN) * kept_stride + i] : in[(f < P::IN - P::BEHIND ? f : f + carried) * n + i];
#pragma unroll
    for (int f = 0; f < P::KEEPS; f++) kept[f * kept_stride + i] = values[f];
    P::point(law, dt, values, results);
#pragma unroll
    for (int r = 0; r < P::RESULTS; r++) out[r * n + i] = results[r];
    if constexpr (P::CARRIES != 0)
      for (int s = 0; s < carried; s++)
#pragma unroll
        for (int c = 0; c < 3; c++)
          out[(P::RESULTS + 3 * s + c) * n + i] = values[c] * in[(P::IN - P::BEHIND + s) * n + i];
    rate = (double)P::rate(law, values);
  }
  if (peak) raise_peak(peak, rate);
}

template <class P> static int visit_plain(const typename P::law *law, const triad_gpu_chunk *c)
{
  const int64_t plane = (int64_t)c->shape->n[1] * c->shape->n[0], n = c->count * plane;
  TRIAD_TRY(triad_gpu_x_backward(c->shape, c->n_in, c->in, c->count, c->rows_in, c->stream));
  TRIAD_LAUNCH(dim3(blocks_for(n, 256)), dim3(256), c->stream, points_kernel<P>)
  (*law, n, P::CARRIES ? c->n_in - P::IN : 0, c->rows_in, c->rows_out, c->kept + c->first * plane, c->kept_stride,
   c->dt, c->peaks);
  TRIAD_TRY(launched("points"));
  return triad_gpu_x_forward(c->shape, c->n_out, c->rows_out, c->count, c->out, c->stream);
}

/* A template, so that only what the law asks for is made. */
template <class P> static int visit(const void *law, const triad_gpu_chunk *c)
{
  static_assert(P::FUSED == 0 || P::BEHIND == 0, "in one kernel what is carried comes last");
  if constexpr (P::FUSED != 0) {
    if (c->beside) return visit_beside<P>((const typename P::law *)law, c);
    if (c->shape->compiled[0]) return visit_compiled<P>((const typename P::law *)law, c);
    if (!c->shape->library[0]) return visit_fused<P>((const typename P::law *)law, c);
  }
  return c->beside ? TRIAD_OK : visit_plain<P>((const typename P::law *)law, c);
}
#endif

#ifdef __CUDACC_RTC__
#define TRIAD_GPU_VISIT(name)
#else
#define TRIAD_GPU_VISIT(name) \
  extern "C" int triad_gpu_visit_##name(const void *constants, const triad_gpu_chunk *chunk) \
  { \
    return visit<pass<name##_numbers>>(constants, chunk); \
  }
#endif

/* rate() is a template, so that one that is not there is not asked for. */
#define TRIAD_GPU_PASS(name, type, ...) \
  struct name##_numbers : pass_defaults { \
    typedef type constants; \
    static const char *word() { return #name; } \
    enum { __VA_ARGS__ }; \
    static __device__ __forceinline__ void point(const type &c, double dt, const triad_real *in, triad_real *out) \
    { \
      triad_##name##_point(&c, dt, in, out); \
    } \
    template <class C> static __device__ __forceinline__ triad_real rate(const C &c, const triad_real *in) \
    { \
      return triad_##name##_rate(&c, in); \
    } \
  }; \
  TRIAD_GPU_VISIT(name)

/* a path, not a division */
/* clang-format off */
#define TRIAD_SET_FILE(x) TRIAD_TEXT(solvers/spectral/equations/x##_points.h)
/* clang-format on */
#define TRIAD_SET_FILE_(x) TRIAD_SET_FILE(x)
#ifndef TRIAD_SET_FOLLOWS /* the text of a set is put behind this file (fft/gpu/gpu_compiled.h) */
#include TRIAD_SET_FILE_(TRIAD_SET)
#endif
