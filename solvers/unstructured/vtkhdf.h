/* A mesh and values in its cells as VTKHDF, format 1.0 of an unstructured grid, which VTK 9.1 and ParaView 5.11 read:
 * one file a time. And fields.xmf, an XDMF 3 collection that ties the files of a folder together in time.
 *
 * The file is made in memory, as HDF5 does not survive a disk that fails, by one rank. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_VTKHDF_H
#define TRIAD_SOLVERS_UNSTRUCTURED_VTKHDF_H

#include "grid/field.h"
#include "solvers/unstructured/mesh.h"

typedef struct triad_vtkhdf triad_vtkhdf;

/* Begin a file of this step and time. TRIAD_ERR_IO with HDF5's failure, TRIAD_ERR_MEMORY. Not collective, as all
 * here. */
int triad_vtkhdf_create(triad_vtkhdf **out, const triad_fct_mesh *mesh, int64_t step, double t);

/* A file of its faces in place of its cells: triangles, quadrilaterals and polygons, in the mesh's order, of no time. */
int triad_vtkhdf_create_faces(triad_vtkhdf **out, const triad_fct_mesh *mesh);

/* Values of all cells, in the mesh's order, as numbers of `element` bytes, 4 or 8. */
int triad_vtkhdf_put(triad_vtkhdf *file, const triad_field_info *field, const double *values, int element);

/* Put folder/fields-<step>.vtkhdf on the disk, in one piece; with another status than TRIAD_OK nothing. Returns the status,
 * or that of a failure. *file becomes NULL; NULL is accepted. */
int triad_vtkhdf_finish(triad_vtkhdf **file, const char *folder, int status);
int triad_vtkhdf_finish_as(triad_vtkhdf **file, const char *folder, const char *name, int status); /* under another name */

/* Write folder/fields.xmf anew for the files named in folder/times.txt, to which this step is added; steps from it
 * on, of a run that went back, are dropped. */
int triad_vtkhdf_collect(const char *folder, const triad_fct_mesh *mesh, const triad_field_info *fields, int n_fields,
                         int element, int64_t step, double t);

#endif
