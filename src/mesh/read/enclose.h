/* The boundary of a mesh whose file lists none. */
#ifndef TRIAD_MESH_READ_ENCLOSE_H
#define TRIAD_MESH_READ_ENCLOSE_H

#include "mesh/read/meshfile.h"

/* Add the patch `outside` to the contents of a file without a boundary, with all outer faces that the file does not
 * list. Hanging nodes and coinciding faces are faults. *block, which the contents are in, is replaced. Files with
 * polyhedra are not changed. */
int triad_mesh_file_enclose(triad_mesh_contents *contents, void **block, triad_memory *memory, const char *path,
                            triad_faults *faults);

#endif
