/* Matching of the faces of two periodic patches, of a whole mesh or of a partitioned one (periodic.c).
 * Not collective. */
#ifndef TRIAD_MESH_PERIODIC_H
#define TRIAD_MESH_PERIODIC_H

#include "mesh/mesh.h"

/* A face with the mean of its points; once matched, that is relative to the patch's centre and rounded. */
typedef struct triad_mesh_face_mark {
  double at[3];
  int64_t face; /* or any other number by which the caller identifies the face */
  int64_t points;
} triad_mesh_face_mark;

triad_mesh_face_mark triad_mesh_mark_face(const triad_mesh *mesh, int64_t face);

/* Sort the faces of both patches so that equal indices match; `shift` is the vector from patch a to patch b.
 * TRIAD_ERR_CASE if they do not match. */
int triad_mesh_match_faces(const triad_mesh *mesh, int a, int b, triad_mesh_face_mark *of_a, int64_t n_a,
                           triad_mesh_face_mark *of_b, int64_t n_b, double shift[3]);

/* merge_faces: merge face g, of the second patch, into face f. remove_merged: after the last merge, remove the merged
 * faces and move those with two cells to the inner faces. */
void triad_mesh_merge_faces(triad_mesh *mesh, int64_t f, int64_t g, int number);
void triad_mesh_remove_merged(triad_mesh *mesh);

#endif
