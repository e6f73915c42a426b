/* Write a mesh with cell values as VTKHDF, format 1.0 of an unstructured grid, which VTK 9.1 and ParaView 5.11 read:
 * one file per time. fields.xmf is an XDMF 3 collection that lists the files of a folder with their times.
 *
 * One rank writes a file, piece by piece, so that little of it is in memory at a time (store/h5file.h). */
#ifndef TRIAD_MESH_WRITE_VTKHDF_H
#define TRIAD_MESH_WRITE_VTKHDF_H

#include "grid/field.h"
#include "mesh/mesh.h"

typedef struct triad_vtkhdf triad_vtkhdf;

/* The name of a file and its fields; field i is stored in numbers of element[i] bytes, 4 or 8. */
typedef struct triad_vtkhdf_info {
  const char *folder, *name;
  const triad_field_info *fields;
  const int *element;
  int n;
} triad_vtkhdf_info;

/* The name of the file for a step. */
enum { TRIAD_VTKHDF_NAME = 64 };
void triad_vtkhdf_name(char name[TRIAD_VTKHDF_NAME], int64_t step);

/* create: begin a file for a step and time, with the mesh and fields of its cells. create_faces: the same for its
 * faces (triangles, quadrilaterals, polygons), without a time. The folder must exist, and *info until the end.
 * TRIAD_ERR_IO, TRIAD_ERR_MEMORY; triad_vtkhdf_finish must be called also after an error. Not collective, like all
 * functions here. */
int triad_vtkhdf_create(triad_vtkhdf **out, const triad_mesh *mesh, const triad_vtkhdf_info *info, int64_t step,
                        double t);
int triad_vtkhdf_create_faces(triad_vtkhdf **out, const triad_mesh *mesh, const triad_vtkhdf_info *info);

/* The same with its cells, then the outer faces patch by patch, and the names of patches, for a mesh without polyhedra.
 */
int triad_vtkhdf_create_whole(triad_vtkhdf **out, const triad_mesh *mesh, const triad_vtkhdf_info *info);

/* Write values of field number `which` in all cells, in the mesh's order. */
int triad_vtkhdf_put(triad_vtkhdf *file, int which, const double *values);

/* Give the file its final name, replacing an existing file, once it is on the disk. With a status other than TRIAD_OK
 * it is deleted. Returns the status, or that of a failure. *file becomes NULL; NULL is accepted. */
int triad_vtkhdf_finish(triad_vtkhdf **file, int status);

#endif
