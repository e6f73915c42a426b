/* Grids of others: PLOT3D nodes, neutral map files, CGNS. They are read in a process of their own (base/guard.h). */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_PLOT3D_H
#define TRIAD_SOLVERS_MULTIBLOCK_PLOT3D_H

#include "solvers/multiblock/grid.h"

enum { TRIAD_MB_MOST_BLOCKS = 4096, TRIAD_MB_MOST_FACES = 8192 };

/* What a file of nodes holds. */
typedef struct triad_mb_layout {
  int n, dims, blanks;   /* blocks; 2 or 3 coordinates; with iblank         */
  int real, swapped;     /* bytes of a real, 0: formatted; other byte order */
  int counted;           /* the number of blocks stands first               */
  int64_t nodes, size[TRIAD_MB_MOST_BLOCKS][3];
} triad_mb_layout;

/* From the whole of a file. Formatted: numbers as Fortran lists them, 3*1.5 for three times 1.5; what it is, of one block or
 * many, 2-D or 3-D, with or without iblank, follows from how many numbers there are. Unformatted: records with their lengths
 * before and behind, in either byte order. TRIAD_ERR_CASE with what is wrong. Not collective, as all here. */
int triad_mb_plot3d_layout(const char *path, const char *bytes, int64_t length, triad_mb_layout *out);

/* Its nodes: of each block all x, all y, and all z where there are such, in x[dims * nodes]. An iblank of 0 is
 * TRIAD_ERR_CASE. */
int triad_mb_plot3d_nodes(const char *path, const char *bytes, int64_t length, const triad_mb_layout *layout, double *x);

/* A line of a map: cells low .. high - 1 of a face of a zone. */
typedef struct triad_mb_map_row {
  char name[TRIAD_MB_NAME]; /* its type, in small letters: the patch */
  int zone, axis, upper, joined, other; /* other: the line of the face that it is joined to */
  int64_t low[3], high[3];
} triad_mb_map_row;

typedef struct triad_mb_map {
  int n;
  triad_mb_map_row row[TRIAD_MB_MOST_FACES];
} triad_mb_map;

/* A neutral map file of blocks of so many cells. TRIAD_ERR_CASE with the line. */
int triad_mb_map_read(const char *path, const char *text, int n, const int64_t (*cells)[3], triad_mb_map *out);

/* cgnsfile.c: nodes, map, periods of a CGNS file. As below; TRIAD_ERR_FEATURE without the library. */
int triad_mb_cgns_read(triad_mb_grid *grid, const char *path);

/* Blocks of a layout, with their nodes, into a grid. TRIAD_ERR_CASE, TRIAD_ERR_MEMORY. */
int triad_mb_take_blocks(triad_mb_grid *grid, const triad_mb_layout *layout, const double *x);

/* grid.file and grid.map of a case into a grid whose period is set. TRIAD_ERR_CASE, TRIAD_ERR_INPUT, TRIAD_ERR_MEMORY. */
int triad_mb_file_read(triad_mb_grid *grid, const triad_case *given);

/* The grid of a case, made here or read, as CGNS where path ends so, else as PLOT3D and, beside it, its map; with ranks > 0 also the table
 * of parts that so many ranks have. TRIAD_ERR_IO, TRIAD_ERR_CASE, TRIAD_ERR_FEATURE, TRIAD_ERR_USAGE. */
int triad_mb_grid_write(const triad_case *given, const char *path, int ranks);

/* partsfile.c: that table, of zones that have been dealt; tells what it wrote. TRIAD_ERR_IO. */
int triad_mb_parts_write(const char *path, const triad_zones *zones, int ranks);

/* Joins of a grid, both directions of each, and rectangles of cells low .. high - 1 of the patches of its faces, one by one; the first
 * call that does not return TRIAD_OK ends it. */
typedef struct triad_mb_sink {
  void *who;
  int (*join)(void *who, const triad_zone_join *join);
  int (*patch)(void *who, const char *name, int zone, int axis, int upper, const int64_t low[3], const int64_t high[3]);
} triad_mb_sink;
int triad_mb_grid_faces(const triad_mb_grid *grid, const triad_zones *zones, const triad_mb_sink *sink);

/* cgnswrite.c: zones Block-00001 and so on of an open file, their nodes, joins and patches; and what the name of one is. */
struct triad_cgns;
int triad_mb_cgns_put(struct triad_cgns *file, const triad_mb_grid *grid, const triad_zones *zones);
void triad_mb_cgns_name(char name[33], int zone);

/* As triad_mb_grid_patch and triad_mb_grid_may_join. */
int triad_mb_file_patch(const triad_mb_grid *grid, int zone, int axis, int upper, const int64_t cell[3]);
int triad_mb_file_may_join(const triad_mb_grid *grid, int zone, int axis, int upper, const int64_t cell[3]);

/* Of a patch that the map says is joined: how far a point, the middle of one of its faces, is from the middle of the nearest face
 * of the other side. -1: the map does not say so. */
double triad_mb_file_gap(const triad_mb_grid *grid, int patch, const double x[3]);

#endif
