/* Sum the forces of the fluid on walls and solids. */
#include "solvers/staggered/measure/forces.h"

#include <math.h>

typedef struct work {
  const triad_staggered_mesh *m;
  const triad_real *u[3], *p;
  triad_staggered_sight sight;
} work;

triad_staggered_sight triad_staggered_sight_of(const triad_staggered_mesh *m, double viscosity)
{
  triad_staggered_sight w = {.sizes = m->sizes, .viscosity = viscosity};
  for (int b = 0; b < 3; b++) {
    w.begin[b] = m->blocks.begin[b];
    w.n[b] = m->blocks.n[b];
    w.ends[b] = !m->blocks.periodic[b] && m->sizes.step[b];
    for (int upper = 0; upper < 2; upper++) w.wall[b] |= (m->setup.side[b][upper] == TRIAD_STAGGERED_WALL) << upper;
  }
  return w;
}

static void forces_row(void *self, int64_t y, int64_t z, double *results)
{
  const work *w = self;
  double *walls = results + TRIAD_STAGGERED_FORCE_WALLS;
  for (int64_t x = 0; x < w->m->blocks.local[0]; x++) {
    const int64_t c[3] = {x, y, z}, at = triad_partition_at(&w->m->blocks, x, y, z);
    results[TRIAD_STAGGERED_FORCE_DRAG] += triad_staggered_drag(&w->sight, 0, w->u, w->p, at, c);
    results[TRIAD_STAGGERED_FORCE_DRAG + 1] += triad_staggered_drag(&w->sight, 1, w->u, w->p, at, c);
    results[TRIAD_STAGGERED_FORCE_DRAG + 2] += triad_staggered_drag(&w->sight, 2, w->u, w->p, at, c);
    triad_staggered_push_walls(&w->sight, 0, w->u, at, c, walls);
    triad_staggered_push_walls(&w->sight, 1, w->u, at, c, walls + 4);
    triad_staggered_push_walls(&w->sight, 2, w->u, at, c, walls + 8);
  }
}

int triad_staggered_forces_sums(const triad_staggered_mesh *m, triad_real *const u[3], const triad_real *p,
                                double viscosity, double sums[TRIAD_STAGGERED_FORCE_SUMS])
{
  work w = {.m = m, .u = {u[0], u[1], u[2]}, .p = p, .sight = triad_staggered_sight_of(m, viscosity)};
  return triad_staggered_rows(m, forces_row, &w, TRIAD_STAGGERED_FORCE_SUMS, 0, sums);
}

triad_staggered_forces triad_staggered_forces_of(const triad_staggered_mesh *m,
                                                 const double sums[TRIAD_STAGGERED_FORCE_SUMS])
{
  triad_staggered_forces forces = {{0}, 0, 0};
  double area = 0, shear = 0;
  const double *length = m->setup.length;
  for (int i = 0; i < 3; i++) forces.drag[i] = m->solids ? sums[TRIAD_STAGGERED_FORCE_DRAG + i] : 0;
  for (int b = 0; b < 3; b++)
    for (int upper = 0; upper < 2; upper++) {
      const double *force = &sums[TRIAD_STAGGERED_FORCE_WALLS + (2 * b + upper) * 2];
      if (m->setup.side[b][upper] != TRIAD_STAGGERED_WALL || m->setup.n[b] == 1) continue;
      area += length[(b + 1) % 3] * length[(b + 2) % 3];
      shear += sqrt(force[0] * force[0] + force[1] * force[1]);
      for (int i = 0; i < 2; i++)
        forces.power -= force[i] * m->wall_factor * m->setup.wall[b][upper][i < b ? i : i + 1];
    }
  if (area > 0) forces.wall_shear = shear / area;
  return forces;
}
