/* Growing lists of faces and patches of a CGNS file. */
#ifndef TRIAD_MESH_READ_CGNS_CGNS_LISTS_H
#define TRIAD_MESH_READ_CGNS_CGNS_LISTS_H

#include "mesh/read/cgns/cgnsfile.h"

int triad_mesh_list_add(triad_mesh_list *list, int64_t value);
int triad_mesh_cgns_add_face(triad_mesh_cgns *c, int64_t n, const int64_t *point, int64_t patch);
int triad_mesh_cgns_patch(triad_mesh_cgns *c, const char *name, int64_t *patch);

#endif
