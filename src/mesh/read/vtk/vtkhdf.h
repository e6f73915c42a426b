/* The reader of VTK's HDF5 files, .vtkhdf, with an unstructured grid, which runs in a separate process. Of a file with
 * several times the first is read. Not collective. */
#ifndef TRIAD_MESH_READ_VTK_VTKHDF_H
#define TRIAD_MESH_READ_VTK_VTKHDF_H

#include "mesh/read/look.h"
#include "mesh/read/meshfile.h"

int triad_mesh_vtkhdf_is(const triad_mesh_look *look);
triad_mesh_parse triad_mesh_vtkhdf_parse;

#endif
