/* Write a grid to files: PLOT3D with a neutral map file, or CGNS; write its partition as a table. Not collective, like
 * all functions here. */
#ifndef TRIAD_BLOCKS_WRITE_GRIDWRITE_H
#define TRIAD_BLOCKS_WRITE_GRIDWRITE_H

#include "blocks/grid.h"

/* Check the name `path` of a file of nodes. TRIAD_ERR_USAGE. */
int triad_blocks_check_file_name(const char *path);

/* Write a grid and its joins: as CGNS if path ends so, else as PLOT3D with a map next to it. ranks > 0: zones are
 * assigned to so many ranks, and a table of the parts is written too. A line on stdout reports each file.
 * TRIAD_ERR_IO, TRIAD_ERR_CASE, TRIAD_ERR_FEATURE. */
int triad_blocks_write_grid(const triad_blocks_grid *grid, const triad_zones *zones, const char *path, int ranks);

/* Callbacks for the joins of a grid (both directions of each) and for rectangles of cells low .. high - 1 of its
 * patches. The first call that does not return TRIAD_OK ends the traversal. */
typedef struct triad_blocks_face_sink {
  void *who;
  int (*join)(void *who, const triad_zone_join *join);
  int (*patch)(void *who, const char *name, int zone, int axis, int upper, const int64_t low[3], const int64_t high[3]);
} triad_blocks_face_sink;
int triad_blocks_grid_faces(const triad_blocks_grid *grid, const triad_zones *zones,
                            const triad_blocks_face_sink *sink);

/* cgnswrite.c: write zones Block-00001 and so on to an open file, with nodes, joins and patches. */
struct triad_cgns;
int triad_blocks_cgns_put(struct triad_cgns *file, const triad_blocks_grid *grid, const triad_zones *zones);

#endif
