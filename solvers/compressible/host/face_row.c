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

/* Averages of n faces, and one over the units of waves: of density and velocity, in U, then in the flux. */
static void averages(const triad_compressible_gas *gas, const triad_compressible_stencil *c, int64_t at, int64_t n,
                     triad_real average[8][WAVES], triad_real per[4][WAVES])
{
  const triad_compressible_gas g = *gas;
  const triad_compressible_stencil s = *c;
#pragma omp simd
  for (int64_t i = 0; i < n; i++) {
    triad_compressible_average m = triad_compressible_roe(&g, cell_of(s.a, at + i), cell_of(s.b, at + i));
    average[0][i] = m.rho;
    average[1][i] = m.n;
    average[2][i] = m.s;
    average[3][i] = m.t;
    average[4][i] = m.h;
    average[5][i] = m.kinetic;
    average[6][i] = m.c;
    average[7][i] = m.per_c;
    const triad_compressible_units unit = triad_compressible_units_of(&g, m.rho, m.n, m.c);
    per[0][i] = unit.density;
    per[1][i] = unit.sound;
    per[2][i] = unit.density * unit.fast;
    per[3][i] = unit.sound * unit.fast;
  }
}

TRIAD_POINT_INLINE triad_compressible_average average_of(triad_real m[8][WAVES], int64_t i)
{
  return (triad_compressible_average){m[0][i], m[1][i], m[2][i], m[3][i], m[4][i], m[5][i], m[6][i], m[7][i]};
}

static void project(const triad_compressible_gas *gas, triad_real average[8][WAVES], const triad_real *const q[5],
                    int64_t at, int64_t n, triad_real waves[5][WAVES])
{
  const triad_compressible_gas g = *gas;
  const triad_real *q0 = q[0] + at, *q1 = q[1] + at, *q2 = q[2] + at, *q3 = q[3] + at, *q4 = q[4] + at;
  const rows out = rows_of(waves[0], WAVES);
#pragma omp simd
  for (int64_t i = 0; i < n; i++)
    write_lane(out, i,
               triad_compressible_to_waves(&g, average_of(average, i),
                                           (triad_compressible_five){q0[i], q1[i], q2[i], q3[i], q4[i]}));
}

TRIAD_POINT_INLINE void edge_of(int weights, const triad_real *per, int64_t n, triad_real q[6][5][WAVES], int k,
                                triad_real *restrict lower, triad_real *restrict upper)
{
#pragma omp simd
  for (int64_t i = 0; i < n; i++) {
    lower[i] = triad_compressible_edge(weights, per[i], q[0][k][i], q[1][k][i], q[2][k][i], q[3][k][i], q[4][k][i]);
    upper[i] = triad_compressible_edge(weights, per[i], q[5][k][i], q[4][k][i], q[3][k][i], q[2][k][i], q[1][k][i]);
  }
}

static void edge(triad_compressible_weights weights, const triad_real *per, int64_t n, triad_real q[6][5][WAVES], int k,
                 triad_real *lower, triad_real *upper)
{
  switch (weights) {
  case TRIAD_WENO_JS: edge_of(TRIAD_WENO_JS, per, n, q, k, lower, upper); break;
  case TRIAD_WENO_M: edge_of(TRIAD_WENO_M, per, n, q, k, lower, upper); break;
  case TRIAD_WENO_Z: edge_of(TRIAD_WENO_Z, per, n, q, k, lower, upper); break;
  case TRIAD_COMPRESSIBLE_LINEAR: edge_of(TRIAD_COMPRESSIBLE_LINEAR, per, n, q, k, lower, upper); break;
  case TRIAD_WENO_TENO: edge_of(TRIAD_WENO_TENO, per, n, q, k, lower, upper); break;
  }
}

/* e[0] U and e[1] flux from below the face, e[2] and e[3] from above it. listed: the kind, if riemann is
 * TRIAD_COMPRESSIBLE_LISTED. The compiler knows both. */
TRIAD_POINT_INLINE void join_of(int riemann, triad_gas_riemann listed, const triad_compressible_gas *gas,
                                const triad_compressible_stencil *c, int64_t at, int64_t n,
                                triad_real average[8][WAVES], triad_real e[4][5][WAVES], triad_compressible_row face[5])
{
  const triad_compressible_gas g = *gas;
  const triad_compressible_stencil s = *c;
  const rows ul = rows_of(e[0][0], WAVES), fl = rows_of(e[1][0], WAVES), ur = rows_of(e[2][0], WAVES),
             fr = rows_of(e[3][0], WAVES);
  const rows out = rows_of(face[0] + at, TRIAD_COMPRESSIBLE_ROW);
#pragma omp simd
  for (int64_t i = 0; i < n; i++)
    write_lane(out, i,
               riemann == TRIAD_COMPRESSIBLE_LISTED
                 ? triad_compressible_listed_face_of_waves(listed, &g, average_of(average, i), cell_of(s.a, at + i),
                                                           cell_of(s.b, at + i), read_lane(ul, i), read_lane(ur, i),
                                                           read_lane(fl, i), read_lane(fr, i))
                 : triad_compressible_face_of_waves(riemann, &g, average_of(average, i), cell_of(s.a, at + i),
                                                    cell_of(s.b, at + i), read_lane(ul, i), read_lane(ur, i),
                                                    read_lane(fl, i), read_lane(fr, i)));
}

static void join_listed(const triad_compressible_faces *p, const triad_compressible_stencil *c, int64_t at, int64_t n,
                        triad_real average[8][WAVES], triad_real e[4][5][WAVES], triad_compressible_row face[5])
{
  switch (p->listed) {
#define LISTED(kind, ...) \
  case kind: join_of(TRIAD_COMPRESSIBLE_LISTED, kind, &p->gas, c, at, n, average, e, face); break;
    TRIAD_GAS_FLUXES(LISTED)
#undef LISTED
  }
}

static void join(const triad_compressible_faces *p, const triad_compressible_stencil *c, int64_t at, int64_t n,
                 triad_real average[8][WAVES], triad_real e[4][5][WAVES], triad_compressible_row face[5])
{
  switch (p->riemann) {
  case TRIAD_COMPRESSIBLE_ROE:
    join_of(TRIAD_COMPRESSIBLE_ROE, TRIAD_GAS_ROE, &p->gas, c, at, n, average, e, face);
    break;
  case TRIAD_COMPRESSIBLE_LLF:
    join_of(TRIAD_COMPRESSIBLE_LLF, TRIAD_GAS_ROE, &p->gas, c, at, n, average, e, face);
    break;
  case TRIAD_COMPRESSIBLE_RUSANOV:
    join_of(TRIAD_COMPRESSIBLE_RUSANOV, TRIAD_GAS_ROE, &p->gas, c, at, n, average, e, face);
    break;
  case TRIAD_COMPRESSIBLE_LISTED: join_listed(p, c, at, n, average, e, face); break;
  }
}

void triad_compressible_waves_row(const triad_compressible_faces *p, const triad_compressible_stencil *c, int64_t n,
                                  triad_compressible_scratch *s, triad_compressible_row face[5])
{
  for (int64_t at = 0; at < n; at += WAVES) {
    int64_t lanes = n - at < WAVES ? n - at : WAVES;
    averages(&p->gas, c, at, lanes, s->average, s->per);
    for (int j = 0; j < 6; j++) {
      project(&p->gas, s->average, c->u[j], at, lanes, s->waves[0][j]);
      project(&p->gas, s->average, c->f[j], at, lanes, s->waves[1][j]);
    }
    for (int k = 0; k < 5; k++)
      for (int part = 0; part < 2; part++)
        edge(p->weights, s->per[2 * part + (k > 0)], lanes, s->waves[part], k, s->edge[part][k], s->edge[2 + part][k]);
    join(p, c, at, lanes, s->average, s->edge, face);
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
    for (int64_t i = at; i < last; i++)
      write_lane(f, i,
                 triad_compressible_limited(&g, p->ratio, cell_of(s.a, i), cell_of(s.b, i), read_five(s.u[2], i),
                                            read_five(s.u[3], i), read_five(s.f[2], i), read_five(s.f[3], i),
                                            read_lane(f, i)));
  }
}
