/* Viscous rates of a tile, by differences of order four along one axis: of fluxes at points, two beyond the tile on
 * either side, or of fluxes at faces, one beyond it. */
#include "solvers/compressible/host/tile.h"
#include "solvers/compressible/points/viscous_points.h"

enum { MOST_ROWS = 5 };

typedef struct sweep {
  const triad_compressible_tile *t;
  const struct form *form;
  triad_compressible_steps steps;
  int axis, field[5], velocity[3];
  triad_compressible_wall_kind wall[2]; /* of the tile's faces below and above along the axis */
} sweep;

typedef void stress_work(const sweep *s, int64_t at, int64_t n, triad_compressible_row f[4]);
typedef void difference_work(const sweep *s, int64_t y, int64_t z, const triad_real *const f[MOST_ROWS][4]);

/* Viscous fluxes of n points, the first at place `at`. For faces it is written out again: as one inlined text with a
 * switch, steps with faces took 5 % longer. */
static void stress_of_points(const sweep *s, int64_t at, int64_t n, triad_compressible_row f[4])
{
  const triad_compressible_gas g = s->t->w->gas;
  const triad_compressible_steps a = s->steps;
  triad_real *const *p = s->t->w->primitive;
  const triad_real *un = p[s->velocity[0]] + at, *us = p[s->velocity[1]] + at, *ut = p[s->velocity[2]] + at,
                   *T = p[TRIAD_WENO_T] + at, *mu = p[TRIAD_COMPRESSIBLE_MU] + at;
  triad_real *restrict f0 = f[0], *restrict f1 = f[1], *restrict f2 = f[2], *restrict f3 = f[3];
#pragma omp simd
  for (int64_t i = 0; i < n; i++) {
    triad_compressible_stress v = triad_compressible_stress_at(&g, a, un + i, us + i, ut + i, T + i, mu + i);
    f0[i] = v.n;
    f1[i] = v.s;
    f2[i] = v.t;
    f3[i] = v.e;
  }
}

/* Viscous fluxes of n faces, the first below the point at place `at`. */
static void stress_of_faces(const sweep *s, int64_t at, int64_t n, triad_compressible_row f[4])
{
  const triad_compressible_gas g = s->t->w->gas;
  const triad_compressible_steps a = s->steps;
  triad_real *const *p = s->t->w->primitive;
  const triad_real *un = p[s->velocity[0]] + at, *us = p[s->velocity[1]] + at, *ut = p[s->velocity[2]] + at,
                   *T = p[TRIAD_WENO_T] + at, *mu = p[TRIAD_COMPRESSIBLE_MU] + at;
  triad_real *restrict f0 = f[0], *restrict f1 = f[1], *restrict f2 = f[2], *restrict f3 = f[3];
#pragma omp simd
  for (int64_t i = 0; i < n; i++) {
    triad_compressible_stress v = triad_compressible_stress_at_face(&g, a, un + i, us + i, ut + i, T + i, mu + i);
    f0[i] = v.n;
    f1[i] = v.s;
    f2[i] = v.t;
    f3[i] = v.e;
  }
}

/* Rates of row (y, z) from the rows of fluxes about it, in their order. */
TRIAD_POINT_INLINE void difference(const sweep *s, int faces, int64_t y, int64_t z,
                                   const triad_real *const f[MOST_ROWS][4])
{
  const triad_real per = faces ? s->steps.per_n / 24 : s->steps.per_n;
  for (int k = 0; k < 4; k++) {
    triad_real *restrict rate = triad_compressible_rate(s->t, s->field[1 + k], y, z);
    const triad_real *a = f[0][k], *b = f[1][k], *c = f[faces ? 2 : 3][k], *d = f[faces ? 3 : 4][k];
#pragma omp simd
    for (int64_t i = 0; i < s->t->n[0]; i++) rate[i] += per * ((faces ? 27 : 8) * (c[i] - b[i]) - (d[i] - a[i]));
  }
}

/* Walls without heat: the viscous flux of energy through the face below row (y, z), or above it, comes to the work
 * on the wall. */
TRIAD_POINT_INLINE void without_heat(const sweep *s, int faces, int upper, int64_t y, int64_t z,
                                     const triad_real *const f[MOST_ROWS][4])
{
  const triad_compressible_tile *t = s->t;
  triad_real *const *p = t->w->primitive;
  const triad_real per = (upper ? 1 : -1) * (faces ? s->steps.per_n / 24 : s->steps.per_n);
  const int along_x = s->axis == 0;
  const int64_t first = along_x && upper ? t->n[0] - 1 : 0, last = along_x ? first : t->n[0] - 1,
                step = t->w->blocks.stride[s->axis];
  triad_real *rate = triad_compressible_rate(t, 4, y, z);
  for (int64_t i = first; i <= last; i++) {
    const int64_t above = triad_compressible_place(t, y, z) + i + (upper ? step : 0), below = above - step;
    triad_real flux[4];
    for (int k = 0; k < 4; k++)
      flux[k] = faces ? 26 * f[1 + upper][k][i] - (f[upper][k][i] + f[2 + upper][k][i])
                      : 7 * (f[1 + upper][k][i] + f[2 + upper][k][i]) - (f[upper][k][i] + f[3 + upper][k][i]);
    const triad_real us[2] = {p[s->velocity[1]][below], p[s->velocity[1]][above]},
                     ut[2] = {p[s->velocity[2]][below], p[s->velocity[2]][above]};
    const triad_compressible_cell a = {0, 0, us[0], ut[0], 0}, b = {0, 0, us[1], ut[1], 0};
    const triad_compressible_five wall = triad_compressible_through_wall(
      TRIAD_COMPRESSIBLE_STICKS_WITHOUT_HEAT, a, b, (triad_compressible_five){0, flux[0], flux[1], flux[2], flux[3]});
    rate[i] += per * (wall.e - flux[3]);
  }
}

static void walls_of(const sweep *s, int faces, int64_t y, int64_t z, const triad_real *const f[MOST_ROWS][4])
{
  for (int upper = 0; upper < 2; upper++) {
    const int64_t row = s->axis == 1 ? y : z, end = upper ? s->t->n[s->axis] - 1 : 0;
    if (s->wall[upper] == TRIAD_COMPRESSIBLE_STICKS_WITHOUT_HEAT && (s->axis == 0 || row == end))
      without_heat(s, faces, upper, y, z, f);
  }
}

static void difference_of_points(const sweep *s, int64_t y, int64_t z, const triad_real *const f[MOST_ROWS][4])
{
  difference(s, 0, y, z, f);
  walls_of(s, 0, y, z, f);
}

static void difference_of_faces(const sweep *s, int64_t y, int64_t z, const triad_real *const f[MOST_ROWS][4])
{
  difference(s, 1, y, z, f);
  walls_of(s, 1, y, z, f);
}

/* Rows of fluxes that row r of rates takes, and how many of them lie before it: r - 2 .. r + 2 of points; of faces,
 * which have the numbers of the points above them, r - 1 .. r + 2. */
static const struct form {
  int rows, before;
  triad_real per; /* derivatives come in units of 1/(per h) */
  stress_work *stress;
  difference_work *difference;
} points = {5, 2, TRIAD_R(12), stress_of_points, difference_of_points},
  faces = {4, 1, TRIAD_R(1), stress_of_faces, difference_of_faces};

static void along_x(const sweep *s, int64_t y, int64_t z)
{
  triad_compressible_row *f = s->t->s->stress[0];
  s->form->stress(s, triad_compressible_place(s->t, y, z) - s->form->before, s->t->n[0] + s->form->rows - 1, f);
  const triad_real *at[MOST_ROWS][4];
  for (int j = 0; j < s->form->rows; j++)
    for (int k = 0; k < 4; k++) at[j][k] = f[k] + j;
  s->form->difference(s, y, z, at);
}

/* March along y or z at row `other` of the remaining axis: row r keeps its fluxes in slot (r + rows) % rows. */
static void along(const sweep *s, int64_t other)
{
  const triad_compressible_tile *t = s->t;
  const int rows = s->form->rows;
  int64_t step = t->w->blocks.stride[s->axis];
  int64_t start = s->axis == 1 ? triad_compressible_place(t, 0, other) : triad_compressible_place(t, other, 0);
  for (int64_t r = -s->form->before; r < t->n[s->axis] + 2; r++) {
    s->form->stress(s, start + r * step, t->n[0], t->s->stress[(r + rows) % rows]);
    if (r < 2) continue;
    const triad_real *at[MOST_ROWS][4];
    for (int j = 0; j < rows; j++)
      for (int k = 0; k < 4; k++) at[j][k] = t->s->stress[(r + 1 + j) % rows][k];
    s->form->difference(s, s->axis == 1 ? r - 2 : other, s->axis == 1 ? other : r - 2, at);
  }
}

static void sweep_of(const triad_compressible_tile *t, const struct form *form, int axis)
{
  const triad_partition *b = &t->w->blocks;
  sweep s = {.t = t,
             .form = form,
             .axis = axis,
             .wall = {triad_compressible_tile_wall(t, axis, 0), triad_compressible_tile_wall(t, axis, 1)}};
  int64_t step[3];
  triad_real per[3];
  triad_compressible_order(axis, s.field, s.velocity);
  for (int i = 0; i < 3; i++) {
    int a = s.velocity[i];
    step[i] = b->halo[a] > 0 ? b->stride[a] : 0; /* no derivative along an axis of one point */
    per[i] = t->w->per_spacing[a] / form->per;
  }
  s.steps = (triad_compressible_steps){step[0], step[1], step[2], per[0], per[1], per[2]};
  if (axis == 0) {
    for (int64_t z = 0; z < t->n[2]; z++)
      for (int64_t y = 0; y < t->n[1]; y++) along_x(&s, y, z);
  } else {
    for (int64_t o = 0; o < t->n[3 - axis]; o++) along(&s, o);
  }
}

void triad_compressible_viscous_sweep(const triad_compressible_tile *t, int axis) { sweep_of(t, &points, axis); }
void triad_compressible_viscous_faces_sweep(const triad_compressible_tile *t, int axis) { sweep_of(t, &faces, axis); }
