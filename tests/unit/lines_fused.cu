/* Rows as the fused x pass transforms them, of every length of lengths.c, for test_lines_gpu.c. */
#include <cuda_runtime.h>

#include "lines_fused.h" /* of lengths.c */

#include "fft/device_fused_forms.h"

static dcplx memory[16 << 10];

/* Modes kx <= kx_most of rows -> points, and back. */
template <int N, class form>
static __global__ void there_and_back(const dcplx *in, triad_real *points, dcplx *out, int kx_most, int64_t pitch, const dcplx *table)
{
  typedef factored<form::LINE> F;
  typedef fused_shape<form::LINE> shape;
  const int t = fused_thread<form::LINE>(), lane = threadIdx.y, rows = form::ROWS;
  dcplx *mine = memory + form::TABLE + lane * 2 * shape::PADDED, line[1][F::E];
  fused_line l = {{mine, mine + shape::PADDED}, memory, t, kx_most};
  fused_target to = {out, nullptr, 0, lane * rows * pitch, pitch, rows};
  form::fill(memory, table);
  __syncthreads();
  form::load(line[0], in + lane * rows * pitch, whole_row{}, pitch, rows, l);
  fused_transform<1, form::LINE, 1>(line, l.x, t, memory);
  form::keep(line[0], points + lane * rows * N, rows, t);
  form::recall(line[0], points + lane * rows * N, rows, t);
  fused_transform<-1, form::LINE, 1>(line, l.x, t, memory);
  form::template store<1>(line, l, to, 0);
}

template <int N, int ONE, bool WIDE>
static int rows(const triad_cplx *in, triad_real *points, triad_cplx *out, int kx_most, int64_t pitch, const triad_cplx *table)
{
  typedef std::conditional_t<ONE != 0, fused_row<N, WIDE>, fused_pair<N, WIDE>> form;
  typedef fused_shape<form::LINE> shape;
  static_assert(shape::LANES * 2 * shape::PADDED + form::TABLE <= sizeof memory / sizeof *memory, "memory");
  TRIAD_LAUNCH(1, dim3(shape::WIDTH, shape::LANES), 0, there_and_back<N, form>)
  ((const dcplx *)in, points, (dcplx *)out, kx_most, pitch, (const dcplx *)table);
  return form::ROWS * shape::LANES;
}

/* in, out: [row][pitch], points [row][n], of as many rows as it returns; those that have a kx_most of n/3 and more, where n is
 * a multiple of 20. */
extern "C" int test_fused(int n, const triad_cplx *in, triad_real *points, triad_cplx *out, int kx_most, int64_t pitch,
                          const triad_cplx *table)
{
  switch (n) {
#define CASE(size, one)                                                                                                \
  case size: {                                                                                                         \
    constexpr bool can = size % 20 == 0; /* for phase shifts */                                                        \
    if (3 * kx_most >= size && !can) return 0;                                                                         \
    if (3 * kx_most >= size) return rows<size, one, can>(in, points, out, kx_most, pitch, table);                      \
    return rows<size, one, false>(in, points, out, kx_most, pitch, table);                                             \
  }
    TEST_LENGTHS(CASE)
  }
  return 0;
}
