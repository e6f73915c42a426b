/* Inviscid fluxes of a tile: rows of lanes along x, whatever the axis of the sweep. Along x the neighbours of a lane are
 * the lanes beside it; along y and z they stand in other rows, and the sweep marches from row to row. */
#include "solvers/weno/tile.h"
#include "solvers/weno/flux_points.h"

#include <omp.h>

triad_weno_march triad_weno_march_of(const triad_weno_tile *t, int axis, int first)
{
  const triad_weno_setup *p = &t->w->setup;
  int axes = 0;
  for (int i = 0; i < 3; i++) axes += p->n[i] > 1;
  triad_weno_march m = {.t = t,
                        .axis = axis,
                        .first = first,
                        .step = t->w->blocks.stride[axis],
                        .per_spacing = t->w->per_spacing[axis],
                        .faces = {.gas = t->w->gas,
                                  .weights = p->weights,
                                  .variables = p->variables,
                                  .riemann = p->riemann,
                                  .positivity = p->positivity,
                                  .ratio = 2 * (triad_real)axes * t->dt * t->w->per_spacing[axis]}};
  triad_weno_order(axis, m.field, m.velocity);
  return m;
}

void triad_weno_flux_row(const triad_weno_march *m, int64_t at, int64_t n, triad_weno_row f[5])
{
  const triad_weno_tile *t = m->t;
  const int *field = m->field;
  const triad_weno_gas g = t->w->gas;
  const triad_real *u0 = t->u[0] + at, *u1 = t->u[field[1]] + at, *u2 = t->u[field[2]] + at, *u3 = t->u[field[3]] + at,
                   *u4 = t->u[4] + at, *un = t->w->primitive[m->velocity[0]] + at, *T = t->w->primitive[TRIAD_WENO_T] + at;
  triad_real *restrict f0 = f[0], *restrict f1 = f[1], *restrict f2 = f[2], *restrict f3 = f[3], *restrict f4 = f[4];
#pragma omp simd
  for (int64_t i = 0; i < n; i++) {
    triad_weno_five v = triad_weno_flux(&g, (triad_weno_five){u0[i], u1[i], u2[i], u3[i], u4[i]}, un[i], T[i]);
    f0[i] = v.r;
    f1[i] = v.n;
    f2[i] = v.s;
    f3[i] = v.t;
    f4[i] = v.e;
  }
}

void triad_weno_difference(const triad_weno_march *m, int64_t y, int64_t z, triad_weno_row *below, triad_weno_row *above,
                           int64_t shift)
{
  const int64_t n = m->t->n[0];
  for (int k = 0; k < 5; k++) {
    triad_real *restrict rate = triad_weno_rate(m->t, m->field[k], y, z);
    const triad_real *lower = below[k], *upper = above[k] + shift, per = m->per_spacing;
    if (m->first)
#pragma omp simd
      for (int64_t i = 0; i < n; i++) rate[i] = per * (lower[i] - upper[i]);
    else
#pragma omp simd
      for (int64_t i = 0; i < n; i++) rate[i] += per * (lower[i] - upper[i]);
  }
}

static void cells_at(const triad_weno_march *s, int64_t at, const triad_real *cell[5])
{
  cell[0] = s->t->u[0] + at;
  for (int i = 0; i < 3; i++) cell[1 + i] = s->t->w->primitive[s->velocity[i]] + at;
  cell[4] = s->t->w->primitive[TRIAD_WENO_T] + at;
}

void triad_weno_stencil_of(const triad_weno_march *m, int64_t at, const triad_weno_row *flux[6], triad_weno_stencil *c)
{
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 5; k++) {
      c->u[i][k] = m->t->u[m->field[k]] + at + (i - 3) * m->step;
      c->f[i][k] = flux[i][k];
    }
  cells_at(m, at - m->step, c->a);
  cells_at(m, at, c->b);
}

static void state_at(const triad_weno_march *s, int64_t at, const triad_real *u[5])
{
  for (int k = 0; k < 5; k++) u[k] = s->t->u[s->field[k]] + at;
}

/* One row along x: n cells, n + 1 faces, halo of 3. */
static void along_x(const triad_weno_march *s, int64_t y, int64_t z)
{
  triad_weno_scratch *m = s->t->s;
  int64_t n = s->t->n[0], at = triad_weno_place(s->t, y, z) - 3;
  triad_weno_stencil c;
  triad_weno_flux_row(s, at, n + 6, m->flux[0]);
  for (int j = 0; j < 6; j++) {
    state_at(s, at + j, c.u[j]);
    for (int k = 0; k < 5; k++) c.f[j][k] = m->flux[0][k] + j;
  }
  cells_at(s, at + 2, c.a);
  cells_at(s, at + 3, c.b);
  if (s->faces.variables == TRIAD_WENO_COMPONENTS) {
    triad_weno_edges_row(&s->faces, &c, 0, n + 2, m->below, m->above[0]);
    triad_weno_faces_row(&s->faces, &c, n + 1, m->above[0], m->below, 1, m->face[0]);
  } else {
    triad_weno_waves_row(&s->faces, &c, n + 1, m, m->face[0]);
  }
  if (s->faces.positivity) triad_weno_limit_row(&s->faces, &c, n + 1, m->face[0]);
  triad_weno_difference(s, y, z, m->face[0], m->face[0], 1);
}

/* The stencil of the face below row j: rows j - 3 .. j + 2 of the march, the j-th's place being `at`. */
static void stencil_below(const triad_weno_march *s, int64_t at, int64_t j, triad_weno_stencil *c)
{
  const triad_weno_row *flux[6];
  for (int i = 0; i < 6; i++) flux[i] = s->t->s->flux[(j + i + 3) % 6];
  triad_weno_stencil_of(s, at, flux, c);
}

/* March along y or z at row `other` of the remaining axis. Row r of the march keeps its flux in slot (r + 6) % 6. */
static void along(const triad_weno_march *s, int64_t other)
{
  const triad_weno_tile *t = s->t;
  triad_weno_scratch *m = t->s;
  int64_t lanes = t->n[0], rows = t->n[s->axis], step = s->step;
  int64_t start = s->axis == 1 ? triad_weno_place(t, 0, other) : triad_weno_place(t, other, 0);
  for (int64_t r = -3; r < 1; r++) triad_weno_flux_row(s, start + r * step, lanes, m->flux[(r + 6) % 6]);
  for (int64_t j = -1; j <= rows; j++) {
    int now = (int)(j & 1), last = !now;
    triad_weno_stencil c;
    triad_weno_flux_row(s, start + (j + 2) * step, lanes, m->flux[(j + 8) % 6]);
    stencil_below(s, start + j * step, j, &c);
    if (s->faces.variables == TRIAD_WENO_COMPONENTS) {
      triad_weno_edges_row(&s->faces, &c, 1, lanes, m->below, m->above[now]);
      if (j >= 0) triad_weno_faces_row(&s->faces, &c, lanes, m->above[last], m->below, 0, m->face[now]);
    } else if (j >= 0) {
      triad_weno_waves_row(&s->faces, &c, lanes, m, m->face[now]);
    }
    if (s->faces.positivity && j >= 0) triad_weno_limit_row(&s->faces, &c, lanes, m->face[now]);
    if (j >= 1) {
      int64_t y = s->axis == 1 ? j - 1 : other, z = s->axis == 1 ? other : j - 1;
      triad_weno_difference(s, y, z, m->face[last], m->face[now], 0);
    }
  }
}

void triad_weno_sweep(const triad_weno_tile *t, int axis, int first)
{
  const triad_weno_march s = triad_weno_march_of(t, axis, first);
  if (axis == 0) {
    for (int64_t z = 0; z < t->n[2]; z++)
      for (int64_t y = 0; y < t->n[1]; y++) along_x(&s, y, z);
  } else {
    for (int64_t o = 0; o < t->n[3 - axis]; o++) along(&s, o);
  }
}

static void sweeps(const triad_weno_tile *t)
{
  const triad_weno *w = t->w;
  static void (*const of[])(const triad_weno_tile *, int, int) = {[TRIAD_WENO_UPWIND] = triad_weno_sweep,
                                                                  [TRIAD_WENO_CENTRAL] = triad_weno_central_sweep,
                                                                  [TRIAD_WENO_HYBRID] = triad_weno_hybrid_sweep};
  int first = 1, faces = w->setup.form != TRIAD_WENO_UPWIND;
  for (int axis = 0; axis < 3; axis++)
    if (w->setup.n[axis] > 1) {
      of[w->setup.form](t, axis, first);
      first = 0;
    }
  if (w->setup.viscosity > 0)
    for (int axis = 0; axis < 3; axis++)
      if (w->setup.n[axis] > 1) (faces ? triad_weno_viscous_faces_sweep : triad_weno_viscous_sweep)(t, axis);
}

static void put_row(const triad_weno_update *p, int f, int64_t at, int64_t n, const triad_real *rate)
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

void triad_weno_tiles(triad_weno *w, triad_real *const *u, const triad_box *box, const triad_weno_update *update)
{
  int64_t size[3] = {TRIAD_WENO_LANES, TRIAD_WENO_TILE_Y, TRIAD_WENO_TILE_Z}, tiles[3], all = 1;
  for (int i = 0; i < 3; i++) {
    tiles[i] = box->high[i] > box->low[i] ? (box->high[i] - box->low[i] + size[i] - 1) / size[i] : 0;
    all *= tiles[i];
  }
#pragma omp parallel for schedule(dynamic) num_threads(triad_weno_threads(w, triad_box_points(box)))
  for (int64_t number = 0; number < all; number++) {
    triad_weno_tile t = {.w = w, .u = u, .s = w->scratch + omp_get_thread_num(), .dt = update->dt};
    const int64_t at[3] = {number % tiles[0], number / tiles[0] % tiles[1], number / tiles[0] / tiles[1]};
    for (int i = 0; i < 3; i++) {
      t.low[i] = box->low[i] + at[i] * size[i];
      t.n[i] = least(size[i], box->high[i] - t.low[i]);
    }
    sweeps(&t);
    for (int f = 0; f < TRIAD_WENO_FIELDS; f++)
      for (int64_t z = 0; z < t.n[2]; z++)
        for (int64_t y = 0; y < t.n[1]; y++)
          put_row(update, f, triad_weno_place(&t, y, z), t.n[0], triad_weno_rate(&t, f, y, z));
    if (omp_get_thread_num() == 0) triad_halo_progress(w->halo);
  }
}
