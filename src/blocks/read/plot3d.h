/* Grids from files: PLOT3D nodes, neutral map files, CGNS. They are untrusted input, so a separate process parses
 * them (base/guard.h). */
#ifndef TRIAD_BLOCKS_READ_PLOT3D_H
#define TRIAD_BLOCKS_READ_PLOT3D_H

#include "blocks/map.h"

enum { TRIAD_BLOCKS_MAX = 4096 };

/* What a file of nodes holds. */
typedef struct triad_blocks_layout {
  int n, dims, blanks; /* blocks; 2 or 3 coordinates; with iblank         */
  int real, swapped;   /* bytes of a real, 0: formatted; other byte order */
  int counted;         /* the number of blocks stands first               */
  int64_t nodes, size[TRIAD_BLOCKS_MAX][3];
} triad_blocks_layout;

/* From the whole of a file. Formatted: numbers as Fortran lists them, 3*1.5 for three times 1.5; what it is, of one
 * block or many, 2-D or 3-D, with or without iblank, follows from how many numbers there are. Unformatted: records
 * with their lengths before and behind, in either byte order. TRIAD_ERR_CASE with what is wrong. Not collective, as
 * all here. */
int triad_blocks_plot3d_layout(const char *path, const char *bytes, int64_t length, triad_blocks_layout *out);

/* Its nodes: of each block all x, all y, and all z where there are such, in x[dims * nodes]. An iblank of 0 is
 * TRIAD_ERR_CASE. */
int triad_blocks_plot3d_nodes(const char *path, const char *bytes, int64_t length, const triad_blocks_layout *layout,
                              double *x);

/* A neutral map file of blocks of so many cells. TRIAD_ERR_CASE with the line. */
int triad_blocks_map_read(const char *path, const char *text, int n, const int64_t (*cells)[3], triad_blocks_map *out);

/* cgnsfile.c: nodes, map, periods of a CGNS file. As below; TRIAD_ERR_FEATURE without the library. */
int triad_blocks_cgns_read(triad_blocks_grid *grid, const char *path);

/* Blocks of a layout, with their nodes, into a grid. TRIAD_ERR_CASE, TRIAD_ERR_MEMORY. */
int triad_blocks_set_nodes(triad_blocks_grid *grid, const triad_blocks_layout *layout, const double *x);

/* Nodes and map of files into a grid whose periods are set; map "": none. TRIAD_ERR_CASE, TRIAD_ERR_INPUT,
 * TRIAD_ERR_MEMORY, TRIAD_ERR_FEATURE. */
int triad_blocks_file_read(triad_blocks_grid *grid, const char *path, const char *map);

#endif
