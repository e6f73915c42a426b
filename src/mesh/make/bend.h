/* Bend the nodes of a generated mesh. */
#ifndef TRIAD_MESH_MAKE_BEND_H
#define TRIAD_MESH_MAKE_BEND_H

#include "mesh/make/generate.h"

/* Map lattice coordinates, in cubes, to a position in space. */
void triad_mesh_bend(const triad_mesh_generator *given, const double lattice[3], double x[3]);

/* A message on the first invalid parameter of a jet; NULL if all are valid. */
const char *triad_mesh_bend_fault(const triad_mesh_generator *given);

/* bend_beside: number of cubes along x next to the nozzle. bend_ring: number of the ring around the axis that cube (j,
 * k) is in; 0 is the innermost. */
int64_t triad_mesh_bend_beside(const triad_mesh_generator *given);
int64_t triad_mesh_bend_ring(const triad_mesh_generator *given, int64_t j, int64_t k);

#endif
