/* The reader of SU2's native meshes (su2code.github.io/docs_v7/Mesh-File), 2-D and 3-D, which runs in a separate
 * process. Markers are patches. Of several zones the first is read. Not collective. */
#ifndef TRIAD_MESH_READ_SU2_H
#define TRIAD_MESH_READ_SU2_H

#include "mesh/read/look.h"
#include "mesh/read/meshfile.h"

int triad_mesh_su2_is(const triad_mesh_look *look);
triad_mesh_parse triad_mesh_su2_parse;

#endif
