/* A mesh and values in its cells as VTKHDF, format 1.0 of an unstructured grid, which VTK 9.1 and ParaView 5.11 read:
 * one file a time. And fields.xmf, an XDMF 3 collection that ties the files of a folder together in time.
 *
 * One rank writes a file, piece by piece: of what is in it little stands in memory (store/h5file.h). */
#ifndef TRIAD_MESH_WRITE_VTKHDF_H
#define TRIAD_MESH_WRITE_VTKHDF_H

#include "grid/field.h"
#include "mesh/mesh.h"

typedef struct triad_vtkhdf triad_vtkhdf;

/* What a file is called, and which fields it has, field i as numbers of element[i] bytes, 4 or 8. */
typedef struct triad_vtkhdf_info {
  const char *folder, *name;
  const triad_field_info *fields;
  const int *element;
  int n;
} triad_vtkhdf_info;

/* The name of the file of a step. */
enum { TRIAD_VTKHDF_NAME = 64 };
void triad_vtkhdf_name(char name[TRIAD_VTKHDF_NAME], int64_t step);

/* Begin a file of this step and time, with the mesh, whose cells the fields are of; or of its faces in place of its
 * cells, triangles, quadrilaterals and polygons, of no time. The folder is there; *info stays until the end.
 * TRIAD_ERR_IO, TRIAD_ERR_MEMORY; triad_vtkhdf_finish takes what has been made all the same. Not collective, as all
 * here. */
int triad_vtkhdf_create(triad_vtkhdf **out, const triad_mesh *mesh, const triad_vtkhdf_info *info, int64_t step,
                        double t);
int triad_vtkhdf_create_faces(triad_vtkhdf **out, const triad_mesh *mesh, const triad_vtkhdf_info *info);

/* Values of field `which` in all cells, in the mesh's order. */
int triad_vtkhdf_put(triad_vtkhdf *file, int which, const double *values);

/* The file takes its name, in place of one that stands, when it is on the disk; with another status than TRIAD_OK it
 * is deleted. Returns the status, or that of a failure. *file becomes NULL; NULL is accepted. */
int triad_vtkhdf_finish(triad_vtkhdf **file, int status);

/* Write folder/fields.xmf anew for the files named in folder/times.txt, to which this step is added; steps from it
 * on, of a run that went back, are dropped. */
int triad_vtkhdf_collect(const char *folder, const triad_mesh *mesh, const triad_field_info *fields, int n_fields,
                         int element, int64_t step, double t);

#endif
