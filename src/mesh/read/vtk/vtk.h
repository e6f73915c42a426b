/* The reader of VTK's legacy files (VTK User's Guide, file formats; versions 1 to 5.1) with an unstructured grid, ASCII
 * and binary, which runs in a separate process. Not collective. */
#ifndef TRIAD_MESH_READ_VTK_VTK_H
#define TRIAD_MESH_READ_VTK_VTK_H

#include "mesh/read/look.h"
#include "mesh/read/meshfile.h"

int triad_mesh_vtk_is(const triad_mesh_look *look);
triad_mesh_parse triad_mesh_vtk_parse;

#endif
