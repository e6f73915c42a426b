/* The reader of VTK's XML files with an unstructured grid, .vtu, which runs in a separate process: arrays as text,
 * base64 or raw, inline or appended, packed by zlib or not. Not collective. */
#ifndef TRIAD_MESH_READ_VTK_VTU_H
#define TRIAD_MESH_READ_VTK_VTU_H

#include "mesh/read/look.h"
#include "mesh/read/meshfile.h"

int triad_mesh_vtu_is(const triad_mesh_look *look);
triad_mesh_parse triad_mesh_vtu_parse;

#endif
