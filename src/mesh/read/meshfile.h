/* Meshes from files of any format (formats.h), parsed in a separate process, joined and named. A
 * reader passes over a file once: it knows the counts when it has read all of it, and fills arrays of that size. With
 * several ranks, rank 0 reads the file (parts/slices.h), and holds it whole only if it cannot be passed on as it is
 * read (file_stream.h). Not collective, like all functions here. */
#ifndef TRIAD_MESH_READ_MESHFILE_H
#define TRIAD_MESH_READ_MESHFILE_H

#include "base/faults.h"
#include "base/guard.h"
#include "mesh/mesh.h"

/* The sizes of a file's contents. Cells have known shapes and corners; if there are polyhedra, all cells are given by
 * numbered faces, and faces, their points and the cells' face numbers are counted. left_out: elements or sections with
 * faults, which are missing here. outside: 1 if the file lists no boundary, so that all outer faces that it does not
 * list are in one patch. streamed: 1 if it can be passed on as it is read (file_stream.h). */
typedef struct triad_mesh_file_counts {
  int64_t points, cells, corners, sides, patches, faces, face_points, cell_faces, left_out, outside, streamed;
  triad_mesh_changes changes;
} triad_mesh_file_counts;

/* A side of a patch as listed in the file. surface: number of the file's surface that it belongs to; 0: none. */
typedef struct triad_mesh_file_side {
  int32_t patch, n, point[TRIAD_MESH_SIDE_POINTS], surface;
} triad_mesh_file_side;

/* The contents of a file. */
typedef struct triad_mesh_contents {
  triad_mesh_file_counts n;
  int counted; /* 1: only counts are required, so that there are no arrays */
  struct triad_mesh_stream
    *stream;   /* takes points and cells, of which there are then no arrays; NULL: none (stream.h) */
  void *block; /* of a reader: the memory of all arrays */
  double (*x)[3];
  int64_t *first_point, *first_face; /* as in triad_mesh_faceted (polyhedra.h) */
  triad_mesh_file_side *side;
  int32_t *corner, *face_point, *face, *face_patch; /* face_patch: -1 if a face is in no patch */
  char (*name)[TRIAD_MESH_NAME];
  uint8_t *shape;
} triad_mesh_contents;

/* Allocate and place arrays of these counts, if they are required; the caller frees contents->block, also after an
 * error. *filled: 1 if there are arrays to fill. */
int triad_mesh_contents_make(triad_mesh_contents *contents, const triad_mesh_file_counts *counts, const char *path,
                             int *filled);

/* A parser. TRIAD_OK if the file was read to its end, even with faults; TRIAD_ERR_CASE, with a message, if it could
 * not be. */
typedef int triad_mesh_parse(const char *path, triad_guard *guard, triad_mesh_contents *out, triad_faults *faults);

/* Place arrays for these counts in `block`, those of larger numbers first; arrays of nothing are NULL. Returns the
 * size in bytes, also with block NULL. */
int64_t triad_mesh_contents_place(triad_mesh_contents *contents, const triad_mesh_file_counts *counts, char *block);

/* Count the contents of a file. TRIAD_ERR_INPUT: it does not exist; TRIAD_ERR_CASE: it is no mesh, with the position;
 * TRIAD_ERR_FEATURE: the required library is not built in; TRIAD_ERR_MEMORY. Faults refer to this path, so the list
 * must be empty. */
int triad_mesh_file_count(const char *path, triad_mesh_file_counts *counts, triad_faults *faults);

/* Load a file into one block of memory, which the caller frees, also after an error; sides are sorted. A side in two
 * patches is a fault. */
int triad_mesh_file_load(triad_mesh_contents *contents, void **block, triad_memory *memory, const char *path,
                         triad_faults *faults);

/* file_name_patches: name the patches as in the file; TRIAD_ERR_CASE if two have the same name. note_empty: add a
 * fault for each patch without faces. */
int triad_mesh_file_name_patches(triad_mesh *mesh, const char (*name)[TRIAD_MESH_NAME], int64_t n, const char *path);
void triad_mesh_note_empty(const triad_mesh *mesh, const int64_t faces[TRIAD_MESH_PATCHES], triad_faults *faults);

/* Make the cells of a file without polyhedra, without faces. */
int triad_mesh_file_shapes(triad_mesh **out, triad_memory *memory, const triad_mesh_contents *contents);

/* For files with polyhedra. file_cells: make the cells, without faces. file_face_sides: append the faces that are in
 * patches to side[n] as sides; a face with more than four points is given by its four lowest. side must have capacity
 * for n->faces more. */
int triad_mesh_file_cells(triad_mesh **out, triad_memory *memory, const triad_mesh_contents *contents);
void triad_mesh_file_face_sides(const triad_mesh_contents *contents, triad_mesh_file_side *side, int64_t *n);

/* Read a file: cells, faces and patches; nothing is measured, no patches are joined. In addition to faults of the
 * file: faults of sides (triad_mesh_join_with_faults), outer faces without a patch, patches without outer faces; with
 * any of these, also left-handed cells. */
int triad_mesh_file_read(triad_mesh **out, triad_memory *memory, const char *path, triad_faults *faults);

/* The same from contents whose sides are sorted. */
int triad_mesh_file_mesh(triad_mesh **out, triad_memory *memory, const triad_mesh_contents *contents, const char *path,
                         triad_faults *faults);

#endif
