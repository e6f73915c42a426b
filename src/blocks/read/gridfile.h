/* A grid from files: nodes, map, names of patches. Collective. */
#ifndef TRIAD_BLOCKS_READ_GRIDFILE_H
#define TRIAD_BLOCKS_READ_GRIDFILE_H

#include "blocks/read/plot3d.h"

/* Store the blocks of a layout and their nodes in a grid. TRIAD_ERR_CASE, TRIAD_ERR_MEMORY. */
int triad_blocks_set_nodes(triad_blocks_grid *grid, const triad_blocks_layout *layout, const double *x);

/* Read the nodes and the map (map "": none) into a grid whose periods are set. TRIAD_ERR_CASE, TRIAD_ERR_INPUT,
 * TRIAD_ERR_MEMORY, TRIAD_ERR_FEATURE. */
int triad_blocks_file_read(triad_blocks_grid *grid, const char *path, const char *map);

#endif
