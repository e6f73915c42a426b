/* The reader of medit's meshes, .mesh and .meshb (Frey, Medit, INRIA RT-0253; libMeshb), which runs in a separate
 * process. Reference numbers of triangles, quadrilaterals and, in a plane, edges are patches. Not collective. */
#ifndef TRIAD_MESH_READ_MEDIT_H
#define TRIAD_MESH_READ_MEDIT_H

#include "mesh/read/look.h"
#include "mesh/read/meshfile.h"

int triad_mesh_medit_is(const triad_mesh_look *look);
triad_mesh_parse triad_mesh_medit_parse;

#endif
