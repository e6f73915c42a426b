/* Write a mesh for other programs, with its patches: SU2 (.su2), Gmsh (.msh, MSH 2.2, ASCII), CGNS (.cgns) or VTKHDF
 * (.vtkhdf). Not collective. */
#ifndef TRIAD_MESH_WRITE_MESHWRITE_H
#define TRIAD_MESH_WRITE_MESHWRITE_H

#include "mesh/mesh.h"

/* is: 1 if the path ends in .su2, .msh or .cgns, which a case's mesh is written to as well (.vtkhdf has its faces
 * instead). write: the whole mesh, joined. TRIAD_ERR_USAGE: another ending; TRIAD_ERR_FEATURE: the mesh has polyhedra,
 * which only CGNS has, or the build has no CGNS; TRIAD_ERR_IO. */
int triad_mesh_write_is(const char *path);
int triad_mesh_write(const triad_mesh *mesh, const char *path);

#endif
