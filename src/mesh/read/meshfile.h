/* Meshes of files: Gmsh's (gmsh_reader.h) and CGNS (cgns_reader.h), read in a process of their own, joined, named. A
 * reader goes through a file twice: it counts, then takes what it finds into arrays of that size, which a file that has
 * grown meanwhile does not overrun. On several ranks the first one reads it (slices.h). Not collective, as all here. */
#ifndef TRIAD_MESH_READ_MESHFILE_H
#define TRIAD_MESH_READ_MESHFILE_H

#include "base/faults.h"
#include "base/guard.h"
#include "mesh/mesh.h"

/* What a file holds. curved: cells of second order, of which the corners are taken. Cells are of known shapes, with
 * corners; or, where there are polyhedra, all of numbered faces: then faces, their points, and numbers of faces of
 * all cells are counted. left_out: elements, or sections of them, in which something is wrong, so that they are
 * missing here. */
typedef struct triad_mesh_file_counts {
  int64_t points, cells, corners, sides, patches, curved, faces, face_points, cell_faces, left_out;
} triad_mesh_file_counts;

/* A side of a patch, as the file lists it; surface: the number of the file's surface that it is of, 0: it has none. */
typedef struct triad_mesh_file_side {
  int32_t patch, n, point[TRIAD_MESH_SIDE_POINTS], surface;
} triad_mesh_file_side;

/* All that is taken from a file; arrays are NULL while it is being counted. */
typedef struct triad_mesh_contents {
  triad_mesh_file_counts n, room; /* room: for how many the arrays are */
  double (*x)[3];
  int64_t *first_point, *first_face; /* as those of triad_mesh_faceted (polyhedra.h) */
  triad_mesh_file_side *side;
  int32_t *corner, *face_point, *face, *face_patch; /* face_patch: -1 where a face is in none */
  char (*name)[TRIAD_MESH_NAME];
  uint8_t *shape;
} triad_mesh_contents;

/* TRIAD_OK where what has been read makes sense, though there may be faults; TRIAD_ERR_CASE where it could not go
 * on, with a message. */
typedef int triad_mesh_parse(const char *path, triad_guard *guard, triad_mesh_contents *out, triad_faults *faults);

/* Arrays of so many, one behind another in `block`, those of larger numbers first; those of what is not there are
 * NULL. Returns the bytes that they take, with block NULL too. */
int64_t triad_mesh_contents_place(triad_mesh_contents *contents, const triad_mesh_file_counts *counts, char *block);

/* TRIAD_ERR_INPUT: there is no such file; TRIAD_ERR_CASE: it is no mesh, with its place; TRIAD_ERR_FEATURE: its library
 * isn't built in; TRIAD_ERR_MEMORY. Faults are of the path: the list must be empty. */
int triad_mesh_file_count(const char *path, triad_mesh_file_counts *counts, triad_faults *faults);

/* What a file holds, in one block of memory, to be freed, also where it fails; its sides in order. A side in two
 * patches is a fault. */
int triad_mesh_file_load(triad_mesh_contents *contents, void **block, triad_memory *memory, const char *path,
                         triad_faults *faults);

/* Sides in the order in which they are looked for, their points in rising order; the patch of an outer face by its
 * points, of more than four by the lowest, -1: none; the face is counted in each patch that has such a side. */
void triad_mesh_sides_sort(triad_mesh_file_side *side, int64_t n);
int32_t triad_mesh_side_patch(const triad_mesh_file_side *side, int64_t n, const triad_mesh *mesh, int64_t face,
                              int64_t faces[TRIAD_MESH_PATCHES]);

/* Those that a file lists come into this order; one in two patches is a fault. */
void triad_mesh_sides_of_file(triad_mesh_contents *contents, triad_faults *faults);

/* Patches as the file has them: TRIAD_ERR_CASE where two have one name. And faults: patches without faces, by how
 * many each has. */
int triad_mesh_file_name_patches(triad_mesh *mesh, const char (*name)[TRIAD_MESH_NAME], int64_t n, const char *path);
void triad_mesh_note_empty(const triad_mesh *mesh, const int64_t faces[TRIAD_MESH_PATCHES], triad_faults *faults);

/* inner_patches.c: faces between cells that are in patches of the file, by how many each patch has, are noted in
 * mesh->inside. A patch that has such faces alone is no boundary: it is taken out of the mesh, and out of `outer`,
 * the outer faces of each. */
void triad_mesh_skip_inner(triad_mesh *mesh, int64_t outer[TRIAD_MESH_PATCHES],
                           const int64_t inner[TRIAD_MESH_PATCHES]);

/* open_sides.c: outer faces in no patch are faults: sides on which smaller ones lie, so that nodes hang; sides that
 * lie on each other, each with nodes of its own; others, of which some may be there because other faults left cells
 * or sides out. TRIAD_ERR_MEMORY. */
int triad_mesh_note_open(const triad_mesh *mesh, int left_out, triad_faults *faults);

/* Where there are polyhedra: the cells, without faces; and faces that are in patches as sides, which a face of more
 * points is by its four lowest: side[n], room for n->faces of them behind those that the file lists. */
int triad_mesh_file_cells(triad_mesh **out, triad_memory *memory, const triad_mesh_contents *contents);
void triad_mesh_file_face_sides(const triad_mesh_contents *contents, triad_mesh_file_side *side, int64_t *n);

/* Cells, faces and patches; not measured, and no patches joined. Faults besides those of a file: what is wrong with
 * sides of cells (triad_mesh_join_with_faults), outer faces in no patch, patches without outer faces; with any of
 * them left-handed cells too. */
int triad_mesh_file_read(triad_mesh **out, triad_memory *memory, const char *path, triad_faults *faults);

/* The same of contents whose sides are in order. */
int triad_mesh_file_mesh(triad_mesh **out, triad_memory *memory, const triad_mesh_contents *contents, const char *path,
                         triad_faults *faults);

#endif
