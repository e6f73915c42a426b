/* Lines by cuFFT (fft/gpu/gpu_library.h): copies to its buffer, complex [line][point], and back.
 *
 * Along y and z neighbours in memory are neighbouring lines, in the buffer neighbouring points of a line: tiles of both
 * turn in shared memory, so that either side is read and written in whole cache lines. */
#include "fft/gpu/device_launch.h"
#include "fft/gpu/gpu_library.h"
#include "transpose/chain_points.h"

enum { TILE = 32, TILE_ROWS = 8 };

/* side.get(line, i) -> point i of the line, lines of all. */
template <class Side>
static __global__ void __launch_bounds__(TILE *TILE_ROWS)
  load_tiles(Side side, int64_t first, int64_t count, int n, dcplx *buffer)
{
  __shared__ dcplx tile[TILE][TILE + 1];
  const int64_t from = (int64_t)blockIdx.x * TILE;
  const int points = blockIdx.y * TILE;
  for (int i = threadIdx.y; i < TILE; i += TILE_ROWS)
    if (from + threadIdx.x < count && points + i < n)
      tile[i][threadIdx.x] = side.get(first + from + threadIdx.x, points + i);
  __syncthreads();
  const int i = points + threadIdx.x;
  for (int l = threadIdx.y; l < TILE; l += TILE_ROWS)
    if (from + l < count && i < n) buffer[(from + l) * n + i] = tile[threadIdx.x][l];
}

template <class Side>
static __global__ void __launch_bounds__(TILE *TILE_ROWS)
  store_tiles(Side side, int64_t first, int64_t count, int n, const dcplx *buffer)
{
  __shared__ dcplx tile[TILE][TILE + 1];
  const int64_t from = (int64_t)blockIdx.x * TILE;
  const int points = blockIdx.y * TILE, i = points + threadIdx.x;
  for (int l = threadIdx.y; l < TILE; l += TILE_ROWS)
    if (from + l < count && i < n) tile[threadIdx.x][l] = buffer[(from + l) * n + i];
  __syncthreads();
  for (int k = threadIdx.y; k < TILE; k += TILE_ROWS)
    if (from + threadIdx.x < count && points + k < n)
      side.put(first + from + threadIdx.x, points + k, tile[k][threadIdx.x]);
}

/* Points of the lines of a batch: a thread each, points fastest. */
template <class Side> static __global__ void load_points(Side side, int64_t first, int64_t count, int n, dcplx *buffer)
{
  const int64_t at = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (at < count * n) buffer[at] = side.get(first + at / n, (int)(at % n));
}

/* side.put(line, i, values of the line), i < width. */
template <class Side>
static __global__ void store_points(Side side, int64_t first, int64_t count, int n, int width, const dcplx *buffer)
{
  const int64_t at = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (at < count * width) side.put(first + at / width, (int)(at % width), buffer + at / width * n);
}

/* All lines of an axis along y or z, batch by batch: loaded, transformed, stored. */
template <class From, class To>
static int serve(const triad_gpu_shape *g, int axis, int64_t lines, int backward, const From &from, const To &to,
                 void *stream)
{
  const int n = g->n[axis];
  const dim3 threads(TILE, TILE_ROWS);
  triad_gpu_batch b;
  TRIAD_TRY(triad_gpu_batch_begin(&b, g->library[axis], axis, lines, stream));
  while (triad_gpu_batch_next(&b)) {
    const dim3 tiles(blocks_for(b.count, TILE), blocks_for(n, TILE));
    TRIAD_LAUNCH(tiles, threads, stream, load_tiles<From>)(from, b.first, b.count, n, (dcplx *)b.buffer);
    TRIAD_TRY(launched("loading lines"));
    TRIAD_TRY(triad_gpu_batch_transform(&b, backward));
    TRIAD_LAUNCH(tiles, threads, stream, store_tiles<To>)(to, b.first, b.count, n, (const dcplx *)b.buffer);
    TRIAD_TRY(launched("storing lines"));
  }
  return TRIAD_OK;
}

/* ---- z ---- */

/* The number j of the mode that a column keeps at place z of a transform, -1 where it keeps none. */
static __device__ __forceinline__ int64_t kept_kz(const triad_gpu_shape &g, int64_t column, int z)
{
  const int extent = g.extent[column];
  return z <= extent ? z : g.n[2] - z <= extent ? z - g.n[2] + g.nkz : -1;
}

struct z_columns {
  triad_gpu_shape g;
  triad_gpu_fields fields;
  __device__ __forceinline__ dcplx get(int64_t line, int z) const
  {
    const int64_t column = line % g.columns, j = kept_kz(g, column, z);
    if (j < 0) return dcplx{0, 0};
    const dcplx v = ((const dcplx *)fields.field[line / g.columns])[j * g.columns + column];
    return g.shift.along[2] ? v * (factor_of(g, column) * ((const dcplx *)g.shift.along[2])[j]) : v;
  }
};

/* n fields, each plane in the order of its chunk. */
struct z_work {
  triad_gpu_shape g;
  int n;
  dcplx *work;
  __device__ __forceinline__ void put(int64_t line, int z, dcplx v) const
  {
    const int64_t place = (int64_t)z * g.slots - g.within[z] * (g.slots - n) + line / g.columns;
    work[place * g.columns + line % g.columns] = v;
  }
};

struct z_results {
  triad_gpu_shape g;
  dcplx *work;
  __device__ __forceinline__ dcplx *at(int64_t line, int64_t j) const
  {
    return work + (j * g.slots + line / g.columns) * g.columns + line % g.columns;
  }
  __device__ __forceinline__ dcplx get(int64_t line, int z) const { return *at(line, z); }
  __device__ __forceinline__ void put(int64_t line, int z, dcplx v) const
  {
    const int64_t column = line % g.columns, j = kept_kz(g, column, z);
    if (j < 0) return;
    if (g.shift.along[2]) v = v * conjugate(factor_of(g, column) * ((const dcplx *)g.shift.along[2])[j]);
    if (g.shift.first && !put_aside(g, (line / g.columns * g.nkz + j) * g.columns + column, v)) return;
    *at(line, j) = v;
  }
};

extern "C" int triad_gpu_library_z_backward(const triad_gpu_shape *g, const triad_gpu_fields *fields, int n,
                                            triad_cplx *work, void *stream)
{
  return serve(g, 2, n * g->columns, 1, z_columns{*g, *fields}, z_work{*g, n, (dcplx *)work}, stream);
}

extern "C" int triad_gpu_library_z_forward(const triad_gpu_shape *g, int n, triad_cplx *work, void *stream)
{
  const z_results results = {*g, (dcplx *)work};
  return serve(g, 2, n * g->columns, 0, results, results, stream);
}

/* ---- y ---- */

template <bool MANY> struct y_columns {
  triad_gpu_shape g;
  triad_gpu_side side;
  int planes;
  __device__ __forceinline__ dcplx get(int64_t line, int y) const
  {
    const int kx = (int)(line % (g.kx_most + 1)), plane = (int)(line / (g.kx_most + 1));
    const triad_gpu_row row = g.rows[y];
    const int i = kx - row.first;
    if (i >= 0 && i < row.count)
      return *place<MANY>(g, side, plane % planes, plane / planes, row.column + i, row.owner);
    if (!held_elsewhere(g, kx, y)) return dcplx{0, 0};
    const triad_gpu_row held = g.rows[g.n[1] - y];
    const dcplx v = *place<MANY>(g, side, plane % planes, plane / planes, held.column + kx, held.owner);
    return dcplx{v.x, -v.y};
  }
};

/* Lines of result number `part` of each chain of a run: k_y of it completes what k_x of the one before has begun,
 * scaled. */
template <bool MANY> struct y_results {
  triad_gpu_shape g;
  triad_gpu_side side;
  triad_chain_run run;
  int part, planes;
  triad_real scale;
  __device__ __forceinline__ void put(int64_t line, int y, dcplx v) const
  {
    const int kx = (int)(line % (g.kx_most + 1)), plane = (int)(line / (g.kx_most + 1));
    const int f = run.joined + plane / planes * run.joined_step + part;
    const triad_gpu_row row = g.rows[y];
    const int i = kx - row.first;
    if (i < 0 || i >= row.count) return;
    const int number = row.column + i;
    v = scale * v;
    if (run.length == 1) {
      *place<MANY>(g, side, plane % planes, f, number, row.owner) = v;
      return;
    }
    if (part > 0) {
      dcplx *begun = place<MANY>(g, side, plane % planes, f - 1, number, row.owner);
      const triad_real along = g.wave[1][y];
      *begun = dcplx{-triad_chain_end(begun->y, along, v.y), triad_chain_end(begun->x, along, v.x)};
    }
    if (part < run.length - 1) {
      const triad_real across = g.wave[0][kx];
      *place<MANY>(g, side, plane % planes, f, number, row.owner) =
        dcplx{triad_chain_begin(across, v.x), triad_chain_begin(across, v.y)};
    }
  }
};

struct y_planes {
  triad_gpu_shape g;
  dcplx *planes;
  int count;       /* planes of a field */
  int first, step; /* field number i is first + i step */
  __device__ __forceinline__ dcplx *at(int64_t line, int y) const
  {
    const int kx = (int)(line % (g.kx_most + 1)), plane = (int)(line / (g.kx_most + 1));
    return planes + row_of_lines(g, first + plane / count * step, count, plane % count, y) * g.pitch + kx;
  }
  __device__ __forceinline__ dcplx get(int64_t line, int y) const { return *at(line, y); }
  __device__ __forceinline__ void put(int64_t line, int y, dcplx v) const { *at(line, y) = v; }
};

extern "C" int triad_gpu_library_y_backward(const triad_gpu_shape *g, int n, const triad_gpu_side *from, int count,
                                            triad_cplx *planes, void *stream)
{
  const int64_t lines = (int64_t)n * count * (g->kx_most + 1);
  const y_planes to = {*g, (dcplx *)planes, count, 0, 1};
  return g->size > 1 ? serve(g, 1, lines, 1, y_columns<true>{*g, *from, count}, to, stream)
                     : serve(g, 1, lines, 1, y_columns<false>{*g, *from, count}, to, stream);
}

extern "C" int triad_gpu_library_y_forward(const triad_gpu_shape *g, const triad_chain_run *run,
                                           const triad_cplx *planes, int count, double scale, const triad_gpu_side *to,
                                           void *stream)
{
  const int64_t lines = (int64_t)run->count * count * (g->kx_most + 1);
  for (int part = 0; part < run->length; part++) {
    const y_planes from = {*g, (dcplx *)(uintptr_t)planes, count, run->first + part, run->step};
    TRIAD_TRY(g->size > 1
                ? serve(g, 1, lines, 0, from, y_results<true>{*g, *to, *run, part, count, (triad_real)scale}, stream)
                : serve(g, 1, lines, 0, from, y_results<false>{*g, *to, *run, part, count, (triad_real)scale}, stream));
  }
  return TRIAD_OK;
}

/* ---- x: two real rows a, b are the complex line a + i b (cuda/fft/lines_x.cu) ---- */

struct pairs_of {
  triad_gpu_shape g;
  int64_t rows; /* of a field */
  __device__ __forceinline__ int64_t first(int64_t line, int *count) const
  {
    const int64_t pairs = (rows + 1) / 2, field = line / pairs, row = 2 * (line % pairs);
    *count = row + 1 < rows ? 2 : 1;
    return field * rows + row;
  }
};

struct x_planes {
  pairs_of pairs;
  dcplx *planes;
  /* Z = A + i B, the second row taken for zeros where there is none. */
  __device__ __forceinline__ dcplx get(int64_t line, int i) const
  {
    const int n = pairs.g.n[0], k = i <= pairs.g.kx_most ? i : n - i;
    int count;
    const dcplx *a = planes + pairs.first(line, &count) * pairs.g.pitch;
    if (k > pairs.g.kx_most) return dcplx{0, 0};
    a += place_of(pairs.g.from, k);
    dcplx p = a[0], q = count > 1 ? a[pairs.g.pitch] : dcplx{0, 0};
    if (k == 0 || 2 * k == n) p.y = q.y = 0; /* round-off: the mean of a real row is real, and so is its last mode */
    return k == i ? dcplx{p.x - q.y, p.y + q.x} : dcplx{p.x + q.y, q.x - p.y};
  }
  /* A = (Z(k) + conj Z(-k))/2, B = (Z(k) - conj Z(-k))/(2i). */
  __device__ __forceinline__ void put(int64_t line, int k, const dcplx *z) const
  {
    const triad_real half = (triad_real)0.5;
    const dcplx v = z[k], w = z[k ? pairs.g.n[0] - k : 0];
    int count;
    dcplx *a = planes + pairs.first(line, &count) * pairs.g.pitch + place_of(pairs.g.to, k);
    a[0] = dcplx{half * (v.x + w.x), half * (v.y - w.y)};
    if (count > 1) a[pairs.g.pitch] = dcplx{half * (v.y + w.y), half * (w.x - v.x)};
  }
};

struct x_rows {
  pairs_of pairs;
  triad_real *points;
  __device__ __forceinline__ dcplx get(int64_t line, int i) const
  {
    const int n = pairs.g.n[0];
    int count;
    const triad_real *a = points + pairs.first(line, &count) * n + i;
    return dcplx{a[0], count > 1 ? a[n] : 0};
  }
  __device__ __forceinline__ void put(int64_t line, int i, const dcplx *z) const
  {
    const int n = pairs.g.n[0];
    int count;
    triad_real *a = points + pairs.first(line, &count) * n + i;
    a[0] = z[i].x;
    if (count > 1) a[n] = z[i].y;
  }
};

/* Pairs of rows of n fields of `count` planes. */
template <class From, class To>
static int serve_pairs(const triad_gpu_shape *g, int n, int count, int backward, const From &from, const To &to,
                       int width, void *stream)
{
  triad_gpu_batch b;
  TRIAD_TRY(triad_gpu_batch_begin(&b, g->library[0], 0, n * (((int64_t)count * g->n[1] + 1) / 2), stream));
  while (triad_gpu_batch_next(&b)) {
    TRIAD_LAUNCH(dim3(blocks_for(b.count * g->n[0], 256)), dim3(256), stream, load_points<From>)
    (from, b.first, b.count, g->n[0], (dcplx *)b.buffer);
    TRIAD_TRY(launched("loading rows"));
    TRIAD_TRY(triad_gpu_batch_transform(&b, backward));
    TRIAD_LAUNCH(dim3(blocks_for(b.count * width, 256)), dim3(256), stream, store_points<To>)
    (to, b.first, b.count, g->n[0], width, (const dcplx *)b.buffer);
    TRIAD_TRY(launched("storing rows"));
  }
  return TRIAD_OK;
}

extern "C" int triad_gpu_library_x_backward(const triad_gpu_shape *g, int n, const triad_cplx *planes, int count,
                                            triad_real *rows, void *stream)
{
  const pairs_of pairs = {*g, (int64_t)count * g->n[1]};
  return serve_pairs(g, n, count, 1, x_planes{pairs, (dcplx *)(uintptr_t)planes}, x_rows{pairs, rows}, g->n[0], stream);
}

extern "C" int triad_gpu_library_x_forward(const triad_gpu_shape *g, int n, const triad_real *rows, int count,
                                           triad_cplx *planes, void *stream)
{
  const pairs_of pairs = {*g, (int64_t)count * g->n[1]};
  return serve_pairs(g, n, count, 0, x_rows{pairs, (triad_real *)(uintptr_t)rows}, x_planes{pairs, (dcplx *)planes},
                     g->kx_most + 1, stream);
}
