/* Cells packed as integers in messages: size, packing, unpacking. */
#ifndef TRIAD_MESH_PARTS_PARTITION_CELLS_H
#define TRIAD_MESH_PARTS_PARTITION_CELLS_H

#include "mesh/parts/partition_internal.h"

/* Pack a cell of a mesh without points; returns the count of integers. packed_size: that count. */
int64_t triad_mesh_pack_cell(const triad_mesh *mesh, int64_t cell, int32_t number, int32_t *out);
int64_t triad_mesh_packed_size(const triad_mesh *mesh, int64_t cell);

/* A packed cell of `size` integers: pointers to its corners and to its sides, each side with its count before its
 * points. points: total number of points of its sides. */
typedef struct triad_mesh_packed {
  int32_t number, shape, corners, sides;
  const int32_t *corner, *side;
  int64_t size, points;
} triad_mesh_packed;
void triad_mesh_packed_read(const int32_t *list, triad_mesh_packed *out);

/* Replace each point in packed cells (n integers in all) by number[point]. */
void triad_mesh_packed_renumber(int32_t *list, int64_t n, const int32_t *number);

/* Store shape, corners and sides of a packed cell as cell `cell` of a mesh, from these indices on. */
void triad_mesh_packed_put(const triad_mesh_packed *packed, triad_mesh *mesh, int64_t cell, int64_t corner,
                           int64_t side, int64_t loop);

/* Make a mesh of the received cells; cells[r]: number of cells from rank r. */
int triad_mesh_unpack_cells(triad_mesh **out, const triad_context *context, const triad_mesh_delivery *delivery,
                            int64_t *cells);

#endif
