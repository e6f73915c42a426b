/* Central fluxes of a tile: the loops of sweep.c without reconstruction. */
#include "solvers/compressible/host/central.h"
#include "solvers/compressible/host/tile.h"
#include "solvers/compressible/host/sweep.h"
#include "solvers/compressible/points/central_points.h"

TRIAD_POINT_INLINE triad_compressible_cell cell_at(const triad_real *const q[5], int64_t i)
{
  return (triad_compressible_cell){q[0][i], q[1][i], q[2][i], q[3][i], q[4][i]};
}

void triad_compressible_central_row(const triad_compressible_march *s, int64_t at, int64_t n,
                                    triad_compressible_row face[5])
{
  const triad_compressible_gas g = s->faces.gas;
  const int64_t step = s->step;
  triad_real *const *p = s->t->w->primitive;
  const triad_real *const q[5] = {s->t->u[0] + at, p[s->velocity[0]] + at, p[s->velocity[1]] + at,
                                  p[s->velocity[2]] + at, p[TRIAD_WENO_T] + at};
  triad_real *restrict f0 = face[0], *restrict f1 = face[1], *restrict f2 = face[2], *restrict f3 = face[3],
                       *restrict f4 = face[4];
#pragma omp simd
  for (int64_t i = 0; i < n; i++) {
    triad_compressible_five f = triad_compressible_central(
      &g, cell_at(q, i - 4 * step), cell_at(q, i - 3 * step), cell_at(q, i - 2 * step), cell_at(q, i - step),
      cell_at(q, i), cell_at(q, i + step), cell_at(q, i + 2 * step), cell_at(q, i + 3 * step));
    f0[i] = f.r;
    f1[i] = f.n;
    f2[i] = f.s;
    f3[i] = f.t;
    f4[i] = f.e;
  }
}

static void along_x(const triad_compressible_march *s, int64_t y, int64_t z)
{
  triad_compressible_row *face = s->t->s->face[0];
  triad_compressible_central_row(s, triad_compressible_place(s->t, y, z), s->t->n[0] + 1, face);
  triad_compressible_difference(s, y, z, face, face, 1);
}

/* March along y or z at row `other` of the remaining axis. */
static void along(const triad_compressible_march *s, int64_t other)
{
  const triad_compressible_tile *t = s->t;
  int64_t start = s->axis == 1 ? triad_compressible_place(t, 0, other) : triad_compressible_place(t, other, 0);
  for (int64_t j = 0; j <= t->n[s->axis]; j++) {
    triad_compressible_row *now = t->s->face[j & 1], *last = t->s->face[!(j & 1)];
    triad_compressible_central_row(s, start + j * s->step, t->n[0], now);
    if (j >= 1)
      triad_compressible_difference(s, s->axis == 1 ? j - 1 : other, s->axis == 1 ? other : j - 1, last, now, 0);
  }
}

void triad_compressible_central_sweep(const triad_compressible_tile *t, int axis, int first)
{
  const triad_compressible_march s = triad_compressible_march_of(t, axis, first);
  if (axis == 0) {
    for (int64_t z = 0; z < t->n[2]; z++)
      for (int64_t y = 0; y < t->n[1]; y++) along_x(&s, y, z);
  } else {
    for (int64_t o = 0; o < t->n[3 - axis]; o++) along(&s, o);
  }
}
