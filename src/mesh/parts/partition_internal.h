/* Data shared by the sources that create a partition. */
#ifndef TRIAD_MESH_PARTS_PARTITION_INTERNAL_H
#define TRIAD_MESH_PARTS_PARTITION_INTERNAL_H

#include "mesh/parts/partition.h"
#include "parallel/graph.h"
#include "mesh/parts/deliver.h"
#include "mesh/parts/slice_points.h"
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
  /* which library assigned them, NULL: none; bytes on rank 0 that METIS needs and cannot have, if it was to */
  const triad_graph_library *dealer;
  int64_t needed, available;
};

#endif
