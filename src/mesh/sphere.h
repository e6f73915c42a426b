/* The part of a cell's volume that lies in a sphere. */
#ifndef TRIAD_MESH_SPHERE_H
#define TRIAD_MESH_SPHERE_H

#include "mesh/mesh.h"

/* The part of a measured cell's volume that lies within a sphere, accurate to a few thousandths (sphere.c). */
double triad_mesh_within(const triad_mesh *mesh, int64_t cell, const double centre[3], double radius);

#endif
