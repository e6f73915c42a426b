/* The mapping of threads to the cells of a sweep, the sizes of launches, and values that neighbouring threads exchange.
 * For cuda/ only. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_GPU_DEVICE_THREADS_H
#define TRIAD_SOLVERS_COMPRESSIBLE_GPU_DEVICE_THREADS_H

#include "solvers/compressible/gpu/device_sweep.h"

/* ---- how launches are cut ---- */

/* Threads of a block that marches, lanes along x times rows; and of one along x. */
enum { TRIAD_COMPRESSIBLE_MARCHING = 128, TRIAD_COMPRESSIBLE_LEAST_LANES = 32, TRIAD_COMPRESSIBLE_ROW = 128 };

/* Points of a march: long, so that little is done twice at its ends, but with enough threads to fill the GPU. */
static inline int64_t segment_of(int64_t n, int64_t rows)
{
  int64_t segment = n;
  while (segment > 8 && rows * ((n + segment - 1) / segment) < 400000) segment = (segment + 1) / 2;
  return segment;
}

/* Threads along x: as few of them idle as can be. */
static inline int lanes_for(int64_t n)
{
  int best = TRIAD_COMPRESSIBLE_MARCHING;
  for (int lanes = TRIAD_COMPRESSIBLE_MARCHING; lanes >= TRIAD_COMPRESSIBLE_LEAST_LANES; lanes /= 2)
    if (blocks_for(n, lanes) * (int64_t)lanes < blocks_for(n, best) * (int64_t)best) best = lanes;
  return best;
}

/* ---- along x: the threads of a block stand for neighbouring cells ---- */

/* What a thread lends to its neighbours, in shared memory: its viscous flux, and the flux through the face below it. */
struct x_rows {
  triad_real flux[5][TRIAD_COMPRESSIBLE_ROW], stress[4][TRIAD_COMPRESSIBLE_ROW];
};

/* Threads go along the rows of a plane, each with `margin` cells more at either end, row after row, and a block over
 * the ends of rows: so no thread but those of the margins is idle. Of a block's threads `margin` at either end only
 * lend what they have. The number of this thread's cell in the box along x, and the cell's place; a number beyond all
 * others if there is none. */
static __device__ __forceinline__ int64_t x_cell(const sweep_args &a, int margin, int64_t *place)
{
  const unsigned width = (unsigned)(a.box.high[0] - a.box.low[0]) + 2 * (unsigned)margin;
  const unsigned number = blockIdx.x * (unsigned)(TRIAD_COMPRESSIBLE_ROW - 2 * margin) + threadIdx.x,
                 row = number / width;
  const int64_t c = (int64_t)(number - row * width) - margin, y = a.box.low[1] + row;
  *place = a.g.origin + a.box.low[0] + c + y * a.g.stride[1] + (a.box.low[2] + blockIdx.y) * a.g.stride[2];
  return y < a.box.high[1] ? c : INT64_MAX;
}

/* Does the thread t make the flux through the face below cell c, of n; the rates of the cell? */
static __device__ __forceinline__ bool has_face(int t, int margin, int64_t c, int64_t n)
{
  return t >= margin && t <= TRIAD_COMPRESSIBLE_ROW - margin && c >= 0 && c <= n;
}
static __device__ __forceinline__ bool has_cell(int t, int margin, int64_t c, int64_t n)
{
  return t >= margin && t < TRIAD_COMPRESSIBLE_ROW - margin && c >= 0 && c < n;
}

static __device__ __forceinline__ void lend_stress(x_rows &rows, int t, triad_compressible_stress s)
{
  rows.stress[0][t] = s.n;
  rows.stress[1][t] = s.s;
  rows.stress[2][t] = s.t;
  rows.stress[3][t] = s.e;
}

static __device__ __forceinline__ triad_compressible_stress lent_stress(const x_rows &rows, int t)
{
  triad_compressible_stress s = {rows.stress[0][t], rows.stress[1][t], rows.stress[2][t], rows.stress[3][t]};
  return s;
}

static __device__ __forceinline__ void lend_flux(x_rows &rows, int t, triad_compressible_five f)
{
  rows.flux[0][t] = f.r;
  rows.flux[1][t] = f.n;
  rows.flux[2][t] = f.s;
  rows.flux[3][t] = f.t;
  rows.flux[4][t] = f.e;
}

static __device__ __forceinline__ triad_compressible_five lent_flux(const x_rows &rows, int t)
{
  triad_compressible_five f = {rows.flux[0][t], rows.flux[1][t], rows.flux[2][t], rows.flux[3][t], rows.flux[4][t]};
  return f;
}

/* Blocks of TRIAD_COMPRESSIBLE_ROW threads for the box. */
static inline dim3 x_blocks(const sweep_args *a, int margin)
{
  const triad_box *b = &a->box;
  const int64_t width = b->high[0] - b->low[0] + 2 * margin, rows = b->high[1] - b->low[1];
  return dim3(blocks_for(width * rows, TRIAD_COMPRESSIBLE_ROW - 2 * margin), (unsigned)(b->high[2] - b->low[2]));
}

/* ---- along y and z: threads are lanes along x, `lanes` of them, times rows of the other axis ---- */

/* The faces that this thread marches over: below points first .. end of segment blockIdx.z; the place of the first. */
typedef struct march_range {
  int64_t first, end, place;
} march_range;

/* 0: there is nothing for this thread to do. */
static __device__ __forceinline__ int march_of(const sweep_args &a, int lanes, int64_t segment, march_range *m)
{
  int t = threadIdx.x;
  int64_t x = a.box.low[0] + blockIdx.x * (int64_t)lanes + t % lanes;
  int64_t row = a.box.low[3 - a.axis] + blockIdx.y * (int64_t)(TRIAD_COMPRESSIBLE_MARCHING / lanes) + t / lanes;
  if (x >= a.box.high[0] || row >= a.box.high[3 - a.axis]) return 0;
  int64_t n = a.box.high[a.axis];
  m->first = a.box.low[a.axis] + blockIdx.z * segment;
  m->end = m->first + segment < n ? m->first + segment : n;
  m->place = a.g.origin + x + row * a.g.stride[3 - a.axis] + m->first * a.step;
  return 1;
}

/* Blocks of TRIAD_COMPRESSIBLE_MARCHING threads for the box. */
static inline dim3 march_blocks(const sweep_args *a, int *lanes, int64_t *segment)
{
  int64_t size[3];
  for (int i = 0; i < 3; i++) size[i] = a->box.high[i] - a->box.low[i];
  int64_t across = size[3 - a->axis];
  *lanes = lanes_for(size[0]);
  *segment = segment_of(size[a->axis], size[0] * across);
  return dim3(blocks_for(size[0], *lanes), blocks_for(across, TRIAD_COMPRESSIBLE_MARCHING / *lanes),
              blocks_for(size[a->axis], *segment));
}

#endif
