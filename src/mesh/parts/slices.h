/* A mesh by slices: of its cells and points each rank holds the same share, in the order of the generator or the file, before it is known
 * whose they will be. A generator makes a rank's slice; a file is read by rank 0, which deals them out. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_SLICES_H
#define TRIAD_SOLVERS_UNSTRUCTURED_SLICES_H

#include "parallel/context.h"
#include "solvers/unstructured/meshfile.h"
#include "solvers/unstructured/source.h"

typedef struct triad_fct_mesh_slices {
  const triad_context *context;
  const triad_fct_source *source;
  const triad_fct_generator *made; /* NULL: of a file */
  triad_fct_generator lattice;     /* of its points   */
  const char *path;
  int64_t n_cells, n_points, curved; /* of the whole */
  triad_fct_mesh *cells;             /* of this rank: numbers first .., corners by their numbers in the whole; no points, no faces */
  int64_t first;
  double (*x)[3];                    /* of a file: points triad_fct_share_first(n_points, ..) .. */
  int64_t n_patches, n_sides;
  char name[TRIAD_FCT_PATCHES][TRIAD_FCT_NAME];
  triad_fct_side *side;              /* of a file, on rank 0 */
} triad_fct_mesh_slices;

/* Where the share of a rank of n things begins, and whose a thing is. */
static inline int64_t triad_fct_share_first(int64_t n, int rank, int size) { return n / size * rank + n % size * rank / size; }
int triad_fct_share_of(int64_t n, int64_t thing, int size);

/* Collective. */
int triad_fct_slices_create(triad_fct_mesh_slices *slices, const triad_context *context, const triad_fct_source *source);
int triad_fct_slices_of_file(triad_fct_mesh_slices *slices); /* the same of a file: slice_file.c */
void triad_fct_slices_drop_cells(triad_fct_mesh_slices *slices);
void triad_fct_slices_free(triad_fct_mesh_slices *slices);

/* Where points are, by their numbers in rising order: x[n]. Collective. */
int triad_fct_slices_points(const triad_fct_mesh_slices *slices, const int32_t *number, int64_t n, double (*x)[3]);

/* Patches of a part's mesh, and of its own outer faces. Faults as of triad_fct_file_read, but of a rank's part. Collective. */
int triad_fct_slices_patches(const triad_fct_mesh_slices *slices, triad_fct_mesh *part, triad_faults *faults);

/* The checksum of the whole mesh. Collective. */
int triad_fct_slices_checksum(const triad_fct_mesh_slices *slices, uint64_t *sum);

#endif
