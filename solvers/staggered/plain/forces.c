/* Turn sums of forces into drag, wall shear and the power of moving walls. */
#include "solvers/staggered/plain/forces.h"

#include <math.h>

triad_staggered_forces triad_staggered_forces_of(const triad_staggered_mesh *m,
                                                 const double sums[TRIAD_STAGGERED_FORCE_SUMS])
{
  triad_staggered_forces forces = {{0}, {0}, 0, 0};
  double area = 0, shear = 0;
  const double *length = m->setup.length;
  for (int i = 0; i < 3 && m->solids; i++) {
    forces.drag[i] = sums[TRIAD_STAGGERED_FORCE_DRAG + i];
    forces.moment[i] = sums[TRIAD_STAGGERED_FORCE_MOMENT + i];
  }
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
