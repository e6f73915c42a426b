/* Values at points (fft/at_points/gpu_at_points.h): modes to lines, lines to planes, planes to points. */
#include "fft/at_points/gpu_at_points.h"
#include "parallel/device_launch.h"

enum {
  W = TRIAD_KERNEL_WIDTH,
  WARP = 32,
  HALVES = WARP / W,
  THREADS = 256,
  SUM_THREADS = 384,
  SUM_POINTS = 96 /* of a block of sums */
};

struct complex_number {
  double re, im;
};

static __device__ __forceinline__ int around(int64_t k, int n) { return (int)(k < 0 ? k + n : k); }

/* One thread per mode. For kx = 0 only one of (ky, -ky) is stored: the other is its conjugate at -kz. */
static __global__ void fill_lines(triad_gpu_at a, int m, const double *modes, complex_number *lines)
{
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x, c = i / a.nkz;
  const int j = (int)(i % a.nkz);
  if (c >= a.columns) return;
  const int kx = a.kx[c], ky = a.ky[c], kz = a.kz[j];
  const double by = a.undo[0][kx] * a.undo[1][ky < 0 ? -ky : ky] * a.undo[2][kz < 0 ? -kz : kz] *
                    triad_at_factor(m, a.wx[c], a.wy[c], a.wz[j]);
  for (int conjugate = 0; conjugate < (kx == 0 && !a.self[c] ? 2 : 1); conjugate++) {
    const int sign = conjugate ? -1 : 1;
    double to[2];
    triad_at_term(m, by, modes + 2 * i, conjugate, to);
    const int64_t line = (int64_t)around(sign * ky, a.ky_count) * a.kx_count + kx;
    lines[line * a.n[2] + around(sign * kz, a.n[2])] = complex_number{to[0], to[1]};
  }
}

extern "C" int triad_gpu_at_lines(const triad_gpu_at *a, int m, const double *modes, double *lines, void *stream)
{
  TRIAD_LAUNCH(dim3(blocks_for(a->columns * a->nkz, THREADS)), dim3(THREADS), stream, fill_lines)
  (*a, m, modes, (complex_number *)lines);
  return launched("modes of values at points");
}

/* One thread per number of a plane; neighbouring threads along x. */
static __global__ void fill_planes(triad_gpu_at a, const complex_number *lines, triad_gpu_at_planes p)
{
  const int pitch = a.n[0] / 2 + 1;
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x, row = i / pitch;
  const int kx = (int)(i % pitch), y = (int)(row % a.n[1]), upper = a.ky_count / 2;
  const int64_t plane = row / a.n[1];
  if (plane >= p.count) return;
  complex_number u = {0, 0};
  if (kx < a.kx_count && (y <= upper || y >= a.n[1] - upper)) {
    const int64_t line = (int64_t)(y <= upper ? y : y - a.n[1] + a.ky_count) * a.kx_count + kx;
    u = lines[line * a.n[2] + (p.origin + plane) % a.n[2]];
  }
  ((complex_number *)p.grid)[i] = u;
}

extern "C" int triad_gpu_at_spread(const triad_gpu_at *a, const double *lines, const triad_gpu_at_planes *to,
                                   void *stream)
{
  const int64_t numbers = (int64_t)to->count * a->n[1] * (a->n[0] / 2 + 1);
  TRIAD_LAUNCH(dim3(blocks_for(numbers, THREADS)), dim3(THREADS), stream, fill_planes)
  (*a, (const complex_number *)lines, *to);
  return launched("planes of values at points");
}

/* A warp a point: half of it has all W places along x, of every other row. A block goes through points that follow
 * each other, whose surroundings it finds in its cache. */
static __global__ void __launch_bounds__(SUM_THREADS, 2)
  sum_points(triad_gpu_at a, triad_gpu_at_planes p, int64_t first, int64_t n, const double *place, const int64_t *order,
             double *values)
{
  const int lane = threadIdx.x % WARP, j = lane % W, half = lane / W, pitch = 2 * (a.n[0] / 2 + 1);
  const int64_t begin = first + blockIdx.x * (int64_t)SUM_POINTS,
                end = begin + SUM_POINTS < first + n ? begin + SUM_POINTS : first + n;
  for (int64_t i = begin + threadIdx.x / WARP; i < end; i += SUM_THREADS / WARP) {
    double t[3], k[3], ky[W / HALVES], sum = 0;
    int at[3], row[W / HALVES];
    for (int axis = 0; axis < 3; axis++) at[axis] = (int)triad_kernel_first(place[3 * i + axis], a.n[axis], &t[axis]);
    triad_kernel_weights(a.kernel, j, t, k);
    const int x = at[0] + j < a.n[0] ? at[0] + j : at[0] + j - a.n[0];
#pragma unroll
    for (int q = 0; q < W / HALVES; q++) {
      const int y = at[1] + HALVES * q + half;
      row[q] = (y < a.n[1] ? y : y - a.n[1]) * pitch + x;
      ky[q] = __shfl_sync(0xffffffffu, k[1], HALVES * q + half);
    }
    int z = at[2] < p.origin ? at[2] - p.origin + a.n[2] : at[2] - p.origin;
    for (int l = 0; l < W; l++) {
      const double *plane = p.grid + (int64_t)z * a.n[1] * pitch;
      double of_plane = 0;
#pragma unroll
      for (int q = 0; q < W / HALVES; q++) of_plane += ky[q] * plane[row[q]];
      sum += __shfl_sync(0xffffffffu, k[2], l) * of_plane;
      if (++z == a.n[2]) z = 0; /* with fewer planes than that none is beyond the last */
    }
    sum *= k[0];
    for (int step = WARP / 2; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (lane == 0) values[order[i]] = sum;
  }
}

extern "C" int triad_gpu_at_sum(const triad_gpu_at *a, const triad_gpu_at_planes *from, int64_t first, int64_t n,
                                const double *place, const int64_t *order, double *values, void *stream)
{
  if (n == 0) return TRIAD_OK;
  TRIAD_LAUNCH(dim3(blocks_for(n, SUM_POINTS)), dim3(SUM_THREADS), stream, sum_points)
  (*a, *from, first, n, place, order, values);
  return launched("sums at points");
}
