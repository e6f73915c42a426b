/* Meshes of Gmsh's format MSH, 4.1 and 2.2, ASCII and binary (gmsh.info, Reference manual, section 10): tetrahedra, pyramids, prisms
 * and hexahedra; of those of second order the corners. Physical groups of surfaces are patches. The file is read in a process of
 * its own. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_GMSH_H
#define TRIAD_SOLVERS_UNSTRUCTURED_GMSH_H

#include "solvers/unstructured/mesh.h"

/* What a file holds. curved: cells of second order, of which the corners are taken. */
typedef struct triad_fct_gmsh_counts {
  int64_t points, cells, corners, sides, patches, curved;
} triad_fct_gmsh_counts;

/* TRIAD_ERR_INPUT: there is no such file; TRIAD_ERR_CASE: it is no mesh, with line or byte; TRIAD_ERR_MEMORY. Not
 * collective. */
int triad_fct_gmsh_count(const char *path, triad_fct_gmsh_counts *counts);

/* Cells, faces and patches; not measured, and no patches joined. TRIAD_ERR_CASE also where an outer face is in no patch: how
 * many, and where the first is; or no outer face in a patch. */
int triad_fct_gmsh_read(triad_fct_mesh **out, triad_memory *memory, const char *path);

#endif
