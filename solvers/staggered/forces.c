#include "solvers/staggered/forces.h"

typedef struct work {
  const triad_staggered_mesh *m;
  const triad_real *u[3], *p;
  double viscosity;
} work;

enum { DRAG, WALLS = DRAG + 3 /* [axis][upper][2 directions] */, SUMS = WALLS + 12 };

/* Is what is beyond a side of own cell c, one cell on along axis b, outside of the box? */
static int is_outside(const triad_staggered_mesh *m, int b, int upper, const int64_t c[3])
{
  int64_t place = m->blocks.begin[b] + c[b] + (upper ? 1 : -1);
  return !m->blocks.periodic[b] && m->sizes.step[b] && (place < 0 || place >= m->blocks.n[b]);
}

/* Momentum along a that leaves the cell around a face through its side along b, but for the pressure's. */
static double leaving(const work *w, int a, int b, int upper, int64_t at, const int64_t c[3])
{
  const triad_staggered_sizes *s = &w->m->sizes;
  const triad_real *v = w->u[a], *through = w->u[b];
  int64_t t = upper ? s->step[b] : -s->step[b], below = s->step[a], over = upper ? t : 0;
  double mean = ((double)v[at] + (double)v[at + t]) / 2, flow, friction = (double)(v[at] - v[at + t]);
  if (b == a) {
    flow = mean;
    friction *= (double)s->per_h[a][upper ? c[a] : c[a] - 1];
  } else {
    double lower_part = (double)(s->h[a][c[a] - 1] * through[at - below + over]);
    flow = (lower_part + (double)(s->h[a][c[a]] * through[at + over])) / 2 * (double)s->per_d[a][c[a]];
    friction *= (double)(s->per_d[b][upper ? c[b] + 1 : c[b]] * triad_staggered_nearness(s, at, below, t));
  }
  return (upper ? flow : -flow) * mean + w->viscosity * friction;
}

/* Area of the side across b of the cell around face a. */
static double side_area(const triad_staggered_sizes *s, int a, int b, const int64_t c[3])
{
  double area = 1;
  for (int i = 0; i < 3; i++)
    if (i != b) area *= (double)(i == a ? s->d : s->h)[i][c[i]];
  return area;
}

static void add_face(const work *w, int a, int64_t at, const int64_t c[3], double *results)
{
  const triad_staggered_mesh *m = w->m;
  const triad_staggered_sizes *s = &m->sizes;
  for (int b = 0; b < 3; b++)
    for (int upper = 0; upper < 2 && s->step[b]; upper++) {
      int64_t t = upper ? s->step[b] : -s->step[b];
      double area = side_area(s, a, b, c);
      if (b != a && is_outside(m, b, upper, c)) {
        int wall = m->setup.side[b][upper] == TRIAD_STAGGERED_WALL, direction = a > b ? a - 1 : a;
        if (wall) results[WALLS + (2 * b + upper) * 2 + direction] += area * leaving(w, a, b, upper, at, c);
        continue;
      }
      if (m->open[at + t] & TRIAD_STAGGERED_LOWER(a)) continue;
      /* along the face's own axis the next closed face may be the box's end */
      if (b == a && is_outside(m, b, upper, (const int64_t[3]){c[0] - (!upper && b == 0), c[1] - (!upper && b == 1),
                                                               c[2] - (!upper && b == 2)}))
        continue;
      double pressure = b != a ? 0 : upper ? (double)w->p[at] : -(double)w->p[at - s->step[a]];
      results[DRAG + a] += area * (leaving(w, a, b, upper, at, c) + pressure);
    }
}

static void forces_row(void *self, int64_t y, int64_t z, double *results)
{
  const work *w = self;
  for (int64_t x = 0; x < w->m->blocks.local[0]; x++) {
    const int64_t c[3] = {x, y, z}, at = triad_partition_at(&w->m->blocks, x, y, z);
    for (int a = 0; a < 3; a++)
      if (w->m->open[at] & TRIAD_STAGGERED_LOWER(a)) add_face(w, a, at, c, results);
  }
}

int triad_staggered_forces_of(const triad_staggered_mesh *m, triad_real *const u[3], const triad_real *p,
                              double viscosity, triad_staggered_forces *forces)
{
  work w = {.m = m, .u = {u[0], u[1], u[2]}, .p = p, .viscosity = viscosity};
  double sums[SUMS], area = 0, shear = 0;
  const double *length = m->setup.length;
  *forces = (triad_staggered_forces){{0}, 0, 0};
  if (!m->closed) return TRIAD_OK;
  TRIAD_TRY(triad_staggered_rows(m, forces_row, &w, SUMS, 0, sums));
  for (int i = 0; i < 3; i++) forces->drag[i] = m->solids ? sums[DRAG + i] : 0;
  for (int b = 0; b < 3; b++)
    for (int upper = 0; upper < 2; upper++) {
      const double *force = &sums[WALLS + (2 * b + upper) * 2];
      if (m->setup.side[b][upper] != TRIAD_STAGGERED_WALL || m->setup.n[b] == 1) continue;
      area += length[(b + 1) % 3] * length[(b + 2) % 3];
      shear += sqrt(force[0] * force[0] + force[1] * force[1]);
      for (int i = 0; i < 2; i++)
        forces->power -= force[i] * m->wall_factor * m->setup.wall[b][upper][i < b ? i : i + 1];
    }
  if (area > 0) forces->wall_shear = shear / area;
  return TRIAD_OK;
}
