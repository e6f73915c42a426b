/* Lines of a vector to rows for cuFFT, modes to real numbers, and the ways back
 * (solvers/staggered/gpu/gpu_cosines.h): a tile of 32 lines and 32 numbers at a time, so that vectors and rows are
 * both read and written in whole lines of memory. */
#include "solvers/staggered/gpu/gpu_cosines.h"

#include "parallel/device_launch.h"
#include "base/precision.h"

typedef triad_staggered_gpu_rows rows_of_lines;

enum { TILE = 32, THREADS_Y = 8 };

/* A number of a line between walls, in its row. */
static __device__ __forceinline__ int index_in_row(const rows_of_lines &r, int j)
{
  if (!r.walls) return j;
  return j % 2 ? r.n - 1 - j / 2 : j / 2;
}

static __device__ __forceinline__ triad_real *row_of(const rows_of_lines &r, int i)
{
  return r.rows + ((int64_t)blockIdx.z * r.count[0] + i) * 2 * (r.n / 2 + 1);
}

struct phase {
  triad_real re, im;
};

/* exp(i pi k/2n) */
static __device__ __forceinline__ phase phase_of(const rows_of_lines &r, int k)
{
  const double angle = TRIAD_PI / 2 * k / r.n;
  return {(triad_real)cos(angle), (triad_real)sin(angle)};
}

struct real_row {
  static __device__ __forceinline__ triad_real get(const rows_of_lines &r, int i, int j)
  {
    return row_of(r, i)[index_in_row(r, j)];
  }
  static __device__ __forceinline__ void put(const rows_of_lines &r, int i, int j, triad_real value, triad_real)
  {
    row_of(r, i)[index_in_row(r, j)] = value;
  }
  static __device__ __forceinline__ int count(const rows_of_lines &r) { return r.n; }
  static __device__ __forceinline__ int other(const rows_of_lines &, int) { return -1; }
};

/* X_k as a vector has it; V_k of X_k and of X_(n - k). */
struct modes_row {
  static __device__ __forceinline__ triad_real get(const rows_of_lines &r, int i, int k)
  {
    const int upper = 2 * k > r.n, at = upper ? r.n - k : k;
    const triad_real *v = row_of(r, i) + 2 * at, re = v[0], im = v[1];
    if (!r.walls) return upper ? im : re;
    const phase p = phase_of(r, k);
    return 2 * (p.re * re + p.im * (upper ? -im : im));
  }
  static __device__ __forceinline__ void put(const rows_of_lines &r, int i, int k, triad_real value, triad_real other)
  {
    triad_real *v = row_of(r, i) + 2 * k;
    const phase p = r.walls ? phase_of(r, k) : phase{1, 0};
    const triad_real im = r.walls ? -other : other;
    v[0] = p.re * value - p.im * im;
    v[1] = p.re * im + p.im * value;
  }
  static __device__ __forceinline__ int count(const rows_of_lines &r) { return r.n / 2 + 1; }
  static __device__ __forceinline__ int other(const rows_of_lines &r, int k)
  {
    return k == 0 || (!r.walls && 2 * k == r.n) ? -1 : r.n - k; /* -1: there is none, 0 */
  }
};

/* Where numbers of a line lie behind one another in a vector, threads go along it there too. */
static __device__ __forceinline__ int line_in_tile(const rows_of_lines &r, int part)
{
  return (int)(r.step == 1 ? part : threadIdx.x);
}
static __device__ __forceinline__ int number_in_tile(const rows_of_lines &r, int part)
{
  return (int)(r.step == 1 ? threadIdx.x : part);
}

template <class Row>
static __global__ void __launch_bounds__(TILE *THREADS_Y) to(const rows_of_lines r, const triad_real *vector)
{
  __shared__ triad_real tile[2][TILE][TILE + 1]; /* [line][number] */
  const int i0 = (int)blockIdx.x * TILE, j0 = (int)blockIdx.y * TILE;
  const triad_real *from = vector + blockIdx.z * r.stride[1];
  for (int part = (int)threadIdx.y; part < TILE; part += THREADS_Y) {
    const int a = line_in_tile(r, part), b = number_in_tile(r, part), i = i0 + a, j = j0 + b;
    if (i >= r.count[0] || j >= Row::count(r)) continue;
    const int other = Row::other(r, j);
    tile[0][a][b] = from[i * r.stride[0] + j * r.step];
    tile[1][a][b] = other >= 0 ? from[i * r.stride[0] + other * r.step] : 0;
  }
  __syncthreads();
  for (int part = (int)threadIdx.y; part < TILE; part += THREADS_Y) {
    const int i = i0 + part, j = j0 + (int)threadIdx.x;
    if (i < r.count[0] && j < Row::count(r)) Row::put(r, i, j, tile[0][part][threadIdx.x], tile[1][part][threadIdx.x]);
  }
}

template <class Row>
static __global__ void __launch_bounds__(TILE *THREADS_Y) from(const rows_of_lines r, triad_real *vector)
{
  __shared__ triad_real tile[TILE][TILE + 1];
  const int i0 = (int)blockIdx.x * TILE, j0 = (int)blockIdx.y * TILE;
  triad_real *out = vector + blockIdx.z * r.stride[1];
  for (int part = (int)threadIdx.y; part < TILE; part += THREADS_Y) {
    const int i = i0 + part, j = j0 + (int)threadIdx.x;
    if (i < r.count[0] && j < r.n) tile[part][threadIdx.x] = Row::get(r, i, j);
  }
  __syncthreads();
  for (int part = (int)threadIdx.y; part < TILE; part += THREADS_Y) {
    const int a = line_in_tile(r, part), b = number_in_tile(r, part), i = i0 + a, j = j0 + b;
    if (i < r.count[0] && j < r.n) out[i * r.stride[0] + j * r.step] = tile[a][b];
  }
}

static dim3 blocks_of_tiles(const rows_of_lines *r)
{
  return dim3(blocks_for(r->count[0], TILE), blocks_for(r->n, TILE), (unsigned)r->count[1]);
}

extern "C" int triad_staggered_gpu_to_rows(const rows_of_lines *r, const triad_real *vector, void *stream)
{
  TRIAD_LAUNCH(blocks_of_tiles(r), dim3(TILE, THREADS_Y), stream, to<real_row>)(*r, vector);
  return launched("lines to rows");
}

extern "C" int triad_staggered_gpu_from_modes(const rows_of_lines *r, triad_real *vector, void *stream)
{
  TRIAD_LAUNCH(blocks_of_tiles(r), dim3(TILE, THREADS_Y), stream, from<modes_row>)(*r, vector);
  return launched("modes to real numbers");
}

extern "C" int triad_staggered_gpu_to_modes(const rows_of_lines *r, const triad_real *vector, void *stream)
{
  TRIAD_LAUNCH(blocks_of_tiles(r), dim3(TILE, THREADS_Y), stream, to<modes_row>)(*r, vector);
  return launched("real numbers to modes");
}

extern "C" int triad_staggered_gpu_from_rows(const rows_of_lines *r, triad_real *vector, void *stream)
{
  TRIAD_LAUNCH(blocks_of_tiles(r), dim3(TILE, THREADS_Y), stream, from<real_row>)(*r, vector);
  return launched("rows to lines");
}
