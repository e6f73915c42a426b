/* What is wrong with a case's grid and with what it says of its faces, told in one go (base/faults.h). */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_FAULTS_H
#define TRIAD_SOLVERS_MULTIBLOCK_FAULTS_H

#include "solvers/multiblock/patches.h"
#include "solvers/needs.h"

/* Faces of all blocks at the boundaries of their zones: those that a map joins to others which are not there, a line of the map each, with
 * the distance; patches that have faces joined to nothing and are not named. Faces that are a line or a point want nothing.
 * Notes which patches have faces. TRIAD_ERR_MEMORY. Not collective, as all here. */
int triad_mb_faults_of_faces(triad_faults *f, const triad_mb_grid *grid, const triad_zones *zones, triad_mb_patches *patches);

/* Cells without a volume above 0 of blocks from the file `name`: of each block how many, and the first. Blocks that are made here are
 * measured where they are used (metrics.c), for one rank's time would not do for all of them. */
void triad_mb_faults_of_cells(triad_faults *f, const triad_mb_grid *grid, const char *name, int threads);

/* nearmiss.c: a doubt where faces of a file that are no walls are nearly at one place, and are not joined: one of them. TRIAD_ERR_MEMORY. */
int triad_mb_doubt_misses(triad_doubts *doubts, const triad_mb_grid *grid, const triad_zones *zones, const triad_mb_patches *patches);

#endif
