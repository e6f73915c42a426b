/* Compute the fluxes at the faces of a row on the CPU: characteristic variables, weighted reconstruction, and the
 * Riemann solver. */
#include "solvers/compressible/host/face_row.h"
#include "solvers/compressible/host/tile.h"
#include "solvers/compressible/points/flux_points.h"
#include "solvers/compressible/points/limit_points.h"
#include "solvers/compressible/points/weights_points.h"

TRIAD_POINT_INLINE triad_compressible_cell cell_of(const triad_real *const c[5], int64_t i)
{
  triad_compressible_cell r = {c[0][i], c[1][i], c[2][i], c[3][i], c[4][i]};
  return r;
}

/* The compiler makes one loop for each choice of weights and of Riemann solver, since it knows them once inlined. */

TRIAD_POINT_INLINE void edges_of(int weights, const triad_real *per, const triad_real *const q[5], int64_t n,
                                 triad_real *restrict below, triad_real *restrict above)
{
  const triad_real *a = q[0], *b = q[1], *c = q[2], *d = q[3], *e = q[4];
#pragma omp simd
  for (int64_t i = 0; i < n; i++)
    triad_compressible_edges(weights, per ? per[i] : TRIAD_R(1), a[i], b[i], c[i], d[i], e[i], below + i, above + i);
}

/* per: one over the values' units, NULL for 1, of the published scheme. */
static void edges(triad_compressible_weights weights, const triad_real *per, const triad_real *const q[5], int64_t n,
                  triad_real *below, triad_real *above)
{
  switch (weights) {
  case TRIAD_WENO_JS:
    if (per) edges_of(TRIAD_WENO_JS, per, q, n, below, above);
    else edges_of(TRIAD_WENO_JS, NULL, q, n, below, above);
    break;
  case TRIAD_WENO_M: edges_of(TRIAD_WENO_M, per, q, n, below, above); break;
  case TRIAD_WENO_Z: edges_of(TRIAD_WENO_Z, per, q, n, below, above); break;
  case TRIAD_COMPRESSIBLE_LINEAR: edges_of(TRIAD_COMPRESSIBLE_LINEAR, per, q, n, below, above); break;
  case TRIAD_WENO_TENO: edges_of(TRIAD_WENO_TENO, per, q, n, below, above); break;
  }
}

/* per[k]: one over density times speed^k, of n cells. */
static void units_row(const triad_compressible_faces *p, const triad_real *const cell[5], int64_t n,
                      triad_compressible_row per[4])
{
  const triad_compressible_gas g = p->gas;
  const triad_real *const q[5] = {cell[0], cell[1], cell[2], cell[3], cell[4]};
#pragma omp simd
  for (int64_t i = 0; i < n; i++) {
    const triad_compressible_cell c = cell_of(q, i);
    const triad_compressible_units unit = triad_compressible_units_of(&g, c.rho, c.n, TRIAD_SQRT(c.T));
    per[0][i] = unit.density;
    per[1][i] = per[0][i] * unit.fast;
    per[2][i] = per[1][i] * unit.fast;
    per[3][i] = per[2][i] * unit.fast;
  }
}

void triad_compressible_edges_row(const triad_compressible_faces *p, const triad_compressible_stencil *c, int first,
                                  int64_t n, triad_compressible_row below[10], triad_compressible_row above[10])
{
  triad_compressible_row units[4];
  const triad_real *per[4] = {NULL};
  if (!p->gas.published) {
    units_row(p, first ? c->b : c->a, n, units);
    for (int k = 0; k < 4; k++) per[k] = units[k];
  }
  for (int k = 0; k < 5; k++) {
    const triad_real *u[5], *f[5];
    for (int i = 0; i < 5; i++) {
      u[i] = c->u[first + i][k];
      f[i] = c->f[first + i][k];
    }
    const int power = k == 0 ? 0 : k == 4 ? 2 : 1; /* of a speed in component k of U; one more in its flux */
    edges(p->weights, per[power], u, n, below[k], above[k]);
    edges(p->weights, per[power + 1], f, n, below[5 + k], above[5 + k]);
  }
}

/* Five rows, and a vector of lane i of them. */
typedef struct rows {
  triad_real *r, *n, *s, *t, *e;
} rows;
TRIAD_POINT_INLINE rows rows_of(triad_real *first, int64_t step)
{
  return (rows){first, first + step, first + 2 * step, first + 3 * step, first + 4 * step};
}
TRIAD_POINT_INLINE triad_compressible_five read_lane(rows q, int64_t i)
{
  return (triad_compressible_five){q.r[i], q.n[i], q.s[i], q.t[i], q.e[i]};
}
TRIAD_POINT_INLINE void write_lane(rows q, int64_t i, triad_compressible_five v)
{
  q.r[i] = v.r;
  q.n[i] = v.n;
  q.s[i] = v.s;
  q.t[i] = v.t;
  q.e[i] = v.e;
}

TRIAD_POINT_INLINE void faces_of(int riemann, int published, const triad_compressible_gas *gas,
                                 const triad_compressible_stencil *c, int64_t n, triad_compressible_row l[10],
                                 triad_compressible_row r[10], int64_t shift, triad_compressible_row face[5])
{
  triad_compressible_gas g = *gas;
  g.published = published; /* which the compiler knows so */
  const triad_compressible_stencil s = *c;
  const rows ul = rows_of(l[0], TRIAD_COMPRESSIBLE_ROW), fl = rows_of(l[5], TRIAD_COMPRESSIBLE_ROW);
  const rows ur = rows_of(r[0] + shift, TRIAD_COMPRESSIBLE_ROW), fr = rows_of(r[5] + shift, TRIAD_COMPRESSIBLE_ROW);
  const rows out = rows_of(face[0], TRIAD_COMPRESSIBLE_ROW);
#pragma omp simd
  for (int64_t i = 0; i < n; i++)
    write_lane(out, i,
               triad_compressible_face(riemann, &g, cell_of(s.a, i), cell_of(s.b, i), read_lane(ul, i),
                                       read_lane(ur, i), read_lane(fl, i), read_lane(fr, i)));
}

TRIAD_POINT_INLINE void listed_of(triad_gas_riemann flux, const triad_compressible_gas *gas,
                                  const triad_compressible_stencil *c, int64_t n, triad_compressible_row l[10],
                                  triad_compressible_row r[10], int64_t shift, triad_compressible_row face[5])
{
  const triad_compressible_gas g = *gas;
  const triad_compressible_stencil s = *c;
  const rows ul = rows_of(l[0], TRIAD_COMPRESSIBLE_ROW), fl = rows_of(l[5], TRIAD_COMPRESSIBLE_ROW);
  const rows ur = rows_of(r[0] + shift, TRIAD_COMPRESSIBLE_ROW), fr = rows_of(r[5] + shift, TRIAD_COMPRESSIBLE_ROW);
  const rows out = rows_of(face[0], TRIAD_COMPRESSIBLE_ROW);
#pragma omp simd
  for (int64_t i = 0; i < n; i++)
    write_lane(out, i,
               triad_compressible_face_of_list(flux, &g, cell_of(s.a, i), cell_of(s.b, i), read_lane(ul, i),
                                               read_lane(ur, i), read_lane(fl, i), read_lane(fr, i)));
}

static void listed(triad_gas_riemann flux, const triad_compressible_gas *g, const triad_compressible_stencil *c,
                   int64_t n, triad_compressible_row l[10], triad_compressible_row r[10], int64_t shift,
                   triad_compressible_row face[5])
{
  switch (flux) {
#define LISTED(kind, ...) \
  case kind: listed_of(kind, g, c, n, l, r, shift, face); break;
    TRIAD_GAS_FLUXES(LISTED)
#undef LISTED
  }
}

void triad_compressible_faces_row(const triad_compressible_faces *p, const triad_compressible_stencil *c, int64_t n,
                                  triad_compressible_row above[10], triad_compressible_row below[10], int64_t shift,
                                  triad_compressible_row face[5])
{
  const triad_compressible_gas *g = &p->gas;
  switch (p->riemann) {
  case TRIAD_COMPRESSIBLE_ROE:
    if (g->published) faces_of(TRIAD_COMPRESSIBLE_ROE, 1, g, c, n, above, below, shift, face);
    else faces_of(TRIAD_COMPRESSIBLE_ROE, 0, g, c, n, above, below, shift, face);
    break;
  case TRIAD_COMPRESSIBLE_LLF: faces_of(TRIAD_COMPRESSIBLE_LLF, 0, g, c, n, above, below, shift, face); break;
  case TRIAD_COMPRESSIBLE_RUSANOV: faces_of(TRIAD_COMPRESSIBLE_RUSANOV, 0, g, c, n, above, below, shift, face); break;
  case TRIAD_COMPRESSIBLE_LISTED: listed(p->listed, g, c, n, above, below, shift, face); break;
  }
}

/* ---- characteristic reconstruction, some lanes at a time ---- */

enum { WAVES = TRIAD_COMPRESSIBLE_WAVES_ROW, LIMITED = 32 }; /* lanes that are passed over at once */

TRIAD_POINT_INLINE triad_compressible_frame frame_of(triad_real m[12][WAVES], int64_t i)
{
  return (triad_compressible_frame){
    {m[0][i], m[1][i], m[2][i], m[3][i], m[4][i], m[5][i], m[6][i], m[7][i]}, m[8][i], m[9][i], m[10][i], m[11][i]};
}

/* Averages of n faces, epsilon in units of their waves, and a sixth of the sizes of these. The compiler knows the
 * Riemann solver. */
TRIAD_POINT_INLINE void frames_of(int riemann, triad_real least, const triad_compressible_gas *gas,
                                  const triad_compressible_stencil *c, int64_t at, int64_t n,
                                  triad_compressible_scratch *to)
{
  const triad_compressible_gas g = *gas;
  const triad_compressible_stencil s = *c;
  const triad_real sixth = TRIAD_R(1.0 / 6);
  triad_real(*frame)[WAVES] = to->frame, (*size)[WAVES] = to->size, (*epsilon)[WAVES] = to->epsilon;
#pragma omp simd
  for (int64_t i = 0; i < n; i++) {
    const triad_compressible_cell a = cell_of(s.a, at + i), b = cell_of(s.b, at + i);
    const triad_compressible_frame f = triad_compressible_frame_of(triad_compressible_roe(&g, a, b));
    frame[0][i] = f.m.rho;
    frame[1][i] = f.m.n;
    frame[2][i] = f.m.s;
    frame[3][i] = f.m.t;
    frame[4][i] = f.m.kinetic;
    frame[5][i] = f.m.c;
    frame[6][i] = f.m.per_rho;
    frame[7][i] = f.m.per_c;
    frame[8][i] = f.fast;
    frame[9][i] = f.per_fast;
    frame[10][i] = f.per_rho_c;
    frame[11][i] = f.push;
    const triad_compressible_epsilons e = triad_compressible_epsilons_of(&g, f, least);
    epsilon[0][i] = e.entropy;
    epsilon[1][i] = e.sound;
    epsilon[2][i] = e.flux_entropy;
    epsilon[3][i] = e.flux_sound;
    if (riemann == TRIAD_COMPRESSIBLE_LISTED) continue;
    const triad_compressible_waves w = triad_compressible_wave_sizes(riemann, &g, f.m, a, b);
    size[0][i] = sixth * w.minus;
    size[1][i] = sixth * w.zero;
    size[2][i] = sixth * w.plus;
  }
}

static void frames(const triad_compressible_faces *p, const triad_compressible_stencil *c, int64_t at, int64_t n,
                   triad_compressible_scratch *to)
{
  const triad_real least = triad_compressible_epsilon((int)p->weights);
  switch (p->riemann) {
  case TRIAD_COMPRESSIBLE_ROE: frames_of(TRIAD_COMPRESSIBLE_ROE, least, &p->gas, c, at, n, to); break;
  case TRIAD_COMPRESSIBLE_LLF: frames_of(TRIAD_COMPRESSIBLE_LLF, least, &p->gas, c, at, n, to); break;
  case TRIAD_COMPRESSIBLE_RUSANOV: frames_of(TRIAD_COMPRESSIBLE_RUSANOV, least, &p->gas, c, at, n, to); break;
  case TRIAD_COMPRESSIBLE_LISTED: frames_of(TRIAD_COMPRESSIBLE_LISTED, least, &p->gas, c, at, n, to); break;
  }
}

/* The waves of a row of cells, each by its face's average. */
static void project(const triad_compressible_gas *gas, triad_real frame[12][WAVES], const triad_real *const q[5],
                    int64_t at, int64_t n, triad_real u[5][WAVES], triad_real f[5][WAVES])
{
  const triad_compressible_gas g = *gas;
  const triad_real *q0 = q[0] + at, *q1 = q[1] + at, *q2 = q[2] + at, *q3 = q[3] + at, *q4 = q[4] + at;
  const rows of_u = rows_of(u[0], WAVES), of_f = rows_of(f[0], WAVES);
#pragma omp simd
  for (int64_t i = 0; i < n; i++) {
    const triad_compressible_frame m = frame_of(frame, i);
    const triad_compressible_cell c = {q0[i], q1[i], q2[i], q3[i], q4[i]};
    const triad_compressible_wave s = triad_compressible_shear(m, c.rho, c.n, c.s - m.m.s),
                                  t = triad_compressible_shear(m, c.rho, c.n, c.t - m.m.t);
    const triad_compressible_sound w = triad_compressible_sound_of(&g, m, c);
    write_lane(of_u, i, (triad_compressible_five){w.entropy.u, w.down.u, s.u, t.u, w.up.u});
    write_lane(of_f, i, (triad_compressible_five){w.entropy.f, w.down.f, s.f, t.f, w.up.f});
  }
}

TRIAD_POINT_INLINE triad_compressible_sides sides_at(int weights, const triad_real *epsilon, triad_real q[6][5][WAVES],
                                                     int k, int64_t i)
{
  return triad_compressible_sides_of(weights, epsilon[i], q[0][k][i], q[1][k][i], q[2][k][i], q[3][k][i], q[4][k][i],
                                     q[5][k][i]);
}

/* Twice the flux of wave k. */
TRIAD_POINT_INLINE void wave_of(int weights, int k, int64_t n, const triad_real *size, triad_compressible_scratch *s,
                                triad_real *restrict flux)
{
  const triad_real *epsilon = s->epsilon[k > 0], *flux_epsilon = s->epsilon[2 + (k > 0)], *fast = s->frame[8];
#pragma omp simd
  for (int64_t i = 0; i < n; i++)
    flux[i] = triad_compressible_wave_flux(
      fast[i], size[i], triad_compressible_sum_of(sides_at(weights, flux_epsilon, s->waves[1], k, i)),
      triad_compressible_six_jumps(sides_at(weights, epsilon, s->waves[0], k, i)));
}

static void wave(triad_compressible_weights weights, int k, int64_t n, triad_compressible_scratch *s)
{
  const triad_real *size = s->size[k == 1 ? 0 : k == 4 ? 2 : 1];
  triad_real *flux = s->edge[0][k];
  switch (weights) {
  case TRIAD_WENO_JS: wave_of(TRIAD_WENO_JS, k, n, size, s, flux); break;
  case TRIAD_WENO_M: wave_of(TRIAD_WENO_M, k, n, size, s, flux); break;
  case TRIAD_WENO_Z: wave_of(TRIAD_WENO_Z, k, n, size, s, flux); break;
  case TRIAD_COMPRESSIBLE_LINEAR: wave_of(TRIAD_COMPRESSIBLE_LINEAR, k, n, size, s, flux); break;
  case TRIAD_WENO_TENO: wave_of(TRIAD_WENO_TENO, k, n, size, s, flux); break;
  }
}

/* Twice the values of wave k below and above the face, of U or the flux, whose unit is `unit`, NULL for 1. */
TRIAD_POINT_INLINE void edge_of(int weights, const triad_real *epsilon, const triad_real *unit, int64_t n,
                                triad_real q[6][5][WAVES], int k, triad_real *restrict lower,
                                triad_real *restrict upper)
{
  const triad_real sixth = TRIAD_R(1.0 / 6);
#pragma omp simd
  for (int64_t i = 0; i < n; i++) {
    const triad_compressible_sides s = sides_at(weights, epsilon, q, k, i);
    const triad_real sum = triad_compressible_sum_of(s), jump = sixth * triad_compressible_six_jumps(s),
                     of = unit ? unit[i] : TRIAD_R(1);
    lower[i] = of * (sum - jump);
    upper[i] = of * (sum + jump);
  }
}

static void edge(triad_compressible_weights weights, int part, int k, int64_t n, triad_compressible_scratch *s)
{
  const triad_real *epsilon = s->epsilon[2 * part + (k > 0)], *unit = part ? s->frame[8] : NULL;
  triad_real(*q)[5][WAVES] = s->waves[part], *lower = s->edge[part][k], *upper = s->edge[2 + part][k];
  switch (weights) {
  case TRIAD_WENO_JS: edge_of(TRIAD_WENO_JS, epsilon, unit, n, q, k, lower, upper); break;
  case TRIAD_WENO_M: edge_of(TRIAD_WENO_M, epsilon, unit, n, q, k, lower, upper); break;
  case TRIAD_WENO_Z: edge_of(TRIAD_WENO_Z, epsilon, unit, n, q, k, lower, upper); break;
  case TRIAD_COMPRESSIBLE_LINEAR: edge_of(TRIAD_COMPRESSIBLE_LINEAR, epsilon, unit, n, q, k, lower, upper); break;
  case TRIAD_WENO_TENO: edge_of(TRIAD_WENO_TENO, epsilon, unit, n, q, k, lower, upper); break;
  }
}

static void join(const triad_compressible_faces *p, int64_t at, int64_t n, triad_compressible_scratch *s,
                 triad_compressible_row face[5])
{
  const triad_compressible_gas g = p->gas;
  const rows flux = rows_of(s->edge[0][0], WAVES), out = rows_of(face[0] + at, TRIAD_COMPRESSIBLE_ROW);
#pragma omp simd
  for (int64_t i = 0; i < n; i++)
    write_lane(out, i, triad_compressible_from_unit_waves(&g, frame_of(s->frame, i).m, read_lane(flux, i)));
}

/* edge[0] U and edge[1] flux from below the face, edge[2] and edge[3] from above it. */
TRIAD_POINT_INLINE void join_of(triad_gas_riemann listed, const triad_compressible_gas *gas,
                                const triad_compressible_stencil *c, int64_t at, int64_t n, triad_real frame[12][WAVES],
                                triad_real e[4][5][WAVES], triad_compressible_row face[5])
{
  const triad_compressible_gas g = *gas;
  const triad_compressible_stencil s = *c;
  const rows ul = rows_of(e[0][0], WAVES), fl = rows_of(e[1][0], WAVES), ur = rows_of(e[2][0], WAVES),
             fr = rows_of(e[3][0], WAVES);
  const rows out = rows_of(face[0] + at, TRIAD_COMPRESSIBLE_ROW);
#pragma omp simd
  for (int64_t i = 0; i < n; i++) {
    const triad_compressible_average m = frame_of(frame, i).m;
    write_lane(out, i,
               triad_compressible_face_of_list(listed, &g, cell_of(s.a, at + i), cell_of(s.b, at + i),
                                               triad_compressible_from_unit_waves(&g, m, read_lane(ul, i)),
                                               triad_compressible_from_unit_waves(&g, m, read_lane(ur, i)),
                                               triad_compressible_from_unit_waves(&g, m, read_lane(fl, i)),
                                               triad_compressible_from_unit_waves(&g, m, read_lane(fr, i))));
  }
}

static void join_listed(const triad_compressible_faces *p, const triad_compressible_stencil *c, int64_t at, int64_t n,
                        triad_real frame[12][WAVES], triad_real e[4][5][WAVES], triad_compressible_row face[5])
{
  switch (p->listed) {
#define LISTED(kind, ...) \
  case kind: join_of(kind, &p->gas, c, at, n, frame, e, face); break;
    TRIAD_GAS_FLUXES(LISTED)
#undef LISTED
  }
}

void triad_compressible_waves_row(const triad_compressible_faces *p, const triad_compressible_stencil *c, int64_t n,
                                  triad_compressible_scratch *s, triad_compressible_row face[5])
{
  for (int64_t at = 0; at < n; at += WAVES) {
    int64_t lanes = n - at < WAVES ? n - at : WAVES;
    frames(p, c, at, lanes, s);
    for (int j = 0; j < 6; j++) project(&p->gas, s->frame, c->q[j], at, lanes, s->waves[0][j], s->waves[1][j]);
    if (p->riemann != TRIAD_COMPRESSIBLE_LISTED) {
      for (int k = 0; k < 5; k++) wave(p->weights, k, lanes, s);
      join(p, at, lanes, s, face);
    } else {
      for (int k = 0; k < 5; k++)
        for (int part = 0; part < 2; part++) edge(p->weights, part, k, lanes, s);
      join_listed(p, c, at, lanes, s->frame, s->edge, face);
    }
  }
}

TRIAD_POINT_INLINE triad_compressible_five read_five(const triad_real *const q[5], int64_t i)
{
  return (triad_compressible_five){q[0][i], q[1][i], q[2][i], q[3][i], q[4][i]};
}

/* Whether the limiter may change any of the faces first .. last - 1. */
TRIAD_POINT_INLINE int any_limited(const triad_compressible_faces *p, const triad_compressible_stencil *c,
                                   int64_t first, int64_t last, triad_compressible_row face[5])
{
  const triad_compressible_gas g = p->gas;
  const triad_compressible_stencil s = *c;
  const triad_real per_ratio = 1 / p->ratio;
  const rows f = rows_of(face[0], TRIAD_COMPRESSIBLE_ROW);
  triad_real any = 0;
#pragma omp simd reduction(+ : any)
  for (int64_t i = first; i < last; i++)
    any += triad_compressible_passes(&g, per_ratio, cell_of(s.a, i), cell_of(s.b, i), read_five(s.u[2], i),
                                     read_five(s.u[3], i), read_lane(f, i))
             ? TRIAD_R(0)
             : TRIAD_R(1);
  return any > 0;
}

void triad_compressible_limit_row(const triad_compressible_faces *p, const triad_compressible_stencil *c, int64_t n,
                                  triad_compressible_row face[5])
{
  const triad_compressible_gas g = p->gas;
  const triad_compressible_stencil s = *c;
  const rows f = rows_of(face[0], TRIAD_COMPRESSIBLE_ROW);
  for (int64_t at = 0; at < n; at += LIMITED) {
    const int64_t last = n - at < LIMITED ? n : at + LIMITED;
    if (!any_limited(p, c, at, last, face)) continue;
    for (int64_t i = at; i < last; i++) {
      const triad_compressible_cell a = cell_of(s.a, i), b = cell_of(s.b, i);
      const triad_compressible_five ua = read_five(s.u[2], i), ub = read_five(s.u[3], i);
      write_lane(f, i,
                 triad_compressible_limited(&g, p->ratio, a, b, ua, ub, triad_compressible_flux(&g, ua, a.n, a.T),
                                            triad_compressible_flux(&g, ub, b.n, b.T), read_lane(f, i)));
    }
  }
}
