/* The reader of UGRID (AFLR3) meshes (simcenter.msstate.edu, file format UGRID), which runs in a separate process:
 * ASCII; C or Fortran binary in either byte order, with reals of 4 or 8 bytes and integers of 4 or 8. Surfaces are
 * patches, with the names of FUN3D's .mapbc. Not collective. */
#ifndef TRIAD_MESH_READ_UGRID_H
#define TRIAD_MESH_READ_UGRID_H

#include "mesh/read/look.h"
#include "mesh/read/meshfile.h"

int triad_mesh_ugrid_is(const triad_mesh_look *look);
triad_mesh_parse triad_mesh_ugrid_parse;

#endif
