/* The part of a cell's volume within a sphere: the cell is cut into tetrahedra, which are halved until they are
 * small or entirely inside or outside. */
#ifndef TRIAD_MESH_SPHERE_H
#define TRIAD_MESH_SPHERE_H

#include "mesh/mesh.h"

/* The part of a measured cell's volume that lies within a sphere, accurate to a few thousandths (sphere.c). */
double triad_mesh_within(const triad_mesh *mesh, int64_t cell, const double centre[3], double radius);

#endif
