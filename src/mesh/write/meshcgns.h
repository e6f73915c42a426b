/* Write a mesh as an unstructured zone of a CGNS file: a section for each shape of cell, or faces and polyhedra;
 * patches are sections of sides with a boundary condition and a family. Not collective. */
#ifndef TRIAD_MESH_WRITE_MESHCGNS_H
#define TRIAD_MESH_WRITE_MESHCGNS_H

#include "mesh/mesh.h"

/* TRIAD_ERR_FEATURE: the build has no CGNS library; TRIAD_ERR_CASE: the name of a patch is longer than CGNS allows. */
int triad_mesh_write_cgns(const triad_mesh *mesh, const char *path);

#endif
