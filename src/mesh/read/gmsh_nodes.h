/* Read the nodes of a Gmsh file. */
#ifndef TRIAD_MESH_READ_GMSH_NODES_H
#define TRIAD_MESH_READ_GMSH_NODES_H

#include "mesh/read/gmsh_reader.h"

/* Read $Nodes; faults go to `faults`. */
int triad_gmsh_take_nodes(triad_gmsh_reader *reader, triad_faults *faults);

#endif
