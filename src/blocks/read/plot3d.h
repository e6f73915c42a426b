/* Grids from files: PLOT3D nodes, neutral map files, CGNS. They are untrusted input, so a separate process parses
 * them (base/guard.h). */
#ifndef TRIAD_BLOCKS_READ_PLOT3D_H
#define TRIAD_BLOCKS_READ_PLOT3D_H

#include "blocks/map.h"

enum { TRIAD_BLOCKS_MAX = 4096 };

/* The format and sizes of a file of nodes. */
typedef struct triad_blocks_layout {
  int n, dims, blanks; /* blocks; 2 or 3 coordinates; 1: with iblank */
  int real, swapped;   /* bytes of a real, 0: formatted; 1: other byte order */
  int counted;         /* 1: the file begins with the number of blocks */
  int plain;           /* 1: binary without records, as C writes it */
  int64_t nodes, size[TRIAD_BLOCKS_MAX][3];
} triad_blocks_layout;

/* Determine the layout from the bytes of a whole file. Formatted files may use Fortran's repeat counts (3*1.5); the
 * number of blocks, 2-D or 3-D and iblank follow from the count of numbers. Unformatted files have records with their
 * lengths before and after, or none, in either byte order; without records all of it follows from the size of the
 * file. TRIAD_ERR_CASE with the fault. Not collective, like all functions
 * here. */
int triad_blocks_plot3d_layout(const char *path, const char *bytes, int64_t length, triad_blocks_layout *out);

/* Read the nodes: for each block all x, all y and (if 3-D) all z, in x[dims * nodes]. An iblank of 0 is
 * TRIAD_ERR_CASE. */
int triad_blocks_plot3d_nodes(const char *path, const char *bytes, int64_t length, const triad_blocks_layout *layout,
                              double *x);

#endif
