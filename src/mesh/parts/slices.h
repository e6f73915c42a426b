/* A mesh in slices: each rank holds an equal share of the cells and points, in the order of the generator or the file,
 * before their owners are known. A generator makes the slice of a rank; a file is read by rank 0, which passes it on
 * as it reads it, or from the whole (slice_stream.h). */
#ifndef TRIAD_MESH_PARTS_SLICES_H
#define TRIAD_MESH_PARTS_SLICES_H

#include "parallel/context.h"
#include "mesh/read/meshfile.h"
#include "mesh/read/source.h"

typedef struct triad_mesh_slices {
  const triad_context *context;
  const triad_mesh_source *source;
  const triad_mesh_generator *made; /* NULL if the mesh is read from a file */
  triad_mesh_generator lattice;     /* generator of its points */
  const char *path;
  int64_t n_cells, n_points; /* of the whole mesh */
  triad_mesh_changes changes;
  /* this rank's cells, numbers `first` .., with global point numbers; no points, no faces */
  triad_mesh *cells;
  int64_t first;
  double (*x)[3]; /* mesh from a file: points triad_mesh_share_begin(n_points, ..) .. */
  int64_t n_patches, n_sides;
  char name[TRIAD_MESH_PATCHES][TRIAD_MESH_NAME];
  triad_mesh_file_side *side; /* mesh from a file, on rank 0 */
} triad_mesh_slices;

/* The first of n items in the share of a rank. */
static inline int64_t triad_mesh_share_begin(int64_t n, int rank, int size)
{
  return n / size * rank + n % size * rank / size;
}

/* Create this rank's slice. Collective. */
int triad_mesh_slices_create(triad_mesh_slices *slices, const triad_context *context, const triad_mesh_source *source);
int triad_mesh_slices_of_file(triad_mesh_slices *slices); /* the same for a file: slice_file.c */
void triad_mesh_slices_drop_cells(triad_mesh_slices *slices);
void triad_mesh_slices_free(triad_mesh_slices *slices);

/* Compute the checksum of the whole mesh. Collective. */
int triad_mesh_slices_checksum(const triad_mesh_slices *slices, uint64_t *sum);

#endif
