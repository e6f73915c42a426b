/* The map of a grid that was read: which cell faces a file joins or gives a name. Not collective, as all here. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_MAP_H
#define TRIAD_SOLVERS_MULTIBLOCK_MAP_H

#include "solvers/multiblock/grid.h"

enum { TRIAD_MB_MOST_FACES = 8192 };

/* A line of a map: cells low .. high - 1 of a face of a zone. */
typedef struct triad_mb_map_row {
  char name[TRIAD_MB_NAME]; /* its type, in small letters: the patch */
  int zone, axis, upper, joined, other; /* other: the line of the face that it is joined to */
  int64_t low[3], high[3];
} triad_mb_map_row;

struct triad_mb_map {
  int n;
  triad_mb_map_row row[TRIAD_MB_MOST_FACES];
};

/* As triad_mb_grid_patch and triad_mb_grid_may_join. */
int triad_mb_file_patch(const triad_mb_grid *grid, int zone, int axis, int upper, const int64_t cell[3]);
int triad_mb_file_may_join(const triad_mb_grid *grid, int zone, int axis, int upper, const int64_t cell[3]);

/* Of a patch that the map says is joined: how far a point, the middle of one of its faces, is from the middle of the nearest face
 * of the other side. -1: the map does not say so. */
double triad_mb_file_gap(const triad_mb_grid *grid, int patch, const double x[3]);

#endif
