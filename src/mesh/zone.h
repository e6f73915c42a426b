/* A structured zone of a mesh, as loops on any device see it: plain numbers, passed by value to kernels. */
#ifndef TRIAD_MESH_ZONE_H
#define TRIAD_MESH_ZONE_H

#include <stdint.h>

enum { TRIAD_MESH_ZONE_SIDES = 6 };

/* A box of hexahedra: cell (i, j, k) is number cell + i + n[0] (j + n[1] k), and its upper face across axis a is
 * face slot + a cells + (i + n[0] (j + n[1] k)), where there is one within the zone. Sides are lower and upper x, y,
 * z; from a cell's number near[s] leads to the cell across, face[s] to the face. */
typedef struct triad_mesh_zone {
  int64_t cell, slot, cells, stride[3], near[6], face[6];
  int32_t n[3];
} triad_mesh_zone;

#endif
