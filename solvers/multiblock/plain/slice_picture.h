/* The picture of a layer of cells. On one rank. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_PLAIN_SLICE_PICTURE_H
#define TRIAD_SOLVERS_MULTIBLOCK_PLAIN_SLICE_PICTURE_H

#include "case/slice.h"
#include "solvers/multiblock/state/flow.h"
#include "solvers/multiblock/case/part.h"
#include "store/disk.h"

enum { TRIAD_MULTIBLOCK_PIXELS = 1024 /* along the longer side */ };

typedef struct triad_multiblock_picture {
  const triad_multiblock_flow *flow;
  const triad_slice *slice;
  int number, quantity; /* of the slice in the case, from 1; in the slice */
  int n_zones;
  const int *zone; /* those that have the layer */
  int64_t cells, corners;
  const double *values; /* zone after zone, [second tangential axis][first] */
  const double *corner; /* [corners][x, y, z], likewise; each axis has one more than of cells */
} triad_multiblock_picture;

/* Each cell is filled where it is, seen along the axis in which all of them extend least; grey is what no cell covers.
 * TRIAD_ERR_IO, TRIAD_ERR_MEMORY. */
int triad_multiblock_slice_picture(const triad_multiblock_picture *picture, const char *folder);

#endif
