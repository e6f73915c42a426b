/* Read a neutral map file (.nmf). Called in the guarded process. */
#ifndef TRIAD_BLOCKS_READ_MAPFILE_H
#define TRIAD_BLOCKS_READ_MAPFILE_H

#include "blocks/read/plot3d.h"

/* Parse a neutral map file for n blocks of these cells. TRIAD_ERR_CASE with the line. */
int triad_blocks_map_read(const char *path, const char *text, int n, const int64_t (*cells)[3], triad_blocks_map *out);

#endif
