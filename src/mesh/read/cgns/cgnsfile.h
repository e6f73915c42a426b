/* The parser of CGNS files with meshes. */
#ifndef TRIAD_MESH_READ_CGNS_CGNSFILE_H
#define TRIAD_MESH_READ_CGNS_CGNSFILE_H

#include "mesh/read/cgns/cgns_reader.h"

#endif
