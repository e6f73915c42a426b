/* Numberings of the cells of a rank, and colours of faces. Not collective. */
#ifndef TRIAD_MESH_ORDER_H
#define TRIAD_MESH_ORDER_H

#include "mesh/mesh.h"

typedef enum triad_mesh_numbering {
  TRIAD_MESH_RCM,      /* reverse Cuthill-McKee: neighbours get close numbers, for caches */
  TRIAD_MESH_MORTON,   /* along Morton's curve through the cell centres */
  TRIAD_MESH_COALESCED /* by colours of faces, from the first cell on: solvers/unstructured */
} triad_mesh_numbering;

/* The cube around all cell centres: its low corner and its side. For a part it is that of the whole mesh, and centres
 * need not be known yet. */
void triad_mesh_bounding_cube(const triad_mesh *mesh, double cube[4]);

/* A cell's index along Hilbert's curve (Skilling 2004, AIP Conf. Proc. 707, 381). */
typedef struct triad_mesh_curve_place {
  uint64_t key; /* below 2^TRIAD_MESH_KEY_BITS */
  int32_t cell;
} triad_mesh_curve_place;

enum { TRIAD_MESH_KEY_BITS = 60 };

/* Sort the cells list[n] (NULL: the first n) by key, then number: places[n]. Centres must be known; for a part also
 * the cube around the whole mesh. */
void triad_mesh_sort_along_curve(const triad_mesh *mesh, const int32_t *list, int64_t n,
                                 triad_mesh_curve_place *places);

/* Sort the cells list[n] of one rank by a numbering. TRIAD_ERR_MEMORY. */
int triad_mesh_order_cells(const triad_mesh *mesh, triad_mesh_numbering numbering, int32_t *list, int64_t n);

/* Give each of n faces the lowest colour that no other face of its two cells has. cell[i][1] may be -1; taken[cells]
 * must be 0. Returns the number of colours. TRIAD_MESH_COLOURS suffice for cells with half as many faces; if not,
 * faces without a colour share the last one and the result is one more than the number of colours. */
enum { TRIAD_MESH_COLOURS = 64 };
int triad_mesh_colour_faces(const int32_t (*cell)[2], int64_t n, uint64_t *taken, uint8_t *colour);

/* Mean number of different 32-byte sectors that a warp of 32 threads reads when it loads an 8-byte value of the cell
 * on one side of 32 consecutive faces: 8 at best, 32 at worst. */
double triad_mesh_count_sectors(const int32_t (*cell)[2], int64_t n, int side);

#endif
