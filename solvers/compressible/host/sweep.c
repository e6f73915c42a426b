/* Inviscid fluxes of a tile, in vector lanes along x for every axis of the sweep. Along x the neighbours of a lane are
 * the adjacent lanes. Along y and z they are in other rows, and the sweep proceeds from row to row. */
#include "solvers/compressible/host/sweep.h"
#include "solvers/compressible/host/tile.h"
#include "solvers/compressible/host/face_row.h"
#include "solvers/compressible/points/flux_points.h"

#include <omp.h>

triad_compressible_march triad_compressible_march_of(const triad_compressible_tile *t, int axis, int first)
{
  const triad_compressible_setup *p = &t->w->setup;
  int axes = 0;
  for (int i = 0; i < 3; i++) axes += p->n[i] > 1;
  triad_compressible_march m = {
    .t = t,
    .axis = axis,
    .first = first,
    .step = t->w->blocks.stride[axis],
    .per_spacing = t->w->per_spacing[axis],
    .wall = {triad_compressible_tile_wall(t, axis, 0), triad_compressible_tile_wall(t, axis, 1)},
    .faces = {.gas = t->w->gas,
              .weights = p->weights,
              .variables = p->variables,
              .riemann = p->riemann,
              .listed = p->listed,
              .limits = p->positivity || !p->published,
              .positivity = p->positivity,
              .ratio = 2 * (triad_real)axes * t->dt * t->w->per_spacing[axis]}};
  triad_compressible_order(axis, m.field, m.velocity);
  return m;
}

/* f_n of n points, the first at place `at`. */
static void flux_row(const triad_compressible_march *m, int64_t at, int64_t n, triad_compressible_row f[5])
{
  const triad_compressible_tile *t = m->t;
  const int *field = m->field;
  const triad_compressible_gas g = t->w->gas;
  const triad_real *u0 = t->u[0] + at, *u1 = t->u[field[1]] + at, *u2 = t->u[field[2]] + at, *u3 = t->u[field[3]] + at,
                   *u4 = t->u[4] + at, *un = t->w->primitive[m->velocity[0]] + at,
                   *T = t->w->primitive[TRIAD_WENO_T] + at;
  triad_real *restrict f0 = f[0], *restrict f1 = f[1], *restrict f2 = f[2], *restrict f3 = f[3], *restrict f4 = f[4];
#pragma omp simd
  for (int64_t i = 0; i < n; i++) {
    triad_compressible_five v =
      triad_compressible_flux(&g, (triad_compressible_five){u0[i], u1[i], u2[i], u3[i], u4[i]}, un[i], T[i]);
    f0[i] = v.r;
    f1[i] = v.n;
    f2[i] = v.s;
    f3[i] = v.t;
    f4[i] = v.e;
  }
}

/* Fluxes of n faces of a wall, the first below place `at` and in lane `first`. */
static void wall_row(const triad_compressible_march *m, triad_compressible_wall_kind wall, int64_t at, int64_t n,
                     triad_compressible_row *face, int64_t first)
{
  triad_real *const *p = m->t->w->primitive;
  const triad_real *const q[5] = {m->t->u[0], p[m->velocity[0]], p[m->velocity[1]], p[m->velocity[2]], p[TRIAD_WENO_T]};
  for (int64_t i = 0; i < n; i++) {
    const int64_t above = at + i, below = above - m->step, lane = first + i;
    const triad_compressible_cell a = {q[0][below], q[1][below], q[2][below], q[3][below], q[4][below]};
    const triad_compressible_cell b = {q[0][above], q[1][above], q[2][above], q[3][above], q[4][above]};
    const triad_compressible_five f = triad_compressible_through_wall(
      (int)wall, a, b,
      (triad_compressible_five){face[0][lane], face[1][lane], face[2][lane], face[3][lane], face[4][lane]});
    face[0][lane] = f.r;
    face[4][lane] = f.e;
  }
}

/* Of row (y, z), where it is the tile's first or last along the axis. */
static void walls_of(const triad_compressible_march *m, int64_t y, int64_t z, triad_compressible_row *below,
                     triad_compressible_row *above, int64_t shift)
{
  const int64_t at = triad_compressible_place(m->t, y, z), n = m->t->n[0], row = m->axis == 1 ? y : z;
  const int along_x = m->axis == 0;
  if (m->wall[0] != TRIAD_COMPRESSIBLE_OPEN && (along_x || row == 0))
    wall_row(m, m->wall[0], at, along_x ? 1 : n, below, 0);
  if (m->wall[1] != TRIAD_COMPRESSIBLE_OPEN && (along_x || row == m->t->n[m->axis] - 1))
    wall_row(m, m->wall[1], at + (along_x ? n : m->step), along_x ? 1 : n, above, along_x ? n - 1 + shift : 0);
}

void triad_compressible_difference(const triad_compressible_march *m, int64_t y, int64_t z,
                                   triad_compressible_row *below, triad_compressible_row *above, int64_t shift)
{
  const int64_t n = m->t->n[0];
  walls_of(m, y, z, below, above, shift);
  for (int k = 0; k < 5; k++) {
    triad_real *restrict rate = triad_compressible_rate(m->t, m->field[k], y, z);
    const triad_real *lower = below[k], *upper = above[k] + shift, per = m->per_spacing;
    if (m->first)
#pragma omp simd
      for (int64_t i = 0; i < n; i++) rate[i] = per * (lower[i] - upper[i]);
    else
#pragma omp simd
      for (int64_t i = 0; i < n; i++) rate[i] += per * (lower[i] - upper[i]);
  }
}

static void cells_at(const triad_compressible_march *s, int64_t at, const triad_real *cell[5])
{
  cell[0] = s->t->u[0] + at;
  for (int i = 0; i < 3; i++) cell[1 + i] = s->t->w->primitive[s->velocity[i]] + at;
  cell[4] = s->t->w->primitive[TRIAD_WENO_T] + at;
}

/* The six cells around the face below place `at`, their U, and the two that touch it. */
static void states_at(const triad_compressible_march *m, int64_t at, triad_compressible_stencil *c)
{
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 5; k++) c->u[i][k] = m->t->u[m->field[k]] + at + (i - 3) * m->step;
  for (int i = 0; i < 6; i++) cells_at(m, at + (i - 3) * m->step, c->q[i]);
  cells_at(m, at - m->step, c->a);
  cells_at(m, at, c->b);
}

/* ---- along x: n cells, n + 1 faces, halo of 3 ---- */

void triad_compressible_stencil_x(const triad_compressible_march *m, int64_t y, int64_t z,
                                  triad_compressible_stencil *c)
{
  int64_t at = triad_compressible_place(m->t, y, z);
  triad_compressible_row *flux = m->t->s->flux[0];
  if (m->faces.variables == TRIAD_COMPRESSIBLE_COMPONENTS) flux_row(m, at - 3, m->t->n[0] + 6, flux);
  triad_laps_charge(&m->t->s->laps, TRIAD_COMPRESSIBLE_PHASE_FLUX);
  states_at(m, at, c);
  for (int j = 0; j < 6; j++)
    for (int k = 0; k < 5; k++) c->f[j][k] = flux[k] + j;
}

void triad_compressible_upwind_x(const triad_compressible_march *m, const triad_compressible_stencil *c,
                                 triad_compressible_row face[5])
{
  triad_compressible_scratch *s = m->t->s;
  int64_t n = m->t->n[0];
  if (m->faces.variables == TRIAD_COMPRESSIBLE_COMPONENTS) {
    triad_compressible_edges_row(&m->faces, c, 0, n + 2, s->below, s->above[0]);
    triad_laps_charge(&s->laps, TRIAD_COMPRESSIBLE_PHASE_RECONSTRUCTION);
    triad_compressible_faces_row(&m->faces, c, n + 1, s->above[0], s->below, 1, face);
  } else {
    triad_compressible_waves_row(&m->faces, c, n + 1, s, face);
    triad_laps_charge(&s->laps, TRIAD_COMPRESSIBLE_PHASE_BOTH);
  }
}

static void along_x(const triad_compressible_march *m, int64_t y, int64_t z)
{
  triad_compressible_row *face = m->t->s->face[0];
  triad_compressible_stencil c;
  triad_compressible_stencil_x(m, y, z, &c);
  triad_compressible_upwind_x(m, &c, face);
  if (m->faces.limits) triad_compressible_limit_row(&m->faces, &c, m->t->n[0] + 1, face);
  triad_compressible_difference(m, y, z, face, face, 1);
}

/* ---- along y or z ---- */

triad_compressible_rows triad_compressible_rows_of(const triad_compressible_march *m, int64_t other)
{
  int64_t start = m->axis == 1 ? triad_compressible_place(m->t, 0, other) : triad_compressible_place(m->t, other, 0);
  return (triad_compressible_rows){.start = start, .fluxes = -3, .edges = -2};
}

void triad_compressible_stencil_below(const triad_compressible_march *m, triad_compressible_rows *rows, int64_t j,
                                      triad_compressible_stencil *c)
{
  triad_compressible_row(*flux)[5] = m->t->s->flux;
  if (rows->fluxes < j - 3) rows->fluxes = j - 3;
  for (; m->faces.variables == TRIAD_COMPRESSIBLE_COMPONENTS && rows->fluxes < j + 3; rows->fluxes++)
    flux_row(m, rows->start + rows->fluxes * m->step, m->t->n[0], flux[(rows->fluxes + 6) % 6]);
  triad_laps_charge(&m->t->s->laps, TRIAD_COMPRESSIBLE_PHASE_FLUX);
  states_at(m, rows->start + j * m->step, c);
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 5; k++) c->f[i][k] = flux[(j + i + 3) % 6][k];
}

void triad_compressible_upwind_row(const triad_compressible_march *m, triad_compressible_rows *rows, int64_t j,
                                   const triad_compressible_stencil *c, triad_compressible_row face[5])
{
  triad_compressible_scratch *s = m->t->s;
  int64_t lanes = m->t->n[0];
  int now = (int)(j & 1), last = !now;
  if (m->faces.variables != TRIAD_COMPRESSIBLE_COMPONENTS) {
    triad_compressible_waves_row(&m->faces, c, lanes, s, face);
    triad_laps_charge(&s->laps, TRIAD_COMPRESSIBLE_PHASE_BOTH);
    return;
  }
  if (rows->edges != j - 1) triad_compressible_edges_row(&m->faces, c, 0, lanes, s->below, s->above[last]);
  triad_compressible_edges_row(&m->faces, c, 1, lanes, s->below, s->above[now]);
  triad_laps_charge(&s->laps, TRIAD_COMPRESSIBLE_PHASE_RECONSTRUCTION);
  triad_compressible_faces_row(&m->faces, c, lanes, s->above[last], s->below, 0, face);
  rows->edges = j;
}

/* March along y or z at row `other` of the remaining axis. */
static void along(const triad_compressible_march *m, int64_t other)
{
  int64_t lanes = m->t->n[0], n = m->t->n[m->axis];
  triad_compressible_rows rows = triad_compressible_rows_of(m, other);
  for (int64_t j = 0; j <= n; j++) {
    triad_compressible_row *now = m->t->s->face[j & 1], *last = m->t->s->face[!(j & 1)];
    triad_compressible_stencil c;
    triad_compressible_stencil_below(m, &rows, j, &c);
    triad_compressible_upwind_row(m, &rows, j, &c, now);
    if (m->faces.limits) triad_compressible_limit_row(&m->faces, &c, lanes, now);
    if (j >= 1)
      triad_compressible_difference(m, m->axis == 1 ? j - 1 : other, m->axis == 1 ? other : j - 1, last, now, 0);
  }
}

void triad_compressible_sweep(const triad_compressible_tile *t, int axis, int first)
{
  const triad_compressible_march s = triad_compressible_march_of(t, axis, first);
  if (axis == 0) {
    for (int64_t z = 0; z < t->n[2]; z++)
      for (int64_t y = 0; y < t->n[1]; y++) along_x(&s, y, z);
  } else {
    for (int64_t o = 0; o < t->n[3 - axis]; o++) along(&s, o);
  }
}

static void sweeps(const triad_compressible_tile *t)
{
  const triad_compressible *w = t->w;
  static void (*const of[])(const triad_compressible_tile *, int,
                            int) = {[TRIAD_COMPRESSIBLE_UPWIND] = triad_compressible_sweep,
                                    [TRIAD_COMPRESSIBLE_CENTRAL] = triad_compressible_central_sweep,
                                    [TRIAD_COMPRESSIBLE_HYBRID] = triad_compressible_hybrid_sweep};
  int first = 1, faces = w->setup.form != TRIAD_COMPRESSIBLE_UPWIND;
  for (int axis = 0; axis < 3; axis++)
    if (w->setup.n[axis] > 1) {
      of[w->setup.form](t, axis, first);
      first = 0;
    }
  triad_laps_charge(&t->s->laps, TRIAD_COMPRESSIBLE_PHASE_FLUX);
  if (w->setup.viscosity > 0)
    for (int axis = 0; axis < 3; axis++)
      if (w->setup.n[axis] > 1)
        (faces ? triad_compressible_viscous_faces_sweep : triad_compressible_viscous_sweep)(t, axis);
  triad_laps_charge(&t->s->laps, TRIAD_COMPRESSIBLE_PHASE_VISCOUS);
}

static void put_row(const triad_compressible_update *p, int f, int64_t at, int64_t n, const triad_real *rate)
{
  triad_real *out = p->out[f] + at;
  const triad_real *x = p->x[f] + at, x_part = p->x_part, y_part = p->y_part, rate_part = p->rate_part;
  if (p->sum) {
    triad_real *sum = p->sum[f] + at, sum_part = p->sum_part;
    const triad_real *from = p->from[f] + at;
#pragma omp simd
    for (int64_t i = 0; i < n; i++) sum[i] = from[i] + sum_part * rate[i];
  }
  if (p->y) {
    const triad_real *y = p->y[f] + at;
#pragma omp simd
    for (int64_t i = 0; i < n; i++) out[i] = x_part * x[i] + y_part * y[i] + rate_part * rate[i];
  } else {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) out[i] = x_part * x[i] + rate_part * rate[i];
  }
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

void triad_compressible_tiles(triad_compressible *w, triad_real *const *u, const triad_box *box,
                              const triad_compressible_update *update)
{
  int64_t size[3] = {TRIAD_COMPRESSIBLE_LANES, TRIAD_COMPRESSIBLE_TILE_Y, TRIAD_COMPRESSIBLE_TILE_Z}, tiles[3], all = 1;
  for (int i = 0; i < 3; i++) {
    tiles[i] = box->high[i] > box->low[i] ? (box->high[i] - box->low[i] + size[i] - 1) / size[i] : 0;
    all *= tiles[i];
  }
  const int threads = triad_compressible_threads(w, triad_box_points(box));
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (int64_t number = 0; number < all; number++) {
    triad_compressible_tile t = {.w = w, .u = u, .s = w->scratch + omp_get_thread_num(), .dt = update->dt};
    const int64_t at[3] = {number % tiles[0], number / tiles[0] % tiles[1], number / tiles[0] / tiles[1]};
    for (int i = 0; i < 3; i++) {
      t.low[i] = box->low[i] + at[i] * size[i];
      t.n[i] = least(size[i], box->high[i] - t.low[i]);
    }
    triad_laps_begin(&t.s->laps, triad_laps_sample(&w->laps, number));
    sweeps(&t);
    for (int f = 0; f < TRIAD_COMPRESSIBLE_FIELDS; f++)
      for (int64_t z = 0; z < t.n[2]; z++)
        for (int64_t y = 0; y < t.n[1]; y++)
          put_row(update, f, triad_compressible_place(&t, y, z), t.n[0], triad_compressible_rate(&t, f, y, z));
    triad_laps_charge(&t.s->laps, TRIAD_COMPRESSIBLE_PHASE_UPDATE);
    if (omp_get_thread_num() == 0) triad_halo_progress(w->halo);
  }
  for (int i = 0; i < threads; i++) triad_laps_join(&w->laps, &w->scratch[i].laps);
  w->laps.tiles += all;
}
