/* The map of a grid from a file: which cell faces it joins and which it names. Not collective, like all functions
 * here. */
#ifndef TRIAD_BLOCKS_MAP_H
#define TRIAD_BLOCKS_MAP_H

#include "blocks/grid.h"

enum { TRIAD_BLOCKS_MAX_MAP_ROWS = 8192 };

/* A line of a map: the faces of cells low .. high - 1 on a side of a zone. */
typedef struct triad_blocks_map_row {
  char name[TRIAD_BLOCKS_NAME];         /* its type in lower case: the patch */
  int zone, axis, upper, joined, other; /* other: line of the face that it is joined to */
  int64_t low[3], high[3];
} triad_blocks_map_row;

struct triad_blocks_map {
  int n;
  triad_blocks_map_row row[TRIAD_BLOCKS_MAX_MAP_ROWS];
};

/* The counterparts of triad_blocks_grid_patch and triad_blocks_grid_may_join for a map. */
int triad_blocks_file_patch(const triad_blocks_grid *grid, int zone, int axis, int upper, const int64_t cell[3]);
int triad_blocks_file_may_join(const triad_blocks_grid *grid, int zone, int axis, int upper, const int64_t cell[3]);

/* The distance of a point x, the centre of a face of a patch that the map joins, from the centre of the nearest face
 * on the other side. -1: the map does not join this patch. */
double triad_blocks_file_gap(const triad_blocks_grid *grid, int patch, const double x[3]);

#endif
