/* Grids of CGNS files (store/cgns.h): structured zones, their boundary conditions as rows of a map, and their joins,
 * whose points are compared one by one. */
#ifndef TRIAD_BLOCKS_READ_CGNSFILE_H
#define TRIAD_BLOCKS_READ_CGNSFILE_H

#include "blocks/read/plot3d.h"

/* cgnsfile.c: read nodes, map and periods of a CGNS file. Errors as triad_blocks_file_read; TRIAD_ERR_FEATURE without
 * the library. */
int triad_blocks_cgns_read(triad_blocks_grid *grid, const char *path);

#endif
