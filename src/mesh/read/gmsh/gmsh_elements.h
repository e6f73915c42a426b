/* Read the elements of a Gmsh file. */
#ifndef TRIAD_MESH_READ_GMSH_GMSH_ELEMENTS_H
#define TRIAD_MESH_READ_GMSH_GMSH_ELEMENTS_H

#include "mesh/read/gmsh/gmsh_reader.h"

int triad_gmsh_take_elements(triad_gmsh_reader *reader);

#endif
