/* Hybrid fluxes of a tile: WENO fluxes through faces with a shocked cell among the six around them, central fluxes
 * through all others. A face has one flux, so the scheme stays conservative. Rows are processed as in sweep.c; a row
 * without shocked cells needs no reconstruction. */
#include "solvers/compressible/points/shock_points.h"
#include "solvers/compressible/host/tile.h"
#include "solvers/compressible/host/sweep.h"
#include "solvers/compressible/host/central.h"
#include "solvers/compressible/host/face_row.h"

typedef struct hybrid {
  triad_compressible_march m;
  triad_compressible_sensor sensor;
} hybrid;

/* Which of n cells are shocked, the first at place `at`. */
static void shocked_row(const hybrid *h, int64_t at, int64_t n, triad_real *restrict shocked)
{
  const triad_compressible_tile *t = h->m.t;
  const triad_compressible *w = t->w;
  const triad_compressible_sensor sensor = h->sensor;
  const triad_real *u = w->primitive[TRIAD_COMPRESSIBLE_U] + at, *v = w->primitive[TRIAD_COMPRESSIBLE_V] + at,
                   *q = w->primitive[TRIAD_COMPRESSIBLE_W] + at, *T = w->primitive[TRIAD_WENO_T] + at,
                   *r = t->u[0] + at;
#pragma omp simd
  for (int64_t i = 0; i < n; i++) shocked[i] = triad_compressible_shocked_at(sensor, u + i, v + i, q + i, T + i, r + i);
}

/* Any of the six cells about each of n faces: six rows, lane by lane; returns whether any face has one. */
static int faces_of(const triad_real *const cell[6], int64_t n, triad_real *restrict face)
{
  const triad_real *a = cell[0], *b = cell[1], *c = cell[2], *d = cell[3], *e = cell[4], *f = cell[5];
  triad_real any = 0;
#pragma omp simd reduction(+ : any)
  for (int64_t i = 0; i < n; i++) {
    face[i] = a[i] + b[i] + c[i] + d[i] + e[i] + f[i];
    any += face[i];
  }
  return any > 0;
}

/* WENO's fluxes of n faces into the central ones' place where shocked[] says so. */
static void replace(triad_compressible_row upwind[5], int64_t n, const triad_real *shocked,
                    triad_compressible_row face[5])
{
  for (int k = 0; k < 5; k++) {
    triad_real *restrict to = face[k];
    const triad_real *from = upwind[k];
#pragma omp simd
    for (int64_t i = 0; i < n; i++) to[i] = shocked[i] > 0 ? from[i] : to[i];
  }
}

static void along_x(const hybrid *h, int64_t y, int64_t z)
{
  const triad_compressible_march *m = &h->m;
  triad_compressible_scratch *s = m->t->s;
  int64_t n = m->t->n[0], at = triad_compressible_place(m->t, y, z);
  const triad_real *cell[6];
  triad_compressible_row face;
  shocked_row(h, at - 3, n + 6, s->shocked[0]);
  for (int i = 0; i < 6; i++) cell[i] = s->shocked[0] + i;
  triad_compressible_central_row(m, at, n + 1, s->face[0]);
  int any = faces_of(cell, n + 1, face);
  if (any || m->faces.positivity) {
    triad_compressible_stencil c;
    triad_compressible_stencil_x(m, y, z, &c);
    if (any) {
      triad_compressible_upwind_x(m, &c, s->upwind);
      if (m->faces.limits) triad_compressible_limit_row(&m->faces, &c, n + 1, s->upwind);
      replace(s->upwind, n + 1, face, s->face[0]);
    }
    if (m->faces.positivity) triad_compressible_limit_row(&m->faces, &c, n + 1, s->face[0]);
  }
  triad_compressible_difference(m, y, z, s->face[0], s->face[0], 1);
}

/* March along y or z at row `other` of the remaining axis. Row r of the march keeps its cells in slot (r + 6) % 6. */
static void along(const hybrid *h, int64_t other)
{
  const triad_compressible_march *m = &h->m;
  const triad_compressible_tile *t = m->t;
  triad_compressible_scratch *s = t->s;
  int64_t lanes = t->n[0], step = m->step;
  triad_compressible_rows rows = triad_compressible_rows_of(m, other);
  for (int64_t r = -3; r < 2; r++) shocked_row(h, rows.start + r * step, lanes, s->shocked[(r + 6) % 6]);
  for (int64_t j = 0; j <= t->n[m->axis]; j++) {
    triad_compressible_row *now = s->face[j & 1], *last = s->face[!(j & 1)], face;
    const triad_real *cell[6];
    shocked_row(h, rows.start + (j + 2) * step, lanes, s->shocked[(j + 8) % 6]);
    for (int i = 0; i < 6; i++) cell[i] = s->shocked[i];
    triad_compressible_central_row(m, rows.start + j * step, lanes, now);
    int any = faces_of(cell, lanes, face);
    if (any || m->faces.positivity) {
      triad_compressible_stencil c;
      triad_compressible_stencil_below(m, &rows, j, &c);
      if (any) {
        triad_compressible_upwind_row(m, &rows, j, &c, s->upwind);
        if (m->faces.limits) triad_compressible_limit_row(&m->faces, &c, lanes, s->upwind);
        replace(s->upwind, lanes, face, now);
      }
      if (m->faces.positivity) triad_compressible_limit_row(&m->faces, &c, lanes, now);
    }
    if (j >= 1)
      triad_compressible_difference(m, m->axis == 1 ? j - 1 : other, m->axis == 1 ? other : j - 1, last, now, 0);
  }
}

void triad_compressible_hybrid_sweep(const triad_compressible_tile *t, int axis, int first)
{
  const triad_partition *b = &t->w->blocks;
  const hybrid h = {triad_compressible_march_of(t, axis, first),
                    triad_compressible_sensor_of(b->halo, b->stride, t->w->per_spacing, axis)};
  if (axis == 0) {
    for (int64_t z = 0; z < t->n[2]; z++)
      for (int64_t y = 0; y < t->n[1]; y++) along_x(&h, y, z);
  } else {
    for (int64_t o = 0; o < t->n[3 - axis]; o++) along(&h, o);
  }
}
