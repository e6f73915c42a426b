/* A mesh by slices: of its cells and points each rank holds the same share, in the order of the generator or the
 * file, before it is known whose they will be. A generator makes a rank's slice; a file is read by rank 0, which
 * deals them out. */
#ifndef TRIAD_MESH_PARTS_SLICES_H
#define TRIAD_MESH_PARTS_SLICES_H

#include "parallel/context.h"
#include "mesh/read/meshfile.h"
#include "mesh/read/source.h"

typedef struct triad_mesh_slices {
  const triad_context *context;
  const triad_mesh_source *source;
  const triad_mesh_generator *made; /* NULL: of a file */
  triad_mesh_generator lattice;     /* of its points   */
  const char *path;
  int64_t n_cells, n_points, curved; /* of the whole */
  /* of this rank: numbers first .., corners by their numbers in the whole; no points, no faces */
  triad_mesh *cells;
  int64_t first;
  double (*x)[3]; /* of a file: points triad_mesh_share_begin(n_points, ..) .. */
  int64_t n_patches, n_sides;
  char name[TRIAD_MESH_PATCHES][TRIAD_MESH_NAME];
  triad_mesh_file_side *side; /* of a file, on rank 0 */
} triad_mesh_slices;

/* Where the share of a rank of n things begins, and whose a thing is. */
static inline int64_t triad_mesh_share_begin(int64_t n, int rank, int size)
{
  return n / size * rank + n % size * rank / size;
}
int triad_mesh_share_owner(int64_t n, int64_t thing, int size);

/* Collective. */
int triad_mesh_slices_create(triad_mesh_slices *slices, const triad_context *context, const triad_mesh_source *source);
int triad_mesh_slices_of_file(triad_mesh_slices *slices); /* the same of a file: slice_file.c */
void triad_mesh_slices_drop_cells(triad_mesh_slices *slices);
void triad_mesh_slices_free(triad_mesh_slices *slices);

/* Where points are, by their numbers in rising order: x[n]. Collective. */
int triad_mesh_slices_points(const triad_mesh_slices *slices, const int32_t *number, int64_t n, double (*x)[3]);

/* Patches of a part's mesh, and of its own outer faces. Faults as of triad_mesh_file_read, but of a rank's part.
 * Collective. */
int triad_mesh_slices_patches(const triad_mesh_slices *slices, triad_mesh *part, triad_faults *faults);

/* The checksum of the whole mesh. Collective. */
int triad_mesh_slices_checksum(const triad_mesh_slices *slices, uint64_t *sum);

#endif
