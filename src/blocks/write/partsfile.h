/* The partition of a grid for a number of ranks, as a table in a file. Not collective: one process computes it. */
#ifndef TRIAD_BLOCKS_WRITE_PARTSFILE_H
#define TRIAD_BLOCKS_WRITE_PARTSFILE_H

#include "blocks/write/gridwrite.h"

/* partsfile.c: write that table for zones that have been assigned to ranks; a line on stdout reports
 * it. TRIAD_ERR_IO. */
int triad_blocks_parts_write(const char *path, const triad_zones *zones, int ranks);

#endif
