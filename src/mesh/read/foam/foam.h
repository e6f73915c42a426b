/* The reader of OpenFOAM's meshes, polyMesh, which runs in a separate process. A mesh is a folder: that of a case,
 * its constant/polyMesh, or a file CASE.foam in the folder of a case. Not collective. */
#ifndef TRIAD_MESH_READ_FOAM_FOAM_H
#define TRIAD_MESH_READ_FOAM_FOAM_H

#include "mesh/read/look.h"
#include "mesh/read/meshfile.h"

int triad_mesh_foam_is(const triad_mesh_look *look);
triad_mesh_parse triad_mesh_foam_parse;

#endif
