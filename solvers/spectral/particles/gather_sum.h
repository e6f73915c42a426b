/* The sum of one particle: fields at the points around it, times the weights of its spline. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PARTICLES_GATHER_SUM_H
#define TRIAD_SOLVERS_SPECTRAL_PARTICLES_GATHER_SUM_H

#include "solvers/spectral/particles/gather.h"
#include "solvers/spectral/particles/spline_points.h"

/* Planes as they are kept: n points along each axis, `row` reals from a row to the next, all rows of a field one after another. */
typedef struct triad_gather_planes {
  int64_t n[3], row;
  double per_spacing[3];
} triad_gather_planes;

/* Four points in a row: a vector register, where there are such, of doubles in either precision. */
typedef double triad_four __attribute__((vector_size(32)));
typedef triad_real triad_four_points __attribute__((vector_size(4 * sizeof(triad_real)), aligned(sizeof(triad_real))));

/* The four at a place; not as a value, whose registers are another convention on machines without such vectors. */
static inline __attribute__((always_inline)) void triad_four_load(const triad_real *at, triad_four *out)
{
#ifdef TRIAD_SINGLE
  *out = __builtin_convertvector(*(const triad_four_points *)at, triad_four);
#else
  *out = (triad_four)(*(const triad_four_points *)at);
#endif
}

/* Fields f at a particle, from its m planes: along x in `quads` times four points, beyond m with the weight 0. Sums are always
 * in this order. */
static inline __attribute__((always_inline)) void triad_gather_sum(const triad_gather_planes *g, const int m, const int quads,
                                                                  const int fields, const triad_real *const *plane,
                                                                  const double *x, double *out)
{
  const int64_t across = g->n[1] * g->row, n_rows = g->n[1];
  _Alignas(32) double w[3][8] = {{0}};
  double part;
  triad_four sum[TRIAD_GATHER_FIELDS][2] = {{{0}}};
  int64_t cell[3], row[TRIAD_SPLINE_MOST];
  for (int a = 0; a < 3; a++) {
    cell[a] = triad_particle_cell(x[a], g->per_spacing[a], g->n[a], &part);
    triad_spline_weights(m, part, w[a]);
  }
  for (int j = 0; j < m; j++) {
    int64_t y = cell[1] + j - (m / 2 - 1);
    while (y < 0) y += n_rows;
    while (y >= n_rows) y -= n_rows;
    row[j] = y * g->row + cell[0];
  }
  for (int k = 0; k < m; k++)
    for (int j = 0; j < m; j++) {
      const double weight = w[2][k] * w[1][j];
      const triad_real *at = plane[k] + row[j];
      for (int f = 0; f < fields; f++)
        for (int q = 0; q < quads; q++) {
          triad_four points;
          triad_four_load(at + f * across + 4 * q, &points);
          sum[f][q] += weight * points;
        }
    }
  for (int f = 0; f < fields; f++) {
    triad_four product = {0};
    for (int q = 0; q < quads; q++) product += sum[f][q] * *(const triad_four *)&w[0][4 * q];
    out[f] = (product[0] + product[1]) + (product[2] + product[3]);
  }
}

#endif
