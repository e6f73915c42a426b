/* What the files of a cut share while it is made. */
#ifndef TRIAD_MESH_PARTS_PARTITION_INTERNAL_H
#define TRIAD_MESH_PARTS_PARTITION_INTERNAL_H

#include "mesh/parts/partition.h"
#include "parallel/graph.h"
#include "mesh/parts/deliver.h"
#include "mesh/polyhedra.h"

/* An own cell, by its place among them, that another rank has too. */
typedef struct triad_mesh_shared_cell {
  int32_t rank, cell;
} triad_mesh_shared_cell;

struct triad_mesh_partition {
  const triad_context *context;
  triad_mesh_slices slices;
  /* cells without points, by global numbers: this rank's, and those that others share with it */
  triad_mesh *own, *others;
  triad_mesh_shared_cell *shared; /* [n_shared] by rank and place                                          */
  int64_t n_shared;
  int64_t *sent, *got;         /* [ranks] cells: of `shared`, and of `others`                           */
  int32_t *own_at, *others_at; /* where they stand in the part                                          */
  triad_mesh *mesh;            /* the part                                                              */
  int64_t n_loose;             /* of this rank's share of points those of no cell, by numbers           */
  int32_t *loose;
  double (*loose_x)[3];
  double dealt_s; /* seconds that it took to find whose each cell is */
};

/* ---- partition_cells.c: cells as numbers that are sent ---- */

/* A cell of a mesh without points; returns how many numbers. */
int64_t triad_mesh_pack_cell(const triad_mesh *mesh, int64_t cell, int32_t number, int32_t *out);
int64_t triad_mesh_packed_size(const triad_mesh *mesh, int64_t cell);

/* A packed cell of `size` numbers: where its corners are, and its sides, each with a count before its points;
 * `points` of all sides. */
typedef struct triad_mesh_packed {
  int32_t number, shape, corners, sides;
  const int32_t *corner, *side;
  int64_t size, points;
} triad_mesh_packed;
void triad_mesh_packed_read(const int32_t *list, triad_mesh_packed *out);

/* Points of packed cells, n numbers in all, by other numbers: number[point]. */
void triad_mesh_packed_renumber(int32_t *list, int64_t n, const int32_t *number);

/* Its shape, corners and sides as those of a cell: from these places on. */
void triad_mesh_packed_put(const triad_mesh_packed *packed, triad_mesh *mesh, int64_t cell, int64_t corner,
                           int64_t side, int64_t loop);

/* Cells that have come; cells[r] of rank r. */
int triad_mesh_unpack_cells(triad_mesh **out, const triad_context *context, const triad_mesh_delivery *delivery,
                            int64_t *cells);

/* ---- partition_deal.c: whose each cell of the slice is, by where cells are ---- */
int triad_mesh_partition_assign(triad_mesh_partition *partition, int32_t *rank_of);

/* ---- partition_curve.c: the same along the curve, of cells whose centres and box are known ---- */
int triad_mesh_partition_assign_along_curve(triad_mesh_partition *partition, int32_t *rank_of);

/* ---- partition_sides.c: cells of the slices that share a side, each pair at least once and on one rank or another:
 * to be freed, also where it fails ---- */
typedef struct triad_mesh_cell_pair {
  int32_t cell[2]; /* by global numbers */
} triad_mesh_cell_pair;
int triad_mesh_partition_pairs(const triad_mesh_partition *partition, triad_mesh_cell_pair **pair, int64_t *n);

/* ---- partition_graph.c: cells of the slices that share a side, their cost how many they have: to be freed, also
 * where it fails ---- */
int triad_mesh_partition_graph(const triad_mesh_partition *partition, triad_graph *graph);

/* ---- partition_shared.c: own cells that have at least three points in common with cells of another rank ---- */
int triad_mesh_partition_find_shared(triad_mesh_partition *partition);
/* n more, such as across periodic ends; each counts once. Not collective. */
int triad_mesh_partition_share(triad_mesh_partition *partition, const triad_mesh_shared_cell *more, int64_t n);

/* ---- partition_fill.c: the part's cells, points, faces and patches, and what is wrong with them; count [2 ranks]
 * ---- */
int triad_mesh_partition_fill(triad_mesh_partition *partition, int64_t *count, triad_faults *faults);

/* ---- partition_measure.c ---- */
int triad_mesh_partition_measure(const triad_mesh_partition *partition, triad_faults *faults);

/* ---- partition_periodic.c ---- */

/* Two sides of outer faces that lie alike: of the first and of the second patch. */
typedef struct triad_mesh_side_pair {
  int32_t cell[2], side[2], rank[2]; /* by global numbers */
} triad_mesh_side_pair;

typedef struct triad_mesh_side_pairs {
  int64_t n, first[TRIAD_MESH_PATCHES + 1]; /* of each pair of patches */
  triad_mesh_side_pair *list;
  double shift[TRIAD_MESH_PATCHES][3];
} triad_mesh_side_pairs;

/* Of all ranks, the same on each. */
int triad_mesh_partition_match(triad_mesh_partition *partition, const triad_mesh_pairs *patches,
                               triad_mesh_side_pairs *out);
/* not collective */
int triad_mesh_partition_share_pairs(triad_mesh_partition *partition, const triad_mesh_side_pairs *pairs);
/* not collective */
int triad_mesh_partition_join(triad_mesh_partition *partition, const triad_mesh_pairs *patches,
                              const triad_mesh_side_pairs *pairs);

#endif
