/* The x passes of a velocity, products and extremes, as NVRTC compiles them, of a few lengths, for test_lines_gpu.c:
 * an odd number of points in pairs of rows; rows one by one whose halves have an odd quarter; and more than a warp's
 * worth of threads a line. */
#ifndef TEST_PASSES
#define TEST_PASSES test_passes
#endif
#define __CUDACC_RTC__
#define TRIAD_COMPILED_LENGTHS \
  TRIAD_LENGTH(factored, 45, 15, 5, 3, 1, 1, 3) \
  TRIAD_LENGTH_LANES(fused_lanes_of, 45, 11) \
  TRIAD_LENGTH(factored, 250, 10, 10, 5, 1, 1, 5) \
  TRIAD_LENGTH_LANES(fused_lanes_of, 250, 5) \
  TRIAD_LENGTH(factored, 180, 6, 6, 10, 1, 1, 3) TRIAD_LENGTH_LANES(fused_lanes_of, 180, 2)
#define TRIAD_ONE_BY_ONE (n == 500)
#define TRIAD_SET hd
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <float.h>
#include <math.h>

#include <type_traits>
#include <vector>

/* Kernels of both precisions have the same names. */
namespace
{

#include "cuda/spectral/set_extremes.cu"
#include "cuda/spectral/points.cu"

typedef pass<velocity_numbers> velocity;
/* Its second and third component wait in shared memory, as fields of mhd do. */
template <class P> struct waiting : P {
  enum { SHARED = 2 };
};

static std::vector<dcplx> rounded(const double *numbers, size_t n)
{
  std::vector<dcplx> made(n);
  for (size_t i = 0; i < n; i++) made[i] = dcplx{(triad_real)numbers[2 * i], (triad_real)numbers[2 * i + 1]};
  return made;
}

template <int N, class kind, bool WIDE>
static int passes_of(const double *in, size_t n_in, double *out, size_t n_out, int carried, triad_gpu_shape g, int rows,
                     const double per_spacing[3], double *peaks)
{
  typedef fused_room<N, kind> room;
  typedef extremes_shape<N, WIDE> both;
  std::vector<dcplx> from = rounded(in, n_in), to(n_out);
  triad_velocity_constants law = {};
  spacings a;
  for (int i = 0; i < 3; i++) law.per_spacing[i] = (triad_real)(a.per[i] = per_spacing[i]);
  TRIAD_LAUNCH_SHARED(2, dim3(room::shape::WIDTH, room::shape::LANES), room::shared, 0, (fused_rows<N, kind>))
  (g, law, from.data(), to.data(), rows, carried, nullptr, 0, 0.0, peaks);
  const unsigned blocks = (unsigned)((rows + both::ROWS - 1) / both::ROWS);
  TRIAD_LAUNCH_SHARED(blocks, dim3(both::shape::WIDTH, both::shape::LANES), both::shared, 0, (extremes<N, WIDE>))
  (g, a, from.data(), rows, peaks + 1);
  for (size_t i = 0; i < to.size(); i++) out[2 * i] = (double)to[i].x, out[2 * i + 1] = (double)to[i].y;
  return 1;
}

template <int N, bool WIDE>
static int passes(const double *in, size_t n_in, double *out, size_t n_out, int carried, int waits, triad_gpu_shape g,
                  int rows, const double per_spacing[3], double *peaks)
{
  typedef std::conditional_t<WIDE, wide<velocity>, velocity> whole;
  if (waits) return passes_of<N, waiting<whole>, WIDE>(in, n_in, out, n_out, carried, g, rows, per_spacing, peaks);
  return g.from ? passes_of<N, in_pieces<whole>, WIDE>(in, n_in, out, n_out, carried, g, rows, per_spacing, peaks)
                : passes_of<N, whole, WIDE>(in, n_in, out, n_out, carried, g, rows, per_spacing, peaks);
}

} // namespace

/* in: complex [3 + carried][rows][pitch], n_in numbers; out: [5 + 3 carried] of them, n_out; places: where kx of a
 * row of `in` lies behind its beginning, then of `out`, [2][kx_most + 1], or NULL; waits: two fields do in shared
 * memory, of rows that lie whole; table: exp(-2 pi i j/n); peaks: of the pass, and two of the extremes. Of 180
 * points a kx_most of n/3 and more, too. 0: a length that is not here. */
extern "C" int TEST_PASSES(int n, const double *in, int n_in, double *out, int n_out, int carried, int waits, int rows,
                           int kx_most, int pitch, const int64_t *places, const double *table,
                           const double per_spacing[3], double *peaks)
{
  const std::vector<dcplx> twiddle = rounded(table, (size_t)n);
  triad_gpu_shape g = {};
  g.n[0] = n;
  g.n[1] = rows;
  g.kx_most = kx_most;
  g.pitch = pitch;
  g.from = places;
  g.to = places ? places + kx_most + 1 : nullptr;
  g.twiddle[0] = (const triad_cplx *)twiddle.data();
  if (n == 180 && 3 * kx_most >= n)
    return passes<180, true>(in, (size_t)n_in, out, (size_t)n_out, carried, waits, g, rows, per_spacing, peaks);
  return n == 45 ? passes<45, false>(in, (size_t)n_in, out, (size_t)n_out, carried, waits, g, rows, per_spacing, peaks)
         : n == 180
           ? passes<180, false>(in, (size_t)n_in, out, (size_t)n_out, carried, waits, g, rows, per_spacing, peaks)
         : n == 500
           ? passes<500, false>(in, (size_t)n_in, out, (size_t)n_out, carried, waits, g, rows, per_spacing, peaks)
           : 0;
}
