/* Read the nodes of a Gmsh file. */
#ifndef TRIAD_MESH_READ_GMSH_GMSH_NODES_H
#define TRIAD_MESH_READ_GMSH_GMSH_NODES_H

#include "mesh/read/gmsh/gmsh_reader.h"

int triad_gmsh_take_nodes(triad_gmsh_reader *reader);

/* The index of the node with this number; -1: it does not exist. */
int32_t triad_gmsh_place_of(const triad_gmsh_reader *reader, int64_t tag);

#endif
