/* Faults of a grid and of the description of its faces, reported together (base/faults.h). Not collective, like all
 * functions here. */
#ifndef TRIAD_BLOCKS_FAULTS_H
#define TRIAD_BLOCKS_FAULTS_H

#include "base/faults.h"
#include "blocks/grid.h"

/* Properties of a patch that the caller knows; has_faces is set here. */
typedef struct triad_blocks_patch_mark {
  uint8_t named;     /* a boundary condition is given for it     */
  uint8_t is_wall;   /* and that is a wall                       */
  uint8_t has_faces; /* some of its faces are joined to nothing  */
} triad_blocks_patch_mark;

/* Check the faces of all blocks at the boundaries of their zones; mark[n_patches]. Faults are faces that a map joins
 * to others which are elsewhere, one line of the map each, with the distance; and patches without a name that have
 * open faces. Faces that are a line or a point need nothing. TRIAD_ERR_MEMORY. */
int triad_blocks_check_faces(triad_faults *f, const triad_blocks_grid *grid, const triad_zones *zones,
                             triad_blocks_patch_mark *mark);

/* Check that the cells of blocks from the file `name` have volumes above 0: a fault a block, with the number of such
 * cells and the first. Generated blocks are measured by each rank for its own cells, since one rank would need too
 * long for all of them. */
void triad_blocks_check_cells(triad_faults *f, const triad_blocks_grid *grid, const char *name, int threads);

#endif
