/* Fill ghosts of the temperature beyond the ends of the box, and collect what its sums depend on. */
#include "solvers/staggered/state/thermal.h"

#include "solvers/staggered/plain/sight.h"

triad_staggered_heat_sight triad_staggered_heat_sight_of(const triad_staggered_mesh *m)
{
  const triad_staggered_thermal *t = &m->setup.thermal;
  triad_staggered_heat_sight w = {.box = triad_staggered_sight_of(m, m->setup.viscosity, NULL),
                                  .diffusivity = t->diffusivity,
                                  .reference = t->reference,
                                  .source = t->source,
                                  .held = t->solids_held};
  for (int i = 0; i < 3; i++) {
    w.gradient[i] = t->gradient[i];
    w.buoyancy[i] = -t->expansion * t->gravity[i];
  }
  return w;
}

/* A ghost is `sign` times the cell before it plus `more`. */
static void fill_end(const triad_staggered_mesh *m, int axis, int upper, triad_real sign, triad_real more,
                     triad_real *heat)
{
  const triad_partition *b = &m->blocks;
  const int a1 = axis == 0 ? 1 : 0, a2 = axis == 2 ? 1 : 2;
  const int64_t last = b->origin + (upper ? (b->local[axis] - 1) * b->stride[axis] : 0);
  const int64_t beyond = upper ? b->stride[axis] : -b->stride[axis];
  for (int64_t j = 0; j < b->local[a2]; j++)
    for (int64_t i = 0; i < b->local[a1]; i++) {
      const int64_t at = last + i * b->stride[a1] + j * b->stride[a2];
      heat[at + beyond] = sign * heat[at] + more;
    }
}

void triad_staggered_fill_heat(const triad_staggered_mesh *m, int change, triad_real *heat)
{
  const triad_staggered_thermal *t = &m->setup.thermal;
  triad_staggered_fill_cells(m, heat);
  for (int axis = 0; axis < 3; axis++)
    for (int upper = 0; upper < 2; upper++)
      if (triad_staggered_ends_at(m, axis, upper)) {
        const int held = t->held[axis][upper];
        fill_end(m, axis, upper, held ? -1 : 1, held && !change ? (triad_real)(2 * t->wall[axis][upper]) : 0, heat);
      }
}

void triad_staggered_heat_solids(const triad_staggered_mesh *m, triad_real *heat)
{
  const triad_real t = (triad_real)m->setup.thermal.solids;
  for (int64_t i = 0; m->solids && i < m->blocks.volume; i++)
    if (m->open[i] & TRIAD_STAGGERED_SOLID) heat[i] = t;
}
