/* The arithmetic of one face or cell of a staggered mesh (docs/methods/staggered.md).
 *
 * A cell at place `at` of a field's memory has its pressure in its centre and velocity u[a] on its lower face across
 * axis a. Indices c[3] count from the first own cell of the block. Along an axis of one cell the step is 0: what is
 * beyond is the cell itself, and differences vanish.
 *
 * `a` is known when these are compiled, so that each component has loops of its own. */
#ifndef TRIAD_SOLVERS_STAGGERED_POINTS_STAGGERED_POINTS_H
#define TRIAD_SOLVERS_STAGGERED_POINTS_STAGGERED_POINTS_H

#include "base/point.h"
#include "solvers/staggered/points/sizes.h"

/* The flux form of (u . grad) u[a] at a face: through each side of the cell around the face goes the mean of what
 * the two pressure cells let through, and carries the mean of the two velocities. */
TRIAD_POINT_INLINE triad_real triad_staggered_advection(const int a, const triad_staggered_sizes *m,
                                                        const triad_real *const u[3], int64_t at, const int64_t c[3])
{
  const triad_real half = TRIAD_R(0.5), *v = u[a];
  const int64_t s = m->step[a];
  triad_real p = v[at], up = p + v[at + s], down = v[at - s] + p;
  triad_real sum = half * half * (up * up - down * down);
  for (int b = 0; b < 3; b++) {
    if (b == a) continue;
    const int64_t t = m->step[b];
    const triad_real *w = u[b];
    triad_real lower = half * m->h[a][c[a] - 1], upper = half * m->h[a][c[a]];
    triad_real above = w[at - s + t] * lower + w[at + t] * upper, below = w[at - s] * lower + w[at] * upper;
    sum += half * m->per_h[b][c[b]] * (above * (p + v[at + t]) - below * (v[at - t] + p));
  }
  return sum * m->per_d[a][c[a]];
}

/* The fraction of the side towards step t of the cell around face a that is wall: 1 if neither, 2 if both pressure
 * cells beyond are solid. The wall is half a cell away, with velocity 0; faces of a solid have
 * velocity 0 themselves. */
TRIAD_POINT_INLINE triad_real triad_staggered_nearness(const triad_staggered_sizes *m, int64_t at, int64_t s, int64_t t)
{
  int solids = !!(m->open[at + t] & TRIAD_STAGGERED_SOLID) + !!(m->open[at + t - s] & TRIAD_STAGGERED_SOLID);
  return 1 + TRIAD_R(0.5) * (triad_real)solids;
}

/* div grad u[a] at a face. Ghosts beyond a wall mirror the velocity at it, which makes half a cell's gradient. */
TRIAD_POINT_INLINE triad_real triad_staggered_diffusion(const int a, const int solids, const triad_staggered_sizes *m,
                                                        const triad_real *v, int64_t at, const int64_t c[3])
{
  const int64_t s = m->step[a];
  triad_real p = v[at];
  triad_real sum = ((v[at + s] - p) * m->per_h[a][c[a]] - (p - v[at - s]) * m->per_h[a][c[a] - 1]) * m->per_d[a][c[a]];
  for (int b = 0; b < 3; b++) {
    if (b == a) continue;
    const int64_t t = m->step[b];
    triad_real up = (v[at + t] - p) * m->per_d[b][c[b] + 1], down = (p - v[at - t]) * m->per_d[b][c[b]];
    if (solids) {
      up *= triad_staggered_nearness(m, at, s, t);
      down *= triad_staggered_nearness(m, at, s, -t);
    }
    sum += (up - down) * m->per_h[b][c[b]];
  }
  return sum;
}

/* Sum over the sides of the cell around a face of the squared gradient, with each side's share: a side between two
 * moving faces belongs to both, one next to a closed face to this one. The sum over all faces times volumes is -sum u
 * lap u without the work of moving walls. */
TRIAD_POINT_INLINE triad_real triad_staggered_gradients(const int a, const triad_staggered_sizes *m,
                                                        const triad_real *v, int64_t at, const int64_t c[3])
{
  triad_real sum = 0, half = TRIAD_R(0.5);
  for (int b = 0; b < 3; b++)
    for (int upper = 0; upper < 2; upper++) {
      const int64_t s = m->step[a], t = upper ? m->step[b] : -m->step[b];
      triad_real difference = v[at + t] - v[at], weight;
      int closed = !(m->open[at + t] & TRIAD_STAGGERED_LOWER(a));
      if (b == a) weight = m->per_d[a][c[a]] * m->per_h[a][upper ? c[a] : c[a] - 1];
      else weight = m->per_h[b][c[b]] * m->per_d[b][upper ? c[b] + 1 : c[b]] * triad_staggered_nearness(m, at, s, t);
      sum += (closed ? 1 : half) * weight * difference * difference;
    }
  return sum;
}

/* div u of a cell. */
TRIAD_POINT_INLINE triad_real triad_staggered_divergence(const triad_staggered_sizes *m, const triad_real *const u[3],
                                                         int64_t at, const int64_t c[3])
{
  triad_real sum = 0;
  for (int b = 0; b < 3; b++) sum += (u[b][at + m->step[b]] - u[b][at]) * m->per_h[b][c[b]];
  return sum;
}

/* Component a of grad p at the lower face across a. */
TRIAD_POINT_INLINE triad_real triad_staggered_gradient(const int a, const triad_staggered_sizes *m, const triad_real *p,
                                                       int64_t at, const int64_t c[3])
{
  return (p[at] - p[at - m->step[a]]) * m->per_d[a][c[a]];
}

/* 1 where fluid goes through the lower face across axis a, else 0. */
TRIAD_POINT_INLINE triad_real triad_staggered_passes(const int a, const triad_staggered_sizes *m, int64_t at)
{
  return (triad_real)(m->open[at] >> (2 * a) & 1);
}

/* Component a of curl u at the edge along a where the lower faces of a cell meet. */
TRIAD_POINT_INLINE triad_real triad_staggered_vorticity(const int a, const triad_staggered_sizes *m,
                                                        const triad_real *const u[3], int64_t at, const int64_t c[3])
{
  const int b = (a + 1) % 3, d = (a + 2) % 3;
  return (u[d][at] - u[d][at - m->step[b]]) * m->per_d[b][c[b]] -
         (u[b][at] - u[b][at - m->step[d]]) * m->per_d[d][c[d]];
}

/* What profiles are sums of, over the fluid of a plane: its area, then means, squares and products. */
enum {
  TRIAD_STAGGERED_PROFILE_AREA,
  TRIAD_STAGGERED_PROFILE_MEAN,
  TRIAD_STAGGERED_PROFILE_PRESSURE = TRIAD_STAGGERED_PROFILE_MEAN + 3,
  TRIAD_STAGGERED_PROFILE_SQUARE,
  TRIAD_STAGGERED_PROFILE_MIXED = TRIAD_STAGGERED_PROFILE_SQUARE + 3, /* uv, uw, vw */
  TRIAD_STAGGERED_PROFILE_PRESSURE_SQUARE = TRIAD_STAGGERED_PROFILE_MIXED + 3,
  TRIAD_STAGGERED_PROFILE_SUMS,
  /* of the temperature, where there is one: T, T^2, u T, v T, w T */
  TRIAD_STAGGERED_PROFILE_HEAT = TRIAD_STAGGERED_PROFILE_SUMS,
  TRIAD_STAGGERED_PROFILE_ALL = TRIAD_STAGGERED_PROFILE_HEAT + 5
};

/* Of a cell with that area. Velocities in the middle of a cell are the mean of two faces; their squares likewise, so
 * that half their sum is the energy of the faces. */
TRIAD_POINT_INLINE void triad_staggered_profile(const triad_staggered_sizes *m, const triad_real *const u[3],
                                                const triad_real *p, int64_t at, double area,
                                                double out[TRIAD_STAGGERED_PROFILE_SUMS])
{
  double middle[3], pressure = (double)p[at];
  out[TRIAD_STAGGERED_PROFILE_AREA] += area;
  for (int a = 0; a < 3; a++) {
    double lower = (double)u[a][at], upper = (double)u[a][at + m->step[a]];
    middle[a] = (lower + upper) / 2;
    out[TRIAD_STAGGERED_PROFILE_MEAN + a] += area * middle[a];
    out[TRIAD_STAGGERED_PROFILE_SQUARE + a] += area * (lower * lower + upper * upper) / 2;
  }
  out[TRIAD_STAGGERED_PROFILE_MIXED] += area * middle[0] * middle[1];
  out[TRIAD_STAGGERED_PROFILE_MIXED + 1] += area * middle[0] * middle[2];
  out[TRIAD_STAGGERED_PROFILE_MIXED + 2] += area * middle[1] * middle[2];
  out[TRIAD_STAGGERED_PROFILE_PRESSURE] += area * pressure;
  out[TRIAD_STAGGERED_PROFILE_PRESSURE_SQUARE] += area * pressure * pressure;
}

/* ---- the pressure's matrix: A = -V div grad, of the open faces ---- */

/* Coefficients of a row of cells along x at (y, z): the area of a side over the distance across it is per_d along x
 * times `x`, and h along x times the others; 0 along an axis of one cell. */
typedef struct triad_staggered_row {
  triad_real x[2], y[2], z[2];
} triad_staggered_row;

TRIAD_POINT_INLINE triad_staggered_row triad_staggered_row_of(const triad_staggered_sizes *m, int64_t y, int64_t z)
{
  const triad_real hy = m->h[1][y], hz = m->h[2][z];
  triad_staggered_row row = {{0}, {0}, {0}};
  if (m->step[0]) row.x[0] = row.x[1] = hy * hz;
  if (m->step[1]) row.y[0] = hz * m->per_d[1][y], row.y[1] = hz * m->per_d[1][y + 1];
  if (m->step[2]) row.z[0] = hy * m->per_d[2][z], row.z[1] = hy * m->per_d[2][z + 1];
  return row;
}

/* Of the six sides of the cell at index x: lower and upper along x, y, z. A closed one has 0. */
TRIAD_POINT_INLINE void triad_staggered_sides(const int closed, const triad_staggered_sizes *m,
                                              const triad_staggered_row *row, int64_t at, int64_t x, triad_real side[6])
{
  const triad_real h = m->h[0][x];
  side[0] = row->x[0] * m->per_d[0][x];
  side[1] = row->x[1] * m->per_d[0][x + 1];
  side[2] = h * row->y[0];
  side[3] = h * row->y[1];
  side[4] = h * row->z[0];
  side[5] = h * row->z[1];
  if (closed)
    for (int i = 0; i < 6; i++) side[i] *= (triad_real)(m->open[at] >> i & 1);
}

/* The diagonal of A; 1 for a cell without an open side. */
TRIAD_POINT_INLINE triad_real triad_staggered_diagonal(const triad_real side[6])
{
  triad_real sum = side[0] + side[1] + side[2] + side[3] + side[4] + side[5];
  return sum > 0 ? sum : 1;
}

/* A fluid cell that adjoins a solid, and the sides with a solid, in the numbering of bits. */
typedef struct triad_staggered_beside {
  int32_t c[3], sides;
} triad_staggered_beside;

/* (A p) of a cell. */
TRIAD_POINT_INLINE triad_real triad_staggered_matrix(const triad_staggered_sizes *m, const triad_real side[6],
                                                     const triad_real *p, int64_t at)
{
  triad_real sum = 0;
  for (int b = 0; b < 3; b++) {
    const int64_t t = m->step[b];
    sum += side[2 * b] * (p[at] - p[at - t]) + side[2 * b + 1] * (p[at] - p[at + t]);
  }
  return sum;
}

#endif
