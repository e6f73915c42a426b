/* Join sides of zones of bricks to other ranks: cells across such a side are ghosts of the zone, and its bricks stay in
 * the zone. */
#include "solvers/unstructured/state/box_join.h"
#include "solvers/unstructured/state/domain_internal.h"
#include "solvers/unstructured/state/box_peel.h"
#include "mesh/sizes.h"

#include <float.h>
#include <math.h>

enum { SIDES = TRIAD_MESH_ZONE_SIDES };

/* One face between own cell `mine` and a ghost. It may be joined where it is the whole side of its brick, gradients
 * of the ghost are its own (those of cells with fewer sides ask for all of a twin's), and its centre lies straight
 * across, as far away as all others of the side. */
static void count_face(const triad_unstructured_making *k, int64_t f, int32_t mine, int32_t ghost,
                       const triad_unstructured_box *box, triad_unstructured_joint *joints)
{
  const triad_mesh *m = k->m;
  const double out = mine == m->cell[f][0] ? 1 : -1, *shift = m->patch[f] >= 0 ? m->shift[m->patch[f]] : NULL;
  double area[3], centre[3], beside = 0, far = 0;
  int c;
  triad_mesh_face_size(m, f, area, centre);
  for (int a = 0; a < 3; a++) area[a] *= out;
  triad_unstructured_joint *joint = &joints[triad_unstructured_box_side_of(box, area, &c)];
  for (int a = 0; a < 3; a++) {
    const double away = m->centre[m->cell[f][1]][a] - m->centre[m->cell[f][0]][a] - (shift ? shift[a] : 0);
    far = fmax(far, fabs(m->centre[mine][a]) + fabs(m->centre[ghost][a]));
    if (a == c) centre[0] = fabs(away);
    else beside = fmax(beside, fabs(away));
  }
  const double across = centre[0], slack = 1e-12 * across + 64 * DBL_EPSILON * far;
  if (joint->faces++ == 0) joint->across = across;
  joint->apart |= m->points[f] != 4 || triad_mesh_sides(m, ghost) < TRIAD_UNSTRUCTURED_ENOUGH || beside > slack ||
                  fabs(across - joint->across) > slack;
}

void triad_unstructured_find_joints(const triad_unstructured_making *k, const int32_t *at,
                                    triad_unstructured_joint *joints)
{
  const triad_mesh *m = k->m;
  for (int64_t f = 0; f < m->n_inner; f++) {
    const int32_t a = m->cell[f][0], b = m->cell[f][1], mine = triad_unstructured_is_own(k, a) ? a : b,
                  ghost = mine == a ? b : a;
    if (triad_unstructured_is_own(k, ghost) || !triad_unstructured_is_own(k, mine) || at[mine] < 0) continue;
    const int z = triad_unstructured_zone_at(&k->zones, at[mine]);
    if (k->d->box[z].layer[0]) count_face(k, f, mine, ghost, &k->d->box[z], joints + (int64_t)z * SIDES);
  }
}

int triad_unstructured_joined_side(const triad_mesh_zone *zone, const triad_unstructured_joint joints[SIDES])
{
  int best = -1;
  for (int s = 0; s < SIDES; s++) {
    if (joints[s].apart || joints[s].faces != triad_unstructured_cells_of_side(zone, s)) continue;
    /* of equal ones the last: its axis may stay where it is */
    if (best < 0 || joints[s].faces >= joints[best].faces) best = s;
  }
  return best;
}

void triad_unstructured_turn_layers(triad_real *layers, int64_t n)
{
  for (int64_t i = 0, j = n - 1; i < j; i++, j--)
    for (int q = 0; q < TRIAD_UNSTRUCTURED_BOX_NUMBERS; q++) {
      const triad_real x = layers[i * TRIAD_UNSTRUCTURED_BOX_NUMBERS + q];
      layers[i * TRIAD_UNSTRUCTURED_BOX_NUMBERS + q] = layers[j * TRIAD_UNSTRUCTURED_BOX_NUMBERS + q];
      layers[j * TRIAD_UNSTRUCTURED_BOX_NUMBERS + q] = x;
    }
  for (triad_real *layer = layers; layer < layers + n * TRIAD_UNSTRUCTURED_BOX_NUMBERS;
       layer += TRIAD_UNSTRUCTURED_BOX_NUMBERS) {
    const triad_real below = layer[TRIAD_UNSTRUCTURED_BOX_BELOW];
    layer[TRIAD_UNSTRUCTURED_BOX_BELOW] = -layer[TRIAD_UNSTRUCTURED_BOX_ABOVE];
    layer[TRIAD_UNSTRUCTURED_BOX_ABOVE] = -below;
  }
}
