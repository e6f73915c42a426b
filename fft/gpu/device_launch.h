/* Helpers of the transform's kernels other than lines. For cuda/ only. */
#ifndef TRIAD_FFT_GPU_DEVICE_LAUNCH_H
#define TRIAD_FFT_GPU_DEVICE_LAUNCH_H

#include "fft/gpu/device_lines.h"
#include "fft/gpu/device_peak.h"
#include "fft/gpu/gpu_lines.h"

#include <type_traits>

#ifndef __CUDACC_RTC__ /* for the host; not in kernels compiled at run time */
#include "fft/gpu/gpu_compiled.h"
#include "parallel/device_launch.h"

/* work(size) for lines of n points, size() being known when compiled. */
template <class Work> static int with_size(int n, const Work &work)
{
  switch (n) {
#define CASE(size, e, a, b) \
  case size: return work(std::integral_constant<int, size>());
    TRIAD_DEVICE_SIZES(CASE)
#undef CASE
  default: return TRIAD_FAIL(TRIAD_ERR_FEATURE, "there is no GPU kernel for %d points along an axis", n);
  }
}

#endif

/* The row of a plane's y, all of it. */
static __device__ __forceinline__ triad_gpu_row row_at(const triad_gpu_shape &g, int y)
{
  static_assert(sizeof(triad_gpu_row) == sizeof(int4), "a row in one load");
  const int4 row = ((const int4 *)g.rows)[y];
  return {row.x, row.y, row.z, row.w};
}

static __device__ __forceinline__ dcplx conjugate(dcplx a) { return {a.x, -a.y}; }

/* The factor exp(i k.s) of a column along x and y on a shifted grid. */
static __device__ __forceinline__ dcplx factor_of(const triad_gpu_shape &g, int64_t column)
{
  const triad_gpu_shift &s = g.shift;
  return ((const dcplx *)s.along[0])[s.kx[column]] * ((const dcplx *)s.along[1])[s.ky[column]];
}

/* Mean over two grids: store a result of the first grid at `place` of its own buffer and return 0; on the second grid
 * set v to the mean of both. */
static __device__ __forceinline__ int put_aside(const triad_gpu_shape &g, int64_t place, dcplx &v)
{
  dcplx *first = (dcplx *)g.shift.first + place;
  if (g.shift.second) v = (triad_real)0.5 * (*first + v);
  else *first = v;
  return g.shift.second;
}

/* Is the conjugate at -ky held instead of line kx at y, whose ky < 0? So it is of kx = 0, and of nx/2 where every
 * mode is kept. */
static __device__ __forceinline__ bool held_elsewhere(const triad_gpu_shape &g, int kx, int y)
{
  return (kx == g.zero || kx == g.nyquist) && 2 * y > g.n[1] && g.n[1] - y <= g.ky_most;
}

/* The row of row y of field f at plane z of a chunk, of `planes` planes, among rows of lines along y. */
static __device__ __forceinline__ int64_t row_of_lines(const triad_gpu_shape &g, int f, int planes, int z, int y)
{
  const int64_t plane = (int64_t)(g.behind + f) * planes + z;
  if (!g.members) return plane * g.n[1] + y;
  const triad_gpu_member m = g.members[y];
  return m.first * g.apart + plane * m.count + y - m.first;
}

/* Where kx of a row along x lies, behind where the row begins: g.from or g.to says. */
static __device__ __forceinline__ int64_t place_of(const int64_t *at, int kx) { return at ? at[kx] : kx; }

/* The same where it is known when compiled whether rows lie in pieces. */
struct whole_row {
  __device__ __forceinline__ int64_t operator()(int kx) const { return kx; }
};
struct row_in_pieces {
  const int64_t *at;
  __device__ __forceinline__ int64_t operator()(int kx) const { return at[kx]; }
};
template <bool PIECES> static __device__ __forceinline__ auto places(const int64_t *at)
{
  if constexpr (PIECES) return row_in_pieces{at};
  else return (void)at, whole_row{};
}

/* Where column `number` of all lies at a plane of a chunk, field f; `owner` has the first column of its row. */
template <bool MANY>
static __device__ __forceinline__ dcplx *place(const triad_gpu_shape &g, const triad_gpu_side &side, int plane, int f,
                                               int number, int owner)
{
  int64_t w = side.plane + plane;
  if constexpr (MANY) {
    while (number >= g.part[owner + 1].begin) owner++;
    triad_gpu_part part = g.part[owner];
    bool own = owner == g.rank;
    dcplx *from = own ? (dcplx *)side.own : (dcplx *)side.other + part.before * g.chunk * side.fields;
    return from + (w * (own ? g.slots : side.fields) + f) * part.columns + (number - part.begin);
  }
  return (dcplx *)side.own + (w * g.slots + f) * g.columns + number;
}

#endif
