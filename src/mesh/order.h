/* In what order a rank works on its cells. Not collective. */
#ifndef TRIAD_MESH_ORDER_H
#define TRIAD_MESH_ORDER_H

#include "mesh/mesh.h"

typedef enum triad_mesh_numbering {
  TRIAD_MESH_RCM,      /* reverse Cuthill-McKee: neighbours near each other, for caches */
  TRIAD_MESH_MORTON,   /* along Morton's curve through the cells' centres               */
  TRIAD_MESH_COALESCED /* from the first, by colours of faces: domain.c                 */
} triad_mesh_numbering;

/* The cube round all centres: its low corner and its side; of a part, whose centres need not be known yet, that of
 * the whole. */
void triad_mesh_bounding_cube(const triad_mesh *mesh, double cube[4]);

/* A cell's place along Hilbert's curve (Skilling 2004, AIP Conf. Proc. 707, 381). */
typedef struct triad_mesh_curve_place {
  uint64_t key; /* below 2^TRIAD_MESH_KEY_BITS */
  int32_t cell;
} triad_mesh_curve_place;

enum { TRIAD_MESH_KEY_BITS = 60 };

/* Cells list[n], NULL: the first n, by key and number: places[n]. Centres are known, and the box, where the mesh is
 * not the whole. */
void triad_mesh_sort_along_curve(const triad_mesh *mesh, const int32_t *list, int64_t n,
                                 triad_mesh_curve_place *places);

/* Put the cells list[n] of one rank in the order of a numbering. TRIAD_ERR_MEMORY. */
int triad_mesh_order_cells(const triad_mesh *mesh, triad_mesh_numbering numbering, int32_t *list, int64_t n);

/* A colour for each of n faces, such that no two of a colour share a cell: the lowest that is free at both.
 * cell[i][1] may be -1. Returns how many there are; taken[cells] is 0 before. TRIAD_MESH_COLOURS are enough for
 * cells of half as many faces; where they are not, those without one share the last, and it returns one more than
 * there are. */
enum { TRIAD_MESH_COLOURS = 64 };
int triad_mesh_colour_faces(const int32_t (*cell)[2], int64_t n, uint64_t *taken, uint8_t *colour);

/* How many different 32-byte sectors a warp of 32 threads asks for when it reads an 8-byte value of the cell on one
 * side of 32 faces that follow one another: 8 at best, 32 at worst; the mean over warps. */
double triad_mesh_count_sectors(const int32_t (*cell)[2], int64_t n, int side);

#endif
