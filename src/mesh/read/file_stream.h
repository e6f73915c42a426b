/* A mesh file that is passed on as it is read, so that no rank holds all its cells and points. A separate process
 * passes over the file twice: it counts, and if the file is fit, it sends points and cells in the order of the file,
 * then the sides of patches, which it does hold. Of a file of VTK it holds the arrays, too. A file is unfit if it has a
 * fault, no boundary, a plane mesh, or cells given by faces (OpenFOAM, CGNS); it is then read whole (meshfile.h).
 * Left-handed cells are still to be reordered (orient.h).
 * Not collective. */
#ifndef TRIAD_MESH_READ_FILE_STREAM_H
#define TRIAD_MESH_READ_FILE_STREAM_H

#include "mesh/read/formats.h"

/* The receiver. begin: counts of the file come first; either_prism: reordered prisms are not to be counted. Then points
 * and cells first .. first + n - 1, in rising order. A status other than TRIAD_OK ends the reading. */
typedef struct triad_mesh_receiver {
  int (*begin)(void *who, const triad_mesh_file_counts *counts, int either_prism);
  int (*points)(void *who, int64_t first, int64_t n, const double (*x)[3]);
  int (*cells)(void *who, int64_t first, int64_t n, const uint8_t *shape, const int32_t *corner, int64_t corners);
} triad_mesh_receiver;

/* Read a file. *fit 0: it is unfit, and all that was received is to be dropped. Else contents has counts, sorted sides
 * and names, in a block that the caller frees, also after an error. Status as triad_mesh_file_load. */
int triad_mesh_file_stream(const char *path, triad_memory *memory, const triad_mesh_receiver *to, void *who,
                           triad_mesh_contents *contents, void **block, int *fit);

/* For the reading process: count a file without holding it. *fit 0: its contents are not counted, or not all of them; c
 * has no memory. */
int triad_mesh_stream_count(const char *path, triad_guard *guard, const triad_mesh_format *format,
                            triad_mesh_contents *c, triad_faults *faults, int *fit, int *either_prism);

#endif
