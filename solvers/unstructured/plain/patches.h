/* The description of a patch of outer faces in a case: a text of boundaries.patches, such as "inlet: total,
 * pressure=4, temperature=1". */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_PLAIN_PATCHES_H
#define TRIAD_SOLVERS_UNSTRUCTURED_PLAIN_PATCHES_H

#include "solvers/unstructured/points/kinds.h"
#include "mesh/mesh.h"

/* state: density, velocity, pressure that inflow and far field have; of a reservoir density and pressure; of an outflow
 * at a given pressure that; of a wall without slip, as pressure, the temperature, 0: it is not heated. */
typedef struct triad_unstructured_patch {
  char name[TRIAD_MESH_NAME], with[TRIAD_MESH_NAME]; /* with: the other patch of a periodic pair, "" for its opposite */
  triad_unstructured_kind kind;
  double state[5];
  double sponge, strength; /* width of a sponge before a far field, 0: none; its rate at the patch */
} triad_unstructured_patch;

enum { TRIAD_UNSTRUCTURED_WHY = 200 };
#define TRIAD_UNSTRUCTURED_REST "*" /* name of all patches that the case does not name */

/* patch_read: 1, or 0 and in words why not. Temperature is p/rho. patches_read: the number of patches of a text with
 * one or more names, "a + b: kind, ..", at most `room`; 0 and in words why not. Not collective. */
int triad_unstructured_patches_read(triad_unstructured_patch *patch, int room, const char *text,
                                    char why[TRIAD_UNSTRUCTURED_WHY]);
int triad_unstructured_patch_read(triad_unstructured_patch *patch, const char *text, char why[TRIAD_UNSTRUCTURED_WHY]);

const char *triad_unstructured_kind_name(triad_unstructured_kind kind);

#endif
