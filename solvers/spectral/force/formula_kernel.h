/* Formulas at the points of planes on a GPU: what their kernel takes, for who launches it; and the kernel, for NVRTC, where the
 * source in front of it (gpu_formula_source.c) says what the formulas are: TRIAD_FORMULAS(v, out) puts the values of all, of variables v[],
 * to out[TRIAD_FORMULA_RESULTS]; TRIAD_FORMULA_READS, the bits of the fields that they have; TRIAD_FORMULA_PUSHES, of the
 * results that drive what has energy; TRIAD_FORMULA_ROOM, variables in all. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_FORMULA_KERNEL_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_FORMULA_KERNEL_H

#include "base/precision.h"

#include <stdint.h>

enum { TRIAD_FORMULA_AHEAD = 4 }; /* x, y, z, t come before the fields */

/* Points of `ny` rows of planes, x fastest, then y from first_y of all_y on, then z. Passed by value; pointers are the GPU's. */
typedef struct triad_formula_places {
  int64_t n, nx, ny, first_y, all_y, first_z;
  double spacing[3], t, least; /* least: the smallest spacing */
  int measures;                /* raise peaks[0] to (|f|/least)^(1/2) */
  const triad_real *in;        /* [field that is read][n] */
  triad_real *out;             /* [result][n] */
  double *peaks;
  uint64_t *bad; /* ~(2 (point results + result) + is infinite) of the first value that is none, of fields that are some; 0 */
} triad_formula_places;

#ifdef TRIAD_FORMULAS
#include "fft/device_peak.h"

/* Variables of point i; are those that are fields finite? */
static __device__ __forceinline__ bool triad_formula_gather(const triad_formula_places &p, int64_t i, double *v)
{
  const int64_t row = i / p.nx;
  bool finite = true;
  v[0] = p.spacing[0] * (double)(i - row * p.nx);
  v[1] = p.spacing[1] * (double)(p.first_y + row % p.ny);
  v[2] = p.spacing[2] * (double)(p.first_z + row / p.ny);
  v[3] = p.t;
#pragma unroll
  for (int f = 0, slot = 0; f < 32 - TRIAD_FORMULA_AHEAD; f++)
    if ((TRIAD_FORMULA_READS) >> f & 1) {
      v[TRIAD_FORMULA_AHEAD + f] = (double)p.in[slot++ * p.n + i];
      finite = finite && fabs(v[TRIAD_FORMULA_AHEAD + f]) <= 1.7976931348623157e308;
    }
  return finite;
}

__global__ void triad_formula_values(triad_formula_places p)
{
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  double rate = 0;
  if (i < p.n) {
    double v[TRIAD_FORMULA_ROOM], value[TRIAD_FORMULA_RESULTS], square = 0;
    const bool finite = triad_formula_gather(p, i, v);
    TRIAD_FORMULAS(v, value);
    for (int r = 0; r < TRIAD_FORMULA_RESULTS; r++) {
      const bool good = fabs(value[r]) <= 1.7976931348623157e308;
      p.out[r * p.n + i] = (triad_real)value[r];
      if ((TRIAD_FORMULA_PUSHES) >> r & 1) square += value[r] * value[r];
      if (!good && finite) {
        const int64_t row = i / p.nx, there = (p.first_z + row / p.ny) * p.all_y + p.first_y + row % p.ny;
        const uint64_t point = (uint64_t)(there * p.nx + i % p.nx), none = value[r] != value[r] ? 0 : 1;
        atomicMax((unsigned long long *)p.bad, ~(unsigned long long)(2 * (point * TRIAD_FORMULA_RESULTS + (uint64_t)r) + none));
      }
    }
    if (square > 0) rate = sqrt(sqrt(square) / p.least);
  }
  if (p.measures) raise_peak(p.peaks, rate);
}
#endif

#endif
