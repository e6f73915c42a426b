/* Faces of two patches that lie alike, of a whole mesh or of one that is cut (periodic.c). Not collective. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_PERIODIC_H
#define TRIAD_SOLVERS_UNSTRUCTURED_PERIODIC_H

#include "solvers/unstructured/mesh.h"

/* A face by the mean of its points, once matched relative to its patch's middle and rounded. */
typedef struct triad_fct_mark {
  double at[3];
  int64_t face; /* or whatever the owner knows it by */
  int64_t points;
} triad_fct_mark;

triad_fct_mark triad_fct_mark_face(const triad_fct_mesh *mesh, int64_t face);

/* All faces of both patches, which are put in an order in which those of one place lie alike; and by how far b is moved from a.
 * TRIAD_ERR_CASE where they do not match. */
int triad_fct_match(const triad_fct_mesh *mesh, int a, int b, triad_fct_mark *of_a, int64_t n_a, triad_fct_mark *of_b, int64_t n_b,
                    double shift[3]);

/* Face g, of the second patch, goes into face f; in the end those that are gone are left out, and those that have two cells come to the
 * inner ones. */
void triad_fct_merge(triad_fct_mesh *mesh, int64_t f, int64_t g, int number);
void triad_fct_tidy(triad_fct_mesh *mesh);

#endif
