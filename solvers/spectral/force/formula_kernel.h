/* Formulas at the points of planes on a GPU: arguments of their kernels, for the host; and kernels for NVRTC, if the
 * source before this file (gpu_formula_source.c) defines the formulas:
 *   double triad_formula_value(int r, places, int64_t x, int64_t row, double *v)   formula r, of variables
 *   v[TRIAD_FORMULA_ROOM]; x, row: of tables
 *   double triad_formula_of_x(int k, const double *v), _of_row(k, v)               part k of all parts of formulas
 *   that depend on x and t, or y, z and t only
 *   TRIAD_FORMULA_RESULTS  number of formulas; _OF_X, _OF_ROW: numbers of parts
 *   TRIAD_FORMULA_READS    bits of the fields that they use; _PUSHES: bits of the formulas that drive fields with
 *                          energy
 * Parts that depend only on a row, or on points of a row, are tabulated once per stage. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_FORMULA_KERNEL_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_FORMULA_KERNEL_H

#include "base/precision.h"

#include <stdint.h>

enum { TRIAD_FORMULA_AHEAD = 4 }; /* x, y, z, t come before the fields */

/* Points of `ny` rows of planes, x fastest, then y from first_y of all_y on, then z. Passed by value; pointers are
 * the GPU's. */
typedef struct triad_formula_places {
  int64_t n, nx, ny, first_y, all_y, first_z;
  int64_t row, rows;           /* number of the first row in tables, which have so many */
  double spacing[3], t, least; /* least: the smallest spacing */
  int measures;                /* raise peaks[0] to (|f|/least)^(1/2) */
  double *of_x, *of_row;       /* [part][nx], [part][rows] */
  const triad_real *in;        /* [field that is read][n] */
  triad_real *out;             /* [result][n] */
  double *peaks;
  /* ~(2 (point results + result) + is infinite) of the first value that is none, of fields that are some; 0 */
  uint64_t *bad;
} triad_formula_places;

#ifdef TRIAD_FORMULA_RESULTS
#include "fft/gpu/device_peak.h"

static __device__ __forceinline__ bool triad_formula_is_number(double value)
{
  return fabs(value) <= 1.7976931348623157e308;
}

/* Variables at x of a row of these planes, except fields. */
static __device__ __forceinline__ void triad_formula_at(const triad_formula_places &p, int64_t x, int64_t row,
                                                        double *v)
{
  v[0] = p.spacing[0] * (double)x;
  v[1] = p.spacing[1] * (double)(p.first_y + row % p.ny);
  v[2] = p.spacing[2] * (double)(p.first_z + row / p.ny);
  v[3] = p.t;
}

/* Value of formula r at x of a row, which is none where fields are some. */
static __device__ __forceinline__ void triad_formula_note(const triad_formula_places &p, int64_t x, int64_t row, int r,
                                                          double value)
{
  const int64_t there = (p.first_z + row / p.ny) * p.all_y + p.first_y + row % p.ny;
  const uint64_t point = (uint64_t)(there * p.nx + x), none = value != value ? 0 : 1;
  atomicMax((unsigned long long *)p.bad,
            ~(unsigned long long)(2 * (point * TRIAD_FORMULA_RESULTS + (uint64_t)r) + none));
}

#ifndef TRIAD_FORMULA_WITHIN /* formula_pass.h */
/* In a pass of their own. */
__global__ void triad_formula_values(triad_formula_places p)
{
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x, row = i / p.nx, x = i - row * p.nx;
  double rate = 0;
  if (i < p.n) {
    double v[TRIAD_FORMULA_ROOM], square = 0;
    bool finite = true;
    triad_formula_at(p, x, row, v);
#pragma unroll
    for (int f = 0, slot = 0; f < 32 - TRIAD_FORMULA_AHEAD; f++)
      if ((TRIAD_FORMULA_READS) >> f & 1) {
        v[TRIAD_FORMULA_AHEAD + f] = (double)p.in[slot++ * p.n + i];
        finite = finite && triad_formula_is_number(v[TRIAD_FORMULA_AHEAD + f]);
      }
#pragma unroll
    for (int r = 0; r < TRIAD_FORMULA_RESULTS; r++) {
      const double value = triad_formula_value(r, p, x, p.row + row, v);
      p.out[r * p.n + i] = (triad_real)value;
      if ((TRIAD_FORMULA_PUSHES) >> r & 1) square += value * value;
      if (finite && !triad_formula_is_number(value)) triad_formula_note(p, x, row, r, value);
    }
    if (square > 0) rate = sqrt(sqrt(square) / p.least);
  }
  if (p.measures) raise_peak(p.peaks, rate);
}

/* Tables of all rows: p.n = nx + rows, first_z and row of the first of them. */
__global__ void triad_formula_tables(triad_formula_places p)
{
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x, row = i - p.nx;
  double v[TRIAD_FORMULA_ROOM];
  if (i >= p.n) return;
  triad_formula_at(p, i < p.nx ? i : 0, i < p.nx ? 0 : row, v);
  if (i < p.nx)
    for (int k = 0; k < TRIAD_FORMULA_OF_X; k++) p.of_x[k * p.nx + i] = triad_formula_of_x(k, v);
  else
    for (int k = 0; k < TRIAD_FORMULA_OF_ROW; k++) p.of_row[k * p.rows + row] = triad_formula_of_row(k, v);
}
#endif
#endif

#endif
