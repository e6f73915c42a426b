/* A partitioned mesh in the order of files, a chunk at a time, so that no rank needs to hold more than a chunk. Each
 * rank gets its equal share of all cells and points (slices.h), and writes it: chunk k of a rank has the next `most`
 * cells of its share. Polyhedra are cut (pieces.h). In the functions below `status` is that of this rank's work so
 * far; all ranks first agree on the worst, and return it. Collective. */
#ifndef TRIAD_MESH_PARTS_CHUNKS_H
#define TRIAD_MESH_PARTS_CHUNKS_H

#include "mesh/parts/partition.h"

/* Cells of a file, their corners, and points; of a chunk only the points that cut polyhedra add. */
typedef struct triad_mesh_file_size {
  int64_t points, cells, corners;
} triad_mesh_file_size;

typedef struct triad_mesh_chunks {
  const triad_context *context;
  const triad_mesh_partition *partition; /* NULL: `part` is the whole mesh, on one rank */
  const triad_mesh *part;
  int64_t most, n;             /* cells of a chunk; chunks of each rank, of which the last ones may be empty */
  int cut;                     /* 1: the mesh has polyhedra, so cells of the file are pieces of cells of the mesh */
  triad_mesh_file_size all;    /* of the file */
  triad_mesh_file_size *begin; /* [ranks][n] what precedes each chunk in the file; points: among those added */
  int64_t *count;              /* [2 ranks] */
} triad_mesh_chunks;

/* Count the file. `most`: cells of a chunk, and points. TRIAD_ERR_MEMORY; TRIAD_ERR_CASE if the file would have more
 * than 2^31 - 1 points. The caller frees *chunks, also after an error. */
int triad_mesh_chunks_create(triad_mesh_chunks *chunks, const triad_context *context,
                             const triad_mesh_partition *partition, const triad_mesh *part, int64_t most);
void triad_mesh_chunks_free(triad_mesh_chunks *chunks);

/* Cells first .. first + n - 1 of the mesh as the file has them. mesh->corner: numbers of points in the file. If
 * polyhedra are cut: the cell of each piece, from 0 in the chunk, and the added points. */
typedef struct triad_mesh_chunk {
  int64_t first, n;
  triad_mesh *mesh;
  int32_t *cell;
  const double (*added)[3];
  int64_t n_added;
  triad_mesh_file_size begin;
} triad_mesh_chunk;

/* Get the cells of chunk k. The caller frees *chunk, also after an error. */
int triad_mesh_chunk_cells(const triad_mesh_chunks *chunks, int64_t k, int status, triad_mesh_chunk *chunk);
void triad_mesh_chunk_free(triad_mesh_chunk *chunk);

/* Get the points of chunk k: x[n], numbers first .. first + n - 1 of the mesh. The caller frees *x, also after an
 * error. */
int triad_mesh_chunk_points(const triad_mesh_chunks *chunks, int64_t k, int status, int64_t *first, int64_t *n,
                            double (**x)[3]);

/* Get n values of each cell of a chunk: values[value][cell of the chunk]. `get` is called on the rank that owns a
 * cell, with its number in the part. The caller frees *values, also after an error. */
typedef void triad_mesh_get_values(void *who, int64_t cell, double *values);
int triad_mesh_chunk_values(const triad_mesh_chunks *chunks, int64_t k, int status, int n, triad_mesh_get_values *get,
                            void *who, double **values);

#endif
