/* Read a grid of structured zones from a CGNS file. Called in the guarded process. */
#ifndef TRIAD_BLOCKS_READ_CGNSFILE_H
#define TRIAD_BLOCKS_READ_CGNSFILE_H

#include "blocks/read/plot3d.h"

/* cgnsfile.c: read nodes, map and periods of a CGNS file. Errors as triad_blocks_file_read; TRIAD_ERR_FEATURE without
 * the library. */
int triad_blocks_cgns_read(triad_blocks_grid *grid, const char *path);

#endif
