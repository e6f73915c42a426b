/* Groups of particles: the description of each in the case, and the particles on this rank.
 *
 * A particle is a record of doubles, wherever it goes: its number, its position, which is not folded back into the
 * box, the register of the Runge-Kutta scheme, the fluid's velocity at it; of an inertial one also its own velocity,
 * the register of that, the velocity that the step's forces pull it to and the fluid's acceleration. A rank has
 * those whose plane of points (the one below) it owns. What is computed of a particle depends on the particle alone,
 * so that neither ranks nor threads nor the order of records show in it. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PLAIN_GROUPS_H
#define TRIAD_SOLVERS_SPECTRAL_PLAIN_GROUPS_H

#include "grid/layout.h"
#include "solvers/particles/group.h"
#include "solvers/spectral/particles/motion_points.h"

/* Offsets in a record, after its position. */
enum {
  TRIAD_PARTICLE_XQ = 4,
  TRIAD_PARTICLE_U = 7,
  TRIAD_TRACER_WIDTH = 10,
  TRIAD_PARTICLE_V = 10,
  TRIAD_PARTICLE_VQ = 13,
  TRIAD_PARTICLE_REST = 16,
  TRIAD_INERTIAL_WIDTH = 19,
  TRIAD_PARTICLE_A = 19,   /* of those with added mass only */
  TRIAD_PARTICLE_PSI = 10, /* in a superfluid only: psi, its derivative along an axis */
  TRIAD_PARTICLE_DPSI = 12,
  TRIAD_SUPERFLUID_WIDTH = 14,
  TRIAD_PARTICLE_MAX = 22
};

/* Points along x and y of a tile of a plane. Particles are sorted by tiles, so that neighbours in the order share most
 * of the points that they need. */
enum { TRIAD_TILE_X = 8, TRIAD_TILE_Y = 8 };

/* Number of tiles along axis 0 or 1. */
static inline int64_t triad_group_tiles(const triad_layout *l, int axis)
{
  const int64_t size = axis == 0 ? TRIAD_TILE_X : TRIAD_TILE_Y;
  return (l->grid.n[axis] + size - 1) / size;
}

/* What table `number` says. Not collective. */
void triad_group_read(triad_group *group, const triad_case *given, int number);

/* The rank that has the particles at this z. */
int triad_group_owner(const triad_layout *layout, double z);

/* Take over all particles: each goes to the owner of its plane; what was here before is dropped. Collective. */
int triad_group_take(triad_group *group, const triad_context *context, const triad_layout *layout,
                     triad_group_source *source, void *self);

/* Send records whose particles have left this rank's planes to their owners, and sort all by planes and tiles in
 * them: begin[(plane * tiles along y + tile along y) * tiles along x + tile along x]. Every sixteenth time the records
 * themselves are sorted too. The fluid's velocity in them is lost. TRIAD_ERR_MEMORY. Collective. */
int triad_group_sort(triad_group *group, const triad_context *context, const triad_layout *layout);

#endif
