/* Fill the view of a mesh that forces_points.h reads: sizes, ends of axes, and walls. */
#include "solvers/staggered/plain/sight.h"

triad_staggered_sight triad_staggered_sight_of(const triad_staggered_mesh *m, double viscosity, const double centre[3])
{
  triad_staggered_sight w = {.sizes = m->sizes, .viscosity = viscosity};
  for (int b = 0; b < 3; b++) {
    w.begin[b] = m->blocks.begin[b];
    w.face[b] = m->face[b] + m->blocks.begin[b];
    w.centre[b] = centre ? centre[b] : 0;
    w.n[b] = m->blocks.n[b];
    w.ends[b] = !m->blocks.periodic[b] && m->sizes.step[b];
    for (int upper = 0; upper < 2; upper++) w.wall[b] |= (m->setup.side[b][upper] == TRIAD_STAGGERED_WALL) << upper;
  }
  return w;
}
