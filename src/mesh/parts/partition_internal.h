/* Data shared by the sources that create a partition. */
#ifndef TRIAD_MESH_PARTS_PARTITION_INTERNAL_H
#define TRIAD_MESH_PARTS_PARTITION_INTERNAL_H

#include "mesh/parts/partition.h"
#include "parallel/graph.h"
#include "mesh/parts/deliver.h"
#include "mesh/polyhedra.h"

/* An own cell, by its index among own cells, that another rank also holds. */
typedef struct triad_mesh_shared_cell {
  int32_t rank, cell;
} triad_mesh_shared_cell;

struct triad_mesh_partition {
  const triad_context *context;
  triad_mesh_slices slices;
  /* cells without points, with global numbers: this rank's own, and those that other ranks own */
  triad_mesh *own, *others;
  triad_mesh_shared_cell *shared; /* [n_shared] sorted by rank and index */
  int64_t n_shared;
  int64_t *sent, *got;         /* [ranks] numbers of cells: in `shared`, and in `others` */
  int32_t *own_at, *others_at; /* their indices in the part */
  triad_mesh *mesh;            /* the part                                                              */
  int64_t n_loose;             /* points of this rank's share that belong to no cell, by global number */
  int32_t *loose;
  double (*loose_x)[3];
  double dealt_s; /* seconds needed to assign cells to ranks */
};

/* ---- partition_cells.c: cells as lists of integers, for messages ---- */

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

/* ---- partition_deal.c: the owner of each cell of the slice, by position ---- */
int triad_mesh_partition_assign(triad_mesh_partition *partition, int32_t *rank_of);

/* ---- partition_curve.c: the same along Hilbert's curve; cell centres and their cube must be known ---- */
int triad_mesh_partition_assign_along_curve(triad_mesh_partition *partition, int32_t *rank_of);

/* ---- partition_sides.c: pairs of cells of the slices that share a side. Each pair occurs at least once, on any rank.
 * The caller frees the list, also after an error ---- */
typedef struct triad_mesh_cell_pair {
  int32_t cell[2]; /* global numbers */
} triad_mesh_cell_pair;
int triad_mesh_partition_pairs(const triad_mesh_partition *partition, triad_mesh_cell_pair **pair, int64_t *n);

/* ---- partition_graph.c: the graph of cells that share a side, weighted by their number of sides. The caller frees
 * it, also after an error ---- */
int triad_mesh_partition_graph(const triad_mesh_partition *partition, triad_graph *graph);

/* ---- partition_shared.c: own cells that have at least three points in common with a cell of another rank ---- */
int triad_mesh_partition_find_shared(triad_mesh_partition *partition);
/* Add n more, such as cells across periodic boundaries; duplicates are removed. Not collective. */
int triad_mesh_partition_share(triad_mesh_partition *partition, const triad_mesh_shared_cell *more, int64_t n);

/* ---- partition_fill.c: cells, points, faces and patches of the part, and their faults; count: [2 ranks] ---- */
int triad_mesh_partition_fill(triad_mesh_partition *partition, int64_t *count, triad_faults *faults);

/* ---- partition_measure.c ---- */
int triad_mesh_partition_measure(const triad_mesh_partition *partition, triad_faults *faults);

/* ---- partition_periodic.c ---- */

/* Two matching sides of outer faces: [0] of the first, [1] of the second patch of a pair. */
typedef struct triad_mesh_side_pair {
  int32_t cell[2], side[2], rank[2]; /* global numbers of cells */
} triad_mesh_side_pair;

typedef struct triad_mesh_side_pairs {
  int64_t n, first[TRIAD_MESH_PATCHES + 1]; /* [pair of patches] index of its first side pair */
  triad_mesh_side_pair *list;
  double shift[TRIAD_MESH_PATCHES][3];
} triad_mesh_side_pairs;

/* Match periodic sides over all ranks; the result is the same on each. */
int triad_mesh_partition_match(triad_mesh_partition *partition, const triad_mesh_pairs *patches,
                               triad_mesh_side_pairs *out);
/* not collective */
int triad_mesh_partition_share_pairs(triad_mesh_partition *partition, const triad_mesh_side_pairs *pairs);
/* not collective */
int triad_mesh_partition_join(triad_mesh_partition *partition, const triad_mesh_pairs *patches,
                              const triad_mesh_side_pairs *pairs);

#endif
