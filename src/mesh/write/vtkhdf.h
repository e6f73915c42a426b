/* Write a mesh with cell values as VTKHDF, format 1.0 of an unstructured grid, which VTK 9.1 and ParaView 5.11 read:
 * one file per time. fields.xmf is an XDMF 3 collection that lists the files of a folder with their times.
 *
 * Files are written piece by piece, so that little of them is in memory at a time (store/hdf5/h5file.h): those of
 * fields by all ranks, each for its share of the cells and points; those of a whole mesh by the rank that holds it. */
#ifndef TRIAD_MESH_WRITE_VTKHDF_H
#define TRIAD_MESH_WRITE_VTKHDF_H

#include "grid/field.h"
#include "mesh/mesh.h"
#include "parallel/context.h"

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

/* Points, cells and corners of cells of a file. */
typedef struct triad_vtkhdf_size {
  int64_t points, cells, corners;
} triad_vtkhdf_size;

/* Begin a file of this size for a step and time, with fields of its cells; each rank then puts some of its points,
 * cells and values. The folder must exist, and *info until the end. After an error *out is NULL on all ranks:
 * TRIAD_ERR_IO, TRIAD_ERR_MEMORY. Collective. */
int triad_vtkhdf_create(triad_vtkhdf **out, const triad_context *context, const triad_vtkhdf_info *info,
                        const triad_vtkhdf_size *size, int64_t step, double t);

/* The same for the faces of a whole mesh (triangles, quadrilaterals, polygons), without a time; all but their values is
 * written. Not collective, nor are the functions up to triad_vtkhdf_put. */
int triad_vtkhdf_create_faces(triad_vtkhdf **out, const triad_mesh *mesh, const triad_vtkhdf_info *info);

/* The same with its cells, then the outer faces patch by patch, and the names of patches, for a mesh without polyhedra.
 */
int triad_vtkhdf_create_whole(triad_vtkhdf **out, const triad_mesh *mesh, const triad_vtkhdf_info *info);

/* Write the n points of the file from number `first` on; all cells of a mesh, whose corners are numbers of points of
 * the file, as cells number `first` .. of the file, before which there are `corner` corners. */
int triad_vtkhdf_put_points(const triad_vtkhdf *file, int64_t first, int64_t n, const double (*x)[3]);
int triad_vtkhdf_put_cells(const triad_vtkhdf *file, const triad_mesh *mesh, int64_t first, int64_t corner);

/* Write values of field number `which` in n cells from number `first` on. */
int triad_vtkhdf_put(const triad_vtkhdf *file, int which, int64_t first, int64_t n, const double *values);

/* Give the file its final name, replacing an existing file, once it is on the disk. With a status other than TRIAD_OK
 * on any rank it is deleted. Returns the status, or that of a failure. *file becomes NULL; NULL is accepted.
 * Collective for a file of triad_vtkhdf_create. */
int triad_vtkhdf_finish(triad_vtkhdf **file, int status);

#endif
