/* Lines into cuFFT's buffer and out of it (fft/gpu_library.h), complex [line][point].
 *
 * Along y and z neighbours in memory are neighbouring lines, in the buffer neighbouring points of a line: tiles of both
 * turn in shared memory, so that either side is read and written in whole cache lines. */
#include "fft/device_place.h"
#include "fft/gpu_library.h"

enum { TILE = 32, TILE_ROWS = 8 };

/* side.get(line, i) -> point i of the line, lines of all. */
template <class Side>
static __global__ void __launch_bounds__(TILE * TILE_ROWS)
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
static __global__ void __launch_bounds__(TILE * TILE_ROWS)
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

static dim3 tiles(const triad_gpu_batch *b, int n) { return dim3(blocks_for(b->count, TILE), blocks_for(n, TILE)); }

template <class Side> static int load(const Side &side, int n, const triad_gpu_batch *b)
{
  load_tiles<<<tiles(b, n), dim3(TILE, TILE_ROWS), 0, (cudaStream_t)b->stream>>>(side, b->first, b->count, n,
                                                                                (dcplx *)b->buffer);
  return launched("loading lines");
}

template <class Side> static int store(const Side &side, int n, const triad_gpu_batch *b)
{
  store_tiles<<<tiles(b, n), dim3(TILE, TILE_ROWS), 0, (cudaStream_t)b->stream>>>(side, b->first, b->count, n,
                                                                                 (const dcplx *)b->buffer);
  return launched("storing lines");
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
    return j < 0 ? dcplx{0, 0} : ((const dcplx *)fields.field[line / g.columns])[j * g.columns + column];
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
    const int64_t j = kept_kz(g, line % g.columns, z);
    if (j >= 0) *at(line, j) = v;
  }
};

extern "C" int triad_gpu_z_load(const triad_gpu_shape *g, const triad_gpu_fields *fields, const triad_gpu_batch *b)
{
  return load(z_columns{*g, *fields}, g->n[2], b);
}

extern "C" int triad_gpu_z_store(const triad_gpu_shape *g, int n, triad_cplx *work, const triad_gpu_batch *b)
{
  return store(z_work{*g, n, (dcplx *)work}, g->n[2], b);
}

extern "C" int triad_gpu_z_load_work(const triad_gpu_shape *g, const triad_cplx *work, const triad_gpu_batch *b)
{
  return load(z_results{*g, (dcplx *)(uintptr_t)work}, g->n[2], b);
}

extern "C" int triad_gpu_z_store_results(const triad_gpu_shape *g, triad_cplx *work, const triad_gpu_batch *b)
{
  return store(z_results{*g, (dcplx *)work}, g->n[2], b);
}

/* ---- y ---- */

template <bool MANY> struct y_columns {
  triad_gpu_shape g;
  triad_gpu_side side;
  int planes;
  triad_real scale;
  __device__ __forceinline__ dcplx get(int64_t line, int y) const
  {
    const int kx = (int)(line % (g.kx_most + 1)), plane = (int)(line / (g.kx_most + 1));
    const triad_gpu_row row = g.rows[y];
    const int i = kx - row.first;
    if (i >= 0 && i < row.count)
      return *place<MANY>(g, side, plane % planes, plane / planes, row.column + i, row.owner);
    if (kx != 0 || row.first != 1) return dcplx{0, 0};
    /* the conjugate of (0, -ky) is held instead */
    const triad_gpu_row held = g.rows[g.n[1] - y];
    const dcplx v = *place<MANY>(g, side, plane % planes, plane / planes, held.column, held.owner);
    return dcplx{v.x, -v.y};
  }
  __device__ __forceinline__ void put(int64_t line, int y, dcplx v) const
  {
    const int kx = (int)(line % (g.kx_most + 1)), plane = (int)(line / (g.kx_most + 1));
    const triad_gpu_row row = g.rows[y];
    const int i = kx - row.first;
    if (i >= 0 && i < row.count)
      *place<MANY>(g, side, plane % planes, plane / planes, row.column + i, row.owner) = scale * v;
  }
};

struct y_planes {
  triad_gpu_shape g;
  dcplx *planes;
  __device__ __forceinline__ dcplx *at(int64_t line, int y) const
  {
    return planes + (line / (g.kx_most + 1) * g.n[1] + y) * g.pitch + line % (g.kx_most + 1);
  }
  __device__ __forceinline__ dcplx get(int64_t line, int y) const { return *at(line, y); }
  __device__ __forceinline__ void put(int64_t line, int y, dcplx v) const { *at(line, y) = v; }
};

extern "C" int triad_gpu_y_load_columns(const triad_gpu_shape *g, const triad_gpu_side *from, int planes,
                                        const triad_gpu_batch *b)
{
  return g->size > 1 ? load(y_columns<true>{*g, *from, planes, 1}, g->n[1], b)
                     : load(y_columns<false>{*g, *from, planes, 1}, g->n[1], b);
}

extern "C" int triad_gpu_y_store_planes(const triad_gpu_shape *g, triad_cplx *planes, const triad_gpu_batch *b)
{
  return store(y_planes{*g, (dcplx *)planes}, g->n[1], b);
}

extern "C" int triad_gpu_y_load_planes(const triad_gpu_shape *g, const triad_cplx *planes, const triad_gpu_batch *b)
{
  return load(y_planes{*g, (dcplx *)(uintptr_t)planes}, g->n[1], b);
}

extern "C" int triad_gpu_y_store_columns(const triad_gpu_shape *g, const triad_gpu_side *to, int planes, double scale,
                                         const triad_gpu_batch *b)
{
  return g->size > 1 ? store(y_columns<true>{*g, *to, planes, (triad_real)scale}, g->n[1], b)
                     : store(y_columns<false>{*g, *to, planes, (triad_real)scale}, g->n[1], b);
}

/* ---- x: two real rows a, b are the complex line a + i b (fft/device_rows.h) ---- */

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
    dcplx p = a[k], q = count > 1 ? a[pairs.g.pitch + k] : dcplx{0, 0};
    if (k == 0) p.y = q.y = 0; /* round-off: the mean of a real row is real */
    return k == i ? dcplx{p.x - q.y, p.y + q.x} : dcplx{p.x + q.y, q.x - p.y};
  }
  /* A = (Z(k) + conj Z(-k))/2, B = (Z(k) - conj Z(-k))/(2i). */
  __device__ __forceinline__ void put(int64_t line, int k, const dcplx *z) const
  {
    const triad_real half = (triad_real)0.5;
    const dcplx v = z[k], w = z[k ? pairs.g.n[0] - k : 0];
    int count;
    dcplx *a = planes + pairs.first(line, &count) * pairs.g.pitch + k;
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

template <class Side> static int load_x(const Side &side, int n, const triad_gpu_batch *b)
{
  load_points<<<blocks_for(b->count * n, 256), 256, 0, (cudaStream_t)b->stream>>>(side, b->first, b->count, n,
                                                                                 (dcplx *)b->buffer);
  return launched("loading rows");
}

template <class Side> static int store_x(const Side &side, int n, int width, const triad_gpu_batch *b)
{
  store_points<<<blocks_for(b->count * width, 256), 256, 0, (cudaStream_t)b->stream>>>(
      side, b->first, b->count, n, width, (const dcplx *)b->buffer);
  return launched("storing rows");
}

extern "C" int triad_gpu_x_load_planes(const triad_gpu_shape *g, const triad_cplx *planes, int64_t rows,
                                       const triad_gpu_batch *b)
{
  return load_x(x_planes{{*g, rows}, (dcplx *)(uintptr_t)planes}, g->n[0], b);
}

extern "C" int triad_gpu_x_store_rows(const triad_gpu_shape *g, triad_real *points, int64_t rows,
                                      const triad_gpu_batch *b)
{
  return store_x(x_rows{{*g, rows}, points}, g->n[0], g->n[0], b);
}

extern "C" int triad_gpu_x_load_rows(const triad_gpu_shape *g, const triad_real *points, int64_t rows,
                                     const triad_gpu_batch *b)
{
  return load_x(x_rows{{*g, rows}, (triad_real *)(uintptr_t)points}, g->n[0], b);
}

extern "C" int triad_gpu_x_store_planes(const triad_gpu_shape *g, triad_cplx *planes, int64_t rows,
                                        const triad_gpu_batch *b)
{
  return store_x(x_planes{{*g, rows}, (dcplx *)planes}, g->n[0], g->kx_most + 1, b);
}
