/* The grid of a case: blocks of nodes, from a file or made by a formula on every rank for itself; the names of what its
 * faces are; which faces coincide. */
#ifndef TRIAD_BLOCKS_GRID_H
#define TRIAD_BLOCKS_GRID_H

#include "case/case.h"
#include "case/part.h"
#include "grid/zones.h"

enum { TRIAD_BLOCKS_NAME = 48 };

typedef struct triad_blocks_grid triad_blocks_grid;
typedef struct triad_blocks_map triad_blocks_map; /* map.h */

/* A kind of grid that is made here: one box of cells in which base node (I, J, K) has a position. */
typedef struct triad_blocks_shape {
  triad_word word;
  const char *face[6]; /* what its faces are called: below and above along I, J, K                 */
  const char *more;    /* another patch that patch_of knows, NULL: none                             */
  void (*node)(const triad_blocks_grid *g, const double at[3], double x[3]); /* at: I/N, J/N, K/N        */
  /* 0 .. 6; NULL: the face's own number */
  int (*patch_of)(const triad_blocks_grid *g, int face, const int64_t cell[3]);
  int parts;          /* cells along i are a multiple of this; 0: any number is                   */
  const int *eighths; /* where four blocks along i end, in eighths of the cells; NULL: all alike   */
} triad_blocks_shape;

/* A zone of it: base cells low .. high - 1, whose axis a runs along base axis turn.axis[a]. */
typedef struct triad_blocks_zone_piece {
  int64_t low[3], high[3];
  triad_orientation turn;
} triad_blocks_zone_piece;

struct triad_blocks_grid {
  int n;
  int64_t (*cells)[3]; /* of each zone */
  int *flat;
  double period[3]; /* 0: none */
  int n_shifts;     /* periods that a file has */
  double (*shift)[3];
  int n_patches;
  char (*patch)[TRIAD_BLOCKS_NAME];
  /* made here */
  const triad_blocks_shape *shape;
  triad_blocks_zone_piece *piece;
  int64_t base[3];
  double length[3], origin[3], angle, upstream, radii[2], angles[2], smooth, random;
  int64_t seed;
  /* of an aerofoil: camber, its place, thickness; radius of the far field; clustering */
  double section[3], far, stretch;
  double *table; /* radii of its lines      */
  void *shape_own;
  /* of a file: nodes of zone z, x[z][axis][k][j][i], and which patch each face is or those of a map */
  double **x;
  uint64_t checksum;     /* of all nodes; 0: made here */
  triad_blocks_map *map; /* NULL: there is none */
};

void triad_blocks_grid_destroy(triad_blocks_grid **grid);

/* The two axes along a face across `axis`, in their order. */
static inline void triad_blocks_tangents(int axis, int t[2])
{
  t[0] = axis == 0 ? 1 : 0;
  t[1] = axis == 2 ? 1 : 2;
}

/* Position of a node of a zone, 0 <= node[a] <= cells[a]. */
void triad_blocks_grid_node(const triad_blocks_grid *grid, int zone, const int64_t node[3], double x[3]);

/* "imin", "imax", "jmin" and so on: sides of a block, 2 axis + upper. */
extern const char *const triad_blocks_side_name[6];

/* Corners of the lower or upper face of a cell across an axis, in an order around it, and their mean. */
void triad_blocks_face_corners(const triad_blocks_grid *grid, int zone, const int64_t cell[3], int axis, int upper,
                               double corner[4][3], double middle[3]);

/* The patch that the face of a cell at the boundary of its zone belongs to, if nothing is joined there. */
int triad_blocks_grid_patch(const triad_blocks_grid *grid, int zone, int axis, int upper, const int64_t cell[3]);

/* May it be joined to a face at the same place? A map may say that it is a wall, with another behind it. */
int triad_blocks_grid_may_join(const triad_blocks_grid *grid, int zone, int axis, int upper, const int64_t cell[3]);

/* Zones of the grid, joined where faces coincide, or do so after a shift by a period; not yet dealt to ranks. */
int triad_blocks_grid_zones(triad_zones **out, const triad_blocks_grid *grid);

/* Position of a node that may lie one layer beyond its zone: the neighbour's where a zone is joined, else straight
 * on. */
void triad_blocks_grid_ghost_node(const triad_blocks_grid *grid, const triad_zones *zones, int zone,
                                  const int64_t node[3], double x[3]);

#endif
