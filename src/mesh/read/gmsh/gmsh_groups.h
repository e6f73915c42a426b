/* Physical groups, entities and ghost cells of a Gmsh file, and the patch of a surface. */
#ifndef TRIAD_MESH_READ_GMSH_GMSH_GROUPS_H
#define TRIAD_MESH_READ_GMSH_GMSH_GROUPS_H

#include "mesh/read/gmsh/gmsh_reader.h"

int triad_gmsh_take_groups(triad_gmsh_reader *reader);
int triad_gmsh_take_entities(triad_gmsh_reader *reader);
/* groups_of: the groups of a surface or curve, the first of *n entries. is_ghost: 1 if a volume has ghost cells. */
const triad_gmsh_entity *triad_gmsh_groups_of(const triad_gmsh_reader *reader, int dim, int64_t tag, int64_t *n);
int triad_gmsh_is_ghost(const triad_gmsh_reader *reader, int64_t volume);
/* The group of the draft with the number of a physical group; -1 for number 0. */
int triad_gmsh_group_of(triad_gmsh_reader *reader, int dim, int64_t tag, int32_t *group);

#endif
