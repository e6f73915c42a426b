/* Viscous rates of a tile: the fluxes of two points beyond it on either side, and differences of order four of them. */
#include "solvers/weno/viscous_points.h"

#include "solvers/weno/tile.h"

typedef struct sweep {
  const triad_weno_tile *t;
  triad_weno_steps steps;
  int axis, field[5], velocity[3];
} sweep;

/* Viscous fluxes of n points, the first at place `at`. */
static void stress_row(const sweep *s, int64_t at, int64_t n, triad_weno_row f[4])
{
  const triad_weno_gas g = s->t->w->gas;
  const triad_weno_steps a = s->steps;
  triad_real *const *p = s->t->w->primitive;
  const triad_real *un = p[s->velocity[0]] + at, *us = p[s->velocity[1]] + at, *ut = p[s->velocity[2]] + at,
                   *T = p[TRIAD_WENO_T] + at, *mu = p[TRIAD_WENO_MU] + at;
  triad_real *restrict f0 = f[0], *restrict f1 = f[1], *restrict f2 = f[2], *restrict f3 = f[3];
#pragma omp simd
  for (int64_t i = 0; i < n; i++) {
    triad_weno_stress v = triad_weno_stress_at(&g, a, un + i, us + i, ut + i, T + i, mu + i);
    f0[i] = v.n;
    f1[i] = v.s;
    f2[i] = v.t;
    f3[i] = v.e;
  }
}

/* Rates of row (y, z) from viscous fluxes of the rows two and one below and above it. */
static void difference(const sweep *s, int64_t y, int64_t z, const triad_real *const a[4], const triad_real *const b[4],
                       const triad_real *const d[4], const triad_real *const e[4])
{
  for (int k = 0; k < 4; k++) {
    triad_real *restrict rate = triad_weno_rate(s->t, s->field[1 + k], y, z);
    const triad_real *f2 = a[k], *f1 = b[k], *g1 = d[k], *g2 = e[k], per = s->steps.per_n;
#pragma omp simd
    for (int64_t i = 0; i < s->t->n[0]; i++) rate[i] += per * (8 * (g1[i] - f1[i]) - (g2[i] - f2[i]));
  }
}

static void along_x(const sweep *s, int64_t y, int64_t z)
{
  triad_weno_row *f = s->t->s->stress[0];
  stress_row(s, triad_weno_place(s->t, y, z) - 2, s->t->n[0] + 4, f);
  const triad_real *at[5][4];
  for (int j = 0; j < 5; j++)
    for (int k = 0; k < 4; k++) at[j][k] = f[k] + j;
  difference(s, y, z, at[0], at[1], at[3], at[4]);
}

/* Row r of the march keeps its fluxes in slot (r + 5) % 5. */
static void along(const sweep *s, int64_t other)
{
  const triad_weno_tile *t = s->t;
  int64_t rows = t->n[s->axis], step = t->w->blocks.stride[s->axis];
  int64_t start = s->axis == 1 ? triad_weno_place(t, 0, other) : triad_weno_place(t, other, 0);
  for (int64_t r = -2; r < rows + 2; r++) {
    stress_row(s, start + r * step, t->n[0], t->s->stress[(r + 5) % 5]);
    if (r < 2) continue;
    const triad_real *at[5][4];
    for (int j = 0; j < 5; j++)
      for (int k = 0; k < 4; k++) at[j][k] = t->s->stress[(r - 4 + j + 5) % 5][k];
    difference(s, s->axis == 1 ? r - 2 : other, s->axis == 1 ? other : r - 2, at[0], at[1], at[3], at[4]);
  }
}

void triad_weno_viscous_sweep(const triad_weno_tile *t, int axis)
{
  const triad_partition *b = &t->w->blocks;
  sweep s = {.t = t, .axis = axis};
  int64_t step[3];
  triad_real per[3];
  triad_weno_order(axis, s.field, s.velocity);
  for (int i = 0; i < 3; i++) {
    int a = s.velocity[i];
    step[i] = b->halo[a] > 0 ? b->stride[a] : 0; /* no derivative along an axis of one point */
    per[i] = t->w->per_spacing[a] / 12;
  }
  s.steps = (triad_weno_steps){step[0], step[1], step[2], per[0], per[1], per[2]};
  if (axis == 0) {
    for (int64_t z = 0; z < t->n[2]; z++)
      for (int64_t y = 0; y < t->n[1]; y++) along_x(&s, y, z);
  } else {
    for (int64_t o = 0; o < t->n[3 - axis]; o++) along(&s, o);
  }
}
