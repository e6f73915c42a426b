/* Boundary conditions of a grid: the patches of a case, "wing + tip: slip" and "far: farfield, mach=0.8", matched with
 * the names in the grid. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_PLAIN_PATCHES_H
#define TRIAD_SOLVERS_MULTIBLOCK_PLAIN_PATCHES_H

#include "base/faults.h"
#include "solvers/multiblock/points/kinds.h"
#include "solvers/multiblock/plain/exact.h"
#include "blocks/faults.h"

enum { TRIAD_MULTIBLOCK_MOST_PATCHES = 64 };

typedef struct triad_multiblock_patch {
  triad_multiblock_boundary kind;
  double given[TRIAD_MULTIBLOCK_EXACT_FIELDS]; /* rho, u, v, w, p of the stream */
  double pressure, temperature;                /* of an outflow, of a wall (0: adiabatic); total */
  double along[3];                             /* unit vector of the stream     */
  double velocity[3];                          /* of a wall along itself        */
  int is_wall;                                 /* forces on it are counted      */
  int has_faces, named;                        /* that nothing is joined to; by its own name, not by "*" */
  int wall; /* number of a named wall, from 1, patches of one name being one; 0: none */
} triad_multiblock_patch;

typedef struct triad_multiblock_patches {
  int n;
  triad_multiblock_patch *patch; /* by number, as the grid has them */
  int n_walls, others;           /* named walls; are there any besides? */
  int reference;                 /* the first with a stream, whose state coefficients refer to; -1: none */
} triad_multiblock_patches;

/* Those of a case for a grid, with `up` the axis that alpha turns to. Unknown names, kinds and keys are added to the
 * faults, and a start from a stream that no patch has. TRIAD_ERR_MEMORY. Not collective. */
int triad_multiblock_patches_read(triad_multiblock_patches *patches, const triad_case *given,
                                  const triad_blocks_grid *grid, const triad_multiblock_exact *exact, int up,
                                  triad_faults *faults);

/* triad_blocks_check_faces of a grid with these patches, which notes those that have faces. */
int triad_multiblock_patches_check(triad_multiblock_patches *patches, triad_faults *faults,
                                   const triad_blocks_grid *grid, const triad_zones *zones);
/* triad_blocks_find_near_miss of them. */
int triad_multiblock_patches_near_miss(const triad_multiblock_patches *patches, char *text, size_t size,
                                       const triad_blocks_grid *grid, const triad_zones *zones);

/* Number the named walls that have faces. */
void triad_multiblock_patches_number(triad_multiblock_patches *patches, const triad_blocks_grid *grid);
/* The first patch of this one's name. */
int triad_multiblock_same_name(const triad_blocks_grid *grid, int patch);
void triad_multiblock_patches_free(triad_multiblock_patches *patches);

#endif
