/* The loops of a set over points and modes, written once: each macro defines one function, with the signature that
 * equations.h requires, from the set's arithmetic of one point or one mode (its points.h, which cuda/ compiles too).
 *
 * `self` begins with the set's constants, plain data of type `constants`. They are copied before a loop, so that the
 * compiler sees that no result overwrites them, and `flatten` puts all arithmetic into the loop, which then becomes
 * vector instructions. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_LOOPS_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_LOOPS_H

#include "solvers/spectral/equations/equations.h"

#define TRIAD_LOOP_OF static __attribute__((flatten)) void

/* peaks[TRIAD_PEAK_ADVECTION] becomes the larger; a value that is not finite stays. */
static inline void triad_peak_raise(double *peaks, double peak)
{
  if (peak > peaks[TRIAD_PEAK_ADVECTION] || isnan(peak)) peaks[TRIAD_PEAK_ADVECTION] = peak;
}

/* Where N rows begin, in scalars of their own rather than in memory: they do not change in a loop. */
#define TRIAD_ROWS(type, name, from, N) \
  type *name[N]; \
  _Pragma("GCC unroll 16") for (int g = 0; g < (N); g++) name[g] = from[g];

/* name(self, dt, n, in, out, peaks): OUT products of IN values at n points, and the largest rate. A point has a
 * function of its own, since variables that are declared in an `omp simd` loop end up in memory. */
#define TRIAD_POINTS_LOOP(name, constants, point, rate, IN, OUT) \
  static inline triad_real name##_at(const constants *c, double dt, const triad_real *const *in, \
                                     triad_real *const *out, int64_t i) \
  { \
    triad_real v[IN], t[OUT]; \
    for (int f = 0; f < (IN); f++) v[f] = in[f][i]; \
    point(c, dt, v, t); \
    for (int r = 0; r < (OUT); r++) out[r][i] = t[r]; \
    return rate(c, v); \
  } \
  TRIAD_LOOP_OF name(const void *self, double dt, int64_t n, triad_real *const *in, triad_real *const *out, \
                     double *peaks) \
  { \
    const constants c = *(const constants *)self; \
    triad_real fastest = 0, finite = 0; \
    TRIAD_ROWS(const triad_real, from, in, IN) \
    TRIAD_ROWS(triad_real, to, out, OUT) \
    _Pragma("omp simd reduction(max : fastest) reduction(+ : finite)") for (int64_t i = 0; i < n; i++) \
    { \
      triad_real here = name##_at(&c, dt, from, to, i); \
      fastest = here > fastest ? here : fastest; \
      finite += here * 0; /* NaN as soon as one value is not finite, which a maximum would pass over */ \
    } \
    triad_peak_raise(peaks, (double)(fastest + finite)); \
  }

/* name(self, n, in, out): the products alone. */
#define TRIAD_PRODUCTS_LOOP(name, constants, point, IN, OUT) \
  TRIAD_LOOP_OF name(const void *self, int64_t n, triad_real *const *in, triad_real *const *out) \
  { \
    const constants c = *(const constants *)self; \
    TRIAD_ROWS(const triad_real, from, in, IN) \
    TRIAD_ROWS(triad_real, to, out, OUT) \
    _Pragma("GCC ivdep") for (int64_t i = 0; i < n; i++) \
    { \
      triad_real v[IN], t[OUT]; \
      for (int f = 0; f < (IN); f++) v[f] = from[f][i]; \
      point(&c, 0, v, t); \
      for (int r = 0; r < (OUT); r++) to[r][i] = t[r]; \
    } \
  }

/* Part by part: a complex number that is copied whole keeps a loop from becoming vector instructions. */
#define TRIAD_GATHER(to, from, N) \
  for (int g = 0; g < (N); g++) { \
    to[g].re = from[g][i].re; \
    to[g].im = from[g][i].im; \
  }

/* 1/k^2 without a branch; where k = 0, the wavenumber of derivatives, 0 for the mean and 1 for other modes, all of
 * whose components are 0 or n/2. size2: the square of the wavenumber by size. */
static inline triad_real triad_inverse_of(triad_real k2, triad_real size2)
{
  return (triad_real)(size2 > 0) / (k2 > 0 ? k2 : 1);
}

/* The squares of sizes of the modes of a row, from those of their columns. */
#define TRIAD_ROW_SIZES \
  const double *sx = l->size_x + block->block * TRIAD_LANES, *sy = l->size_y + block->block * TRIAD_LANES; \
  const triad_real sz = (triad_real)l->size_z[j];

/* rates() of equations.h: N of FIELDS fields from TERMS results. */
#define TRIAD_RATES_LOOP(name, constants, mode, FIELDS, TERMS) \
  TRIAD_LOOP_OF name(const void *self, const triad_batch *block, int64_t j, const triad_cplx *const *u, \
                     const triad_cplx *const *t, triad_lane_row *rates) \
  { \
    const constants c = *(const constants *)self; \
    const triad_layout *l = block->layout; \
    const double *wx = l->wx + block->block * TRIAD_LANES, *wy = l->wy + block->block * TRIAD_LANES; \
    const triad_real wz = (triad_real)l->wz[j]; \
    TRIAD_ROW_SIZES \
    TRIAD_ROWS(const triad_cplx, from_u, u, FIELDS) \
    TRIAD_ROWS(const triad_cplx, from_t, t, TERMS) \
    TRIAD_ROWS(triad_cplx, to, rates, FIELDS) \
    _Pragma("GCC ivdep") for (int i = 0; i < TRIAD_LANES; i++) \
    { \
      const triad_real k[3] = {(triad_real)wx[i], (triad_real)wy[i], wz}; \
      const triad_real k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2]; \
      const triad_real x = (triad_real)sx[i], y = (triad_real)sy[i], size2 = x * x + y * y + sz * sz; \
      triad_cplx v[FIELDS], p[TERMS], n[FIELDS]; \
      TRIAD_GATHER(v, from_u, FIELDS) \
      TRIAD_GATHER(p, from_t, TERMS) \
      mode(&c, k, triad_inverse_of(k2, size2), v, p, n); \
      for (int f = 0; f < (FIELDS); f++) { \
        to[f][i].re = n[f].re; \
        to[f][i].im = n[f].im; \
      } \
    } \
  }

/* transfers() of equations.h: N of them. */
#define TRIAD_TRANSFERS_LOOP(name, constants, mode_transfers, FIELDS, TERMS, N) \
  TRIAD_LOOP_OF name(const void *self, int part, const triad_batch *block, int64_t j, const triad_cplx *const *u, \
                     const triad_cplx *const *t, triad_lane_reals *transfers) \
  { \
    const triad_layout *l = block->layout; \
    const double *wx = l->wx + block->block * TRIAD_LANES, *wy = l->wy + block->block * TRIAD_LANES; \
    const triad_real wz = (triad_real)l->wz[j]; \
    TRIAD_ROW_SIZES \
    for (int i = 0; i < TRIAD_LANES; i++) { \
      const triad_real k[3] = {(triad_real)wx[i], (triad_real)wy[i], wz}; \
      const triad_real k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2]; \
      const triad_real x = (triad_real)sx[i], y = (triad_real)sy[i], size2 = x * x + y * y + sz * sz; \
      triad_cplx v[FIELDS], p[TERMS]; \
      double d[N]; \
      TRIAD_GATHER(v, u, FIELDS) \
      TRIAD_GATHER(p, t, TERMS) \
      mode_transfers((const constants *)self, part, k, triad_inverse_of(k2, size2), v, p, d); \
      for (int s = 0; s < (N); s++) transfers[s][i] += d[s]; \
    } \
  }

/* Mode (column, j) of n fields in the layout's storage, and its wavenumbers. */
static inline void triad_mode_pick(const triad_layout *l, int64_t column, int64_t j, int n, const triad_cplx *const *u,
                                   triad_wave_numbers *k, triad_cplx *mode)
{
  int64_t at = triad_layout_place(l, column, j);
  triad_layout_derivative(l, column, j, k->derivative);
  triad_layout_size(l, column, j, k->size);
  for (int f = 0; f < n; f++) mode[f] = u[f][at];
}

/* sums() of equations.h: N of them. */
#define TRIAD_SUMS_LOOP(name, constants, mode_sums, FIELDS, N) \
  TRIAD_LOOP_OF name(const void *self, const triad_layout *l, int64_t column, const triad_cplx *const *u, \
                     double *sums) \
  { \
    for (int s = 0; s < (N); s++) sums[s] = 0; \
    for (int64_t j = 0; j < l->nkz; j++) { \
      triad_wave_numbers k; \
      double share[N]; \
      triad_cplx v[FIELDS]; \
      triad_mode_pick(l, column, j, FIELDS, u, &k, v); \
      mode_sums((const constants *)self, &k, v, share); \
      for (int s = 0; s < (N); s++) sums[s] += share[s]; \
    } \
    for (int s = 0; s < (N); s++) sums[s] *= l->weight[column]; \
  }

/* densities() of equations.h: N of them. */
#define TRIAD_DENSITIES_LOOP(name, constants, mode_densities, FIELDS, N) \
  TRIAD_LOOP_OF name(const void *self, const triad_layout *l, int64_t column, int64_t j, const triad_cplx *const *u, \
                     double *densities) \
  { \
    triad_wave_numbers k; \
    triad_cplx v[FIELDS]; \
    triad_mode_pick(l, column, j, FIELDS, u, &k, v); \
    mode_densities((const constants *)self, &k, v, densities); \
    for (int d = 0; d < (N); d++) densities[d] *= l->weight[column]; \
  }

#endif
