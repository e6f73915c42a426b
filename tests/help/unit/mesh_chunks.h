/* Chunks of a partitioned mesh in the order of files (mesh/parts/chunks.h), compared with the whole mesh: cells, points
 * and values in the order in which one rank would list them. */
#ifndef TRIAD_TESTS_UNIT_MESH_CHUNKS_H
#define TRIAD_TESTS_UNIT_MESH_CHUNKS_H

#include "test.h"

#include "mesh/parts/chunks.h"
#include "mesh/pieces.h"

static void get_numbers(void *part, int64_t cell, double *values)
{
  values[0] = (double)triad_mesh_number((const triad_mesh *)part, cell);
  values[1] = -2 * values[0];
}

static int64_t wrong_cells(const triad_mesh *pieces, const int32_t *cell, const triad_mesh *whole,
                           const triad_mesh_chunk *chunk)
{
  const triad_mesh *m = chunk->mesh;
  int64_t wrong = pieces->first[chunk->begin.cells] != chunk->begin.corners;
  for (int64_t i = 0; i < m->n_cells; i++) {
    const int64_t c = chunk->begin.cells + i, first = pieces->first[c];
    wrong += m->shape[i] != pieces->shape[c] || m->first[i + 1] - m->first[i] != pieces->first[c + 1] - first;
    wrong += (chunk->cell ? chunk->cell[i] : i) + chunk->first != cell[c];
    for (int64_t k = m->first[i]; k < m->first[i + 1]; k++)
      wrong += m->corner[k] != pieces->corner[first + k - m->first[i]];
  }
  for (int64_t p = 0; p < chunk->n_added; p++)
    wrong += memcmp(chunk->added[p], pieces->x[whole->n_points + chunk->begin.points + p], sizeof *pieces->x) != 0;
  return wrong;
}

static void check_chunks(const triad_mesh *whole, const triad_mesh_partition *partition, triad_mesh *part, int64_t most)
{
  const triad_comm *comm = triad_test_comm();
  triad_memory *memory = triad_test_context()->memory;
  const int64_t before = triad_memory_held(memory);
  int64_t wrong = 0, seen[3] = {0};
  triad_mesh *pieces = NULL;
  int32_t *cell = NULL;
  triad_mesh_chunks w;
  TRIAD_CHECK(triad_mesh_pieces(&pieces, &cell, whole));
  TRIAD_CHECK(triad_mesh_chunks_create(&w, triad_test_context(), partition, part, most));
  TRIAD_EQUAL(w.all.points, pieces->n_points, "points of the file");
  TRIAD_EQUAL(w.all.cells, pieces->n_cells, "cells of the file");
  TRIAD_EQUAL(w.all.corners, pieces->first[pieces->n_cells], "corners of the file");
  TRIAD_EQUAL(w.cut, pieces->n_points > whole->n_points, "polyhedra are cut");
  for (int64_t k = 0; k < w.n; k++) {
    triad_mesh_chunk chunk;
    double(*x)[3] = NULL, *values = NULL;
    int64_t first = 0, n = 0;
    TRIAD_CHECK(triad_mesh_chunk_cells(&w, k, TRIAD_OK, &chunk));
    TRIAD_CHECK(triad_mesh_chunk_points(&w, k, TRIAD_OK, &first, &n, &x));
    TRIAD_CHECK(triad_mesh_chunk_values(&w, k, TRIAD_OK, 2, get_numbers, part, &values));
    TRIAD_HOLDS(chunk.n <= most && n <= most, "a chunk of %lld cells and %lld points", (long long)chunk.n,
                (long long)n);
    wrong += wrong_cells(pieces, cell, whole, &chunk);
    for (int64_t p = 0; p < n; p++) wrong += memcmp(x[p], whole->x[first + p], sizeof *x) != 0;
    for (int64_t i = 0; i < chunk.n; i++)
      wrong += values[i] != (double)(chunk.first + i) || values[chunk.n + i] != -2 * (double)(chunk.first + i);
    seen[0] += chunk.mesh->n_cells;
    seen[1] += n + chunk.n_added;
    seen[2] += chunk.n;
    triad_mesh_chunk_free(&chunk);
    TRIAD_FREE(memory, &values);
    TRIAD_FREE(memory, &x);
  }
  TRIAD_CHECK(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, seen, 3, MPI_INT64_T, MPI_SUM, comm->mpi)));
  TRIAD_EQUAL(wrong, 0, "cells, points and values of chunks that are not those of the whole mesh");
  TRIAD_EQUAL(seen[0], pieces->n_cells, "cells of all chunks");
  TRIAD_EQUAL(seen[1], pieces->n_points, "points of all chunks");
  TRIAD_EQUAL(seen[2], whole->n_cells, "cells with values");
  triad_mesh_chunks_free(&w);
  triad_mesh_destroy(&pieces);
  TRIAD_FREE(memory, &cell);
  TRIAD_EQUAL(triad_memory_held(memory), before, "bytes that are held after all chunks");
}

#endif
