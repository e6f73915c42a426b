/* Rows of cells and faces on the CPU: loops that the compiler turns into vector instructions. */
#include "solvers/multiblock/host/rows.h"

/* ---- states ---- */

int64_t triad_multiblock_primitive_row(triad_real *const u[TRIAD_MULTIBLOCK_FIELDS],
                                       triad_real *const q[TRIAD_MULTIBLOCK_FIELDS], triad_real gamma, int64_t n)
{
  triad_real *restrict q0 = q[0], *restrict q1 = q[1], *restrict q2 = q[2], *restrict q3 = q[3], *restrict q4 = q[4];
  const triad_real *restrict u0 = u[0], *restrict u1 = u[1], *restrict u2 = u[2], *restrict u3 = u[3],
                             *restrict u4 = u[4];
  int64_t bad = 0;
#pragma omp simd simdlen(TRIAD_MULTIBLOCK_LANES) reduction(+ : bad)
  for (int64_t l = 0; l < n; l++) {
    triad_gas_state s = triad_gas_primitive((triad_gas_flux){u0[l], u1[l], u2[l], u3[l], u4[l]}, gamma);
    q0[l] = s.rho;
    q1[l] = s.u;
    q2[l] = s.v;
    q3[l] = s.w;
    q4[l] = s.p;
    bad += !(s.rho > 0) | !(s.p > 0) | !(s.p < TRIAD_R(1e30));
  }
  return bad;
}

/* ---- states at faces ---- */

/* Fields that are worked at together, two or three; down and up: what they become at the faces below and above.
 * Density and pressure are positive: they fall to a twentieth at most. */
typedef struct together {
  int n, positive;
  const triad_real *q[3];
  triad_real *down[3], *up[3];
} together;

/* 1/x of three numbers: in double precision by one quotient, for which a core takes as long as for ten products;
 * theirs is well within what a number can be, for none is below 1e-100. */
static inline __attribute__((always_inline)) triad_gas_vector per_each(triad_real x, triad_real y, triad_real z)
{
  if (sizeof(triad_real) != sizeof(double)) return (triad_gas_vector){1 / x, 1 / y, 1 / z};
  const triad_real xy = x * y, per = 1 / (xy * z), per_xy = per * z;
  return (triad_gas_vector){per_xy * y, per_xy * x, per * xy};
}

static inline __attribute__((always_inline)) void put(triad_real here, triad_real half_slope, int positive,
                                                      triad_real *down, triad_real *up)
{
  const triad_real low = here - half_slope, high = here + half_slope, least = TRIAD_R(0.05) * here;
  *down = positive ? triad_max(low, least) : low;
  *up = positive ? triad_max(high, least) : high;
}

static inline __attribute__((always_inline)) void reach_limited(triad_multiblock_limiter limiter, triad_real order,
                                                                const together *t, int64_t stride, int64_t n)
{
  const triad_real *restrict a = t->q[0], *restrict b = t->q[1], *restrict c = t->q[2], part = TRIAD_R(0.5) * order;
  triad_real *restrict a_down = t->down[0], *restrict b_down = t->down[1], *restrict c_down = t->down[2];
  triad_real *restrict a_up = t->up[0], *restrict b_up = t->up[1], *restrict c_up = t->up[2];
  const int three = t->n == 3;
#pragma omp simd simdlen(TRIAD_MULTIBLOCK_LANES)
  for (int64_t l = 0; l < n; l++) {
    const triad_multiblock_ratio sa = triad_multiblock_slope_ratio(limiter, a[l] - a[l - stride], a[l + stride] - a[l]);
    const triad_multiblock_ratio sb = triad_multiblock_slope_ratio(limiter, b[l] - b[l - stride], b[l + stride] - b[l]);
    triad_multiblock_ratio sc = {1, 1};
    if (three) sc = triad_multiblock_slope_ratio(limiter, c[l] - c[l - stride], c[l + stride] - c[l]);
    const triad_gas_vector per = per_each(sa.under, sb.under, sc.under);
    put(a[l], part * sa.top * per.x, t->positive, &a_down[l], &a_up[l]);
    put(b[l], part * sb.top * per.y, t->positive, &b_down[l], &b_up[l]);
    if (three) put(c[l], part * sc.top * per.z, t->positive, &c_down[l], &c_up[l]);
  }
}

/* Without limiter kappa counts. */
static inline __attribute__((always_inline)) void reach_plain(triad_real kappa, triad_real order, int positive,
                                                              const triad_real *restrict q, int64_t stride, int64_t n,
                                                              triad_real *restrict down, triad_real *restrict up)
{
  const triad_real least = TRIAD_R(0.05);
#pragma omp simd simdlen(TRIAD_MULTIBLOCK_LANES)
  for (int64_t l = 0; l < n; l++) {
    triad_real a, b;
    triad_multiblock_reach(TRIAD_MULTIBLOCK_NO_LIMITER, kappa, order, q[l - stride], q[l], q[l + stride], &a, &b);
    down[l] = positive ? triad_max(a, least * q[l]) : a;
    up[l] = positive ? triad_max(b, least * q[l]) : b;
  }
}

static inline __attribute__((always_inline)) void reach_all(const triad_multiblock_flow *f,
                                                            triad_multiblock_limiter limiter, int64_t at,
                                                            int64_t stride, int64_t n, triad_multiblock_row down,
                                                            triad_multiblock_row up)
{
  const triad_real kappa = (triad_real)f->setup.kappa, order = (triad_real)f->order;
  const triad_real *const q[5] = {f->q[0] + at, f->q[1] + at, f->q[2] + at, f->q[3] + at, f->q[4] + at};
  if (limiter == TRIAD_MULTIBLOCK_NO_LIMITER) {
    for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++)
      reach_plain(kappa, order, m == 0 || m == 4, q[m], stride, n, down[m], up[m]);
    return;
  }
  const together positive = {2, 1, {q[0], q[4], NULL}, {down[0], down[4], NULL}, {up[0], up[4], NULL}};
  const together velocity = {3, 0, {q[1], q[2], q[3]}, {down[1], down[2], down[3]}, {up[1], up[2], up[3]}};
  reach_limited(limiter, order, &positive, stride, n);
  reach_limited(limiter, order, &velocity, stride, n);
}

/* With frozen limiters: by the part that each cell's limiter has left. */
static void reach_frozen(const triad_multiblock_flow *f, int axis, int64_t at, int64_t stride, int64_t n,
                         triad_multiblock_row down, triad_multiblock_row up)
{
  const triad_real least = TRIAD_R(0.05);
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) {
    const triad_real *restrict q = f->q[m] + at, *restrict part = f->kept[axis][m] + at;
    triad_real *restrict low = down[m], *restrict high = up[m];
    const int positive = m == 0 || m == 4;
#pragma omp simd
    for (int64_t l = 0; l < n; l++) {
      triad_multiblock_reach_frozen(part[l], q[l - stride], q[l], q[l + stride], &low[l], &high[l]);
      if (positive) {
        low[l] = triad_max(low[l], least * q[l]);
        high[l] = triad_max(high[l], least * q[l]);
      }
    }
  }
}

void triad_multiblock_reach_row(const triad_multiblock_flow *f, int axis, int64_t at, int64_t stride, int64_t n,
                                triad_multiblock_row down, triad_multiblock_row up)
{
  if (f->frozen) {
    reach_frozen(f, axis, at, stride, n, down, up);
    return;
  }
  switch (f->setup.limiter) {
#define REACH(kind, ...) \
  case kind: reach_all(f, kind, at, stride, n, down, up); break;
    TRIAD_MULTIBLOCK_LIMITER_ROWS(REACH)
#undef REACH
  }
}

/* ---- fluxes ---- */

static inline __attribute__((always_inline)) void faces(triad_gas_riemann kind, triad_real gamma, int64_t n,
                                                        triad_real *const l[5], triad_real *const r[5],
                                                        const triad_real *const s[3], triad_multiblock_row flux)
{
  const triad_real *restrict l0 = l[0], *restrict l1 = l[1], *restrict l2 = l[2], *restrict l3 = l[3],
                             *restrict l4 = l[4];
  const triad_real *restrict r0 = r[0], *restrict r1 = r[1], *restrict r2 = r[2], *restrict r3 = r[3],
                             *restrict r4 = r[4];
  const triad_real *restrict sx = s[0], *restrict sy = s[1], *restrict sz = s[2];
  triad_real *restrict f0 = flux[0], *restrict f1 = flux[1], *restrict f2 = flux[2], *restrict f3 = flux[3];
  triad_real *restrict f4 = flux[4];
#pragma omp simd simdlen(TRIAD_MULTIBLOCK_LANES)
  for (int64_t i = 0; i < n; i++) {
    const triad_gas_state left = {l0[i], l1[i], l2[i], l3[i], l4[i]}, right = {r0[i], r1[i], r2[i], r3[i], r4[i]};
    triad_gas_flux through = triad_gas_between(kind, left, right, (triad_gas_vector){sx[i], sy[i], sz[i]}, gamma);
    f0[i] = through.mass;
    f1[i] = through.x;
    f2[i] = through.y;
    f3[i] = through.z;
    f4[i] = through.energy;
  }
}

void triad_multiblock_area_rows(const triad_multiblock_flow *f, const triad_zone_part *p, int axis, int64_t at,
                                int64_t n, triad_multiblock_area_row room, const triad_real *s[3])
{
  const int kept = f->node[0] == NULL;
  for (int a = 0; a < 3; a++) s[a] = kept ? f->s[axis][a] + at : room[a];
  if (kept) return;
  const triad_real *const node[3] = {f->node[0] + at, f->node[1] + at, f->node[2] + at};
  const int64_t next = p->stride[(axis + 1) % 3], after = p->stride[(axis + 2) % 3];
  triad_real *restrict x = room[0], *restrict y = room[1], *restrict z = room[2];
#pragma omp simd simdlen(TRIAD_MULTIBLOCK_LANES)
  for (int64_t l = 0; l < n; l++) {
    const triad_gas_vector area = triad_multiblock_area_between(node, l, next, after);
    x[l] = area.x;
    y[l] = area.y;
    z[l] = area.z;
  }
}

void triad_multiblock_face_row(const triad_multiblock_flow *f, const triad_real *const s[3], int64_t n,
                               triad_multiblock_row l, triad_multiblock_row r, int skip_r, triad_multiblock_row flux)
{
  const triad_real gamma = (triad_real)f->setup.gas.gamma;
  triad_real *left[5], *right[5];
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) {
    left[m] = l[m];
    right[m] = r[m] + skip_r;
  }
  switch (f->setup.riemann) {
#define FACES(kind, ...) \
  case kind: faces(kind, gamma, n, left, right, s, flux); break;
    TRIAD_GAS_FLUXES(FACES)
#undef FACES
  }
}

/* ---- diffusion ---- */

triad_multiblock_sight triad_multiblock_sight_of(const triad_multiblock_flow *f)
{
  const triad_multiblock_gas *g = &f->setup.gas;
  triad_multiblock_sight m = {.value = {f->q[1], f->q[2], f->q[3], f->temperature},
                              .viscosity = f->viscosity,
                              .volume = f->volume,
                              .conduction = (triad_real)(g->gamma * g->constant / (g->gamma - 1) / g->prandtl)};
  for (int i = 0; i < 3; i++)
    for (int a = 0; a < 3; a++) m.s[i][a] = f->s[i][a];
  return m;
}

static inline __attribute__((always_inline)) void diffuse_along(const triad_multiblock_sight *m, int axis, int flat,
                                                                const int64_t step[3], int64_t at, int64_t n,
                                                                triad_multiblock_row flux)
{
#pragma omp simd simdlen(TRIAD_MULTIBLOCK_LANES)
  for (int64_t l = 0; l < n; l++) {
    triad_gas_flux d = triad_multiblock_diffused(m, axis, flat, step, at + l);
    flux[1][l] -= d.x;
    flux[2][l] -= d.y;
    flux[3][l] -= d.z;
    flux[4][l] -= d.energy;
  }
}

/* The compiler makes loops for each axis and each flat axis, so that lanes have nothing to decide. */
static inline __attribute__((always_inline)) void diffuse(const triad_multiblock_sight *m, int axis, int flat,
                                                          const int64_t step[3], int64_t at, int64_t n,
                                                          triad_multiblock_row flux)
{
  if (axis == 0) diffuse_along(m, 0, flat, step, at, n, flux);
  else if (axis == 1) diffuse_along(m, 1, flat, step, at, n, flux);
  else diffuse_along(m, 2, flat, step, at, n, flux);
}

void triad_multiblock_diffuse_row(const triad_multiblock_flow *f, const triad_zone_part *p, int axis, int64_t at,
                                  int64_t n, triad_multiblock_row flux)
{
  const triad_multiblock_sight m = triad_multiblock_sight_of(f);
  switch (f->zones->zone[p->zone].flat) {
  case 0: diffuse(&m, axis, 0, p->stride, at, n, flux); break;
  case 1: diffuse(&m, axis, 1, p->stride, at, n, flux); break;
  case 2: diffuse(&m, axis, 2, p->stride, at, n, flux); break;
  default: diffuse(&m, axis, TRIAD_ZONE_NOT_FLAT, p->stride, at, n, flux);
  }
}
