/* The map of a grid that was read: which cell faces a file joins or gives a name. Not collective, as all here. */
#ifndef TRIAD_BLOCKS_MAP_H
#define TRIAD_BLOCKS_MAP_H

#include "blocks/grid.h"

enum { TRIAD_BLOCKS_MAX_MAP_ROWS = 8192 };

/* A line of a map: cells low .. high - 1 of a face of a zone. */
typedef struct triad_blocks_map_row {
  char name[TRIAD_BLOCKS_NAME];         /* its type, in small letters: the patch */
  int zone, axis, upper, joined, other; /* other: the line of the face that it is joined to */
  int64_t low[3], high[3];
} triad_blocks_map_row;

struct triad_blocks_map {
  int n;
  triad_blocks_map_row row[TRIAD_BLOCKS_MAX_MAP_ROWS];
};

/* As triad_blocks_grid_patch and triad_blocks_grid_may_join. */
int triad_blocks_file_patch(const triad_blocks_grid *grid, int zone, int axis, int upper, const int64_t cell[3]);
int triad_blocks_file_may_join(const triad_blocks_grid *grid, int zone, int axis, int upper, const int64_t cell[3]);

/* Of a patch that the map says is joined: how far a point, the middle of one of its faces, is from the middle of the
 * nearest face of the other side. -1: the map does not say so. */
double triad_blocks_file_gap(const triad_blocks_grid *grid, int patch, const double x[3]);

#endif
