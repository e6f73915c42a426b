/* Read all zones of a CGNS file: points, sections of elements, and their conversion to mesh contents. */
#ifndef TRIAD_MESH_READ_CGNSFILE_H
#define TRIAD_MESH_READ_CGNSFILE_H

#include "mesh/read/cgns_reader.h"

#endif
