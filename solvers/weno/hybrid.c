/* Hybrid fluxes of a tile: those of WENO through faces with a shocked cell among the six around them, central ones through
 * all others. A face has one flux, so what is conserved stays so. As sweep.c, row by row. */
#include "solvers/weno/shock_points.h"
#include "solvers/weno/tile.h"

/* Which of n cells are shocked, the first at place `at`. */
static void shocked_row(const triad_weno_march *m, int64_t at, int64_t n, triad_real *restrict shocked)
{
  const triad_weno *w = m->t->w;
  const triad_real *u = w->primitive[TRIAD_WENO_U] + at, *v = w->primitive[TRIAD_WENO_V] + at,
                   *q = w->primitive[TRIAD_WENO_W] + at, *T = w->primitive[TRIAD_WENO_T] + at, *r = m->t->u[0] + at;
  int64_t s[3];
  triad_real h[3], least = 0;
  for (int i = 0; i < 3; i++) {
    s[i] = w->blocks.halo[i] > 0 ? w->blocks.stride[i] : 0; /* an axis of one point has no differences */
    h[i] = TRIAD_R(0.5) * w->per_spacing[i];
    if (s[i] > 0 && (least <= 0 || w->per_spacing[i] < least)) least = w->per_spacing[i];
  }
  const int64_t x = s[0], y = s[1], z = s[2], a = m->step;
  const triad_real hx = h[0], hy = h[1], hz = h[2], faint = TRIAD_WENO_FAINT * TRIAD_WENO_FAINT * least * least;
#pragma omp simd
  for (int64_t i = 0; i < n; i++) {
    triad_real d = hx * (u[i + x] - u[i - x]) + hy * (v[i + y] - v[i - y]) + hz * (q[i + z] - q[i - z]);
    triad_real wx = hy * (q[i + y] - q[i - y]) - hz * (v[i + z] - v[i - z]);
    triad_real wy = hz * (u[i + z] - u[i - z]) - hx * (q[i + x] - q[i - x]);
    triad_real wz = hx * (v[i + x] - v[i - x]) - hy * (u[i + y] - u[i - y]);
    const triad_real rho[3] = {r[i - a], r[i], r[i + a]};
    const triad_real p[3] = {r[i - a] * T[i - a], r[i] * T[i], r[i + a] * T[i + a]};
    shocked[i] = triad_weno_shocked(d * d, wx * wx + wy * wy + wz * wz, faint * T[i], rho, p);
  }
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

/* WENO's fluxes of n faces, into the central ones' place where shocked[] says so. */
static void replace(const triad_weno_march *m, const triad_weno_stencil *c, int64_t n, const triad_real *shocked,
                    triad_weno_row face[5])
{
  triad_weno_scratch *s = m->t->s;
  if (m->faces.variables == TRIAD_WENO_COMPONENTS) {
    /* the upper edges of the cells below, the lower ones of those above; what comes with them is not needed */
    triad_weno_edges_row(&m->faces, c, 1, n, s->below, s->above[1]);
    triad_weno_row *spare = s->above[1];
    triad_weno_edges_row(&m->faces, c, 0, n, spare, s->above[0]);
    triad_weno_faces_row(&m->faces, c, n, s->above[0], s->below, 0, s->upwind);
  } else {
    triad_weno_waves_row(&m->faces, c, n, s, s->upwind);
  }
  for (int k = 0; k < 5; k++) {
    triad_real *restrict to = face[k];
    const triad_real *from = s->upwind[k];
#pragma omp simd
    for (int64_t i = 0; i < n; i++) to[i] = shocked[i] > 0 ? from[i] : to[i];
  }
}

/* Fluxes of n faces, the central ones being there. */
static void mend(const triad_weno_march *m, const triad_weno_stencil *c, int64_t n, int any, const triad_real *shocked,
                 triad_weno_row face[5])
{
  if (any) replace(m, c, n, shocked, face);
  if (m->faces.positivity) triad_weno_limit_row(&m->faces, c, n, face);
}

static void along_x(const triad_weno_march *m, int64_t y, int64_t z)
{
  triad_weno_scratch *s = m->t->s;
  int64_t n = m->t->n[0], at = triad_weno_place(m->t, y, z);
  const triad_real *cell[6];
  triad_weno_row face;
  shocked_row(m, at - 3, n + 6, s->shocked[0]);
  for (int i = 0; i < 6; i++) cell[i] = s->shocked[0] + i;
  triad_weno_central_row(m, at, n + 1, s->face[0]);
  int any = faces_of(cell, n + 1, face);
  if (any || m->faces.positivity) {
    triad_weno_stencil c;
    const triad_weno_row *flux[6];
    triad_weno_flux_row(m, at - 3, n + 6, s->flux[0]);
    for (int i = 0; i < 6; i++) flux[i] = s->flux[0];
    triad_weno_stencil_of(m, at, flux, &c);
    for (int i = 0; i < 6; i++)
      for (int k = 0; k < 5; k++) c.f[i][k] += i;
    mend(m, &c, n + 1, any, face, s->face[0]);
  }
  triad_weno_difference(m, y, z, s->face[0], s->face[0], 1);
}

/* March along y or z at row `other` of the remaining axis. Row r of the march keeps its cells in slot (r + 6) % 6. */
static void along(const triad_weno_march *m, int64_t other)
{
  const triad_weno_tile *t = m->t;
  triad_weno_scratch *s = t->s;
  int64_t lanes = t->n[0], step = m->step;
  int64_t start = m->axis == 1 ? triad_weno_place(t, 0, other) : triad_weno_place(t, other, 0);
  for (int64_t r = -3; r < 2; r++) shocked_row(m, start + r * step, lanes, s->shocked[(r + 6) % 6]);
  for (int64_t j = 0; j <= t->n[m->axis]; j++) {
    triad_weno_row *now = s->face[j & 1], *last = s->face[!(j & 1)], face;
    const triad_real *cell[6];
    shocked_row(m, start + (j + 2) * step, lanes, s->shocked[(j + 8) % 6]);
    for (int i = 0; i < 6; i++) cell[i] = s->shocked[i];
    triad_weno_central_row(m, start + j * step, lanes, now);
    int any = faces_of(cell, lanes, face);
    if (any || m->faces.positivity) {
      triad_weno_stencil c;
      const triad_weno_row *flux[6];
      for (int i = 0; i < 6; i++) {
        triad_weno_flux_row(m, start + (j + i - 3) * step, lanes, s->flux[i]);
        flux[i] = s->flux[i];
      }
      triad_weno_stencil_of(m, start + j * step, flux, &c);
      mend(m, &c, lanes, any, face, now);
    }
    if (j >= 1)
      triad_weno_difference(m, m->axis == 1 ? j - 1 : other, m->axis == 1 ? other : j - 1, last, now, 0);
  }
}

void triad_weno_hybrid_sweep(const triad_weno_tile *t, int axis, int first)
{
  const triad_weno_march m = triad_weno_march_of(t, axis, first);
  if (axis == 0) {
    for (int64_t z = 0; z < t->n[2]; z++)
      for (int64_t y = 0; y < t->n[1]; y++) along_x(&m, y, z);
  } else {
    for (int64_t o = 0; o < t->n[3 - axis]; o++) along(&m, o);
  }
}
