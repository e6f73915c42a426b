/* The parameters of a structured zone of a mesh, as a plain struct that is passed by value to kernels. */
#ifndef TRIAD_MESH_ZONE_H
#define TRIAD_MESH_ZONE_H

#include <stdint.h>

enum { TRIAD_MESH_ZONE_SIDES = 6 };

/* A box of n[0] x n[1] x n[2] hexahedra. Cell (i, j, k) has number cell + i + n[0] (j + n[1] k). Its upper face across
 * axis a, if it is within the zone, has number slot + a cells + (i + n[0] (j + n[1] k)). Sides are numbered lower x,
 * upper x, lower y, upper y, lower z, upper z: for side s the neighbour's number is the cell's number + near[s], the
 * face's number is the cell's number + face[s]. */
typedef struct triad_mesh_zone {
  int64_t cell, slot, cells, stride[3], near[6], face[6];
  int32_t n[3];
} triad_mesh_zone;

#endif
