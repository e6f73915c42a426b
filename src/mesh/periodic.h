/* Faces of two patches that lie alike, of a whole mesh or of one that is cut (periodic.c). Not collective. */
#ifndef TRIAD_MESH_PERIODIC_H
#define TRIAD_MESH_PERIODIC_H

#include "mesh/mesh.h"

/* A face by the mean of its points, once matched relative to its patch's middle and rounded. */
typedef struct triad_mesh_face_mark {
  double at[3];
  int64_t face; /* or whatever the owner knows it by */
  int64_t points;
} triad_mesh_face_mark;

triad_mesh_face_mark triad_mesh_mark_face(const triad_mesh *mesh, int64_t face);

/* All faces of both patches, which are put in an order in which those of one place lie alike; and by how far b is
 * moved from a. TRIAD_ERR_CASE where they do not match. */
int triad_mesh_match_faces(const triad_mesh *mesh, int a, int b, triad_mesh_face_mark *of_a, int64_t n_a,
                           triad_mesh_face_mark *of_b, int64_t n_b, double shift[3]);

/* Face g, of the second patch, goes into face f; in the end those that are gone are left out, and those that have
 * two cells come to the inner ones. */
void triad_mesh_merge_faces(triad_mesh *mesh, int64_t f, int64_t g, int number);
void triad_mesh_remove_merged(triad_mesh *mesh);

#endif
