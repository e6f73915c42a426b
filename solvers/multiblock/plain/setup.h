/* Parameters of a flow, read from its case; its grid. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_PLAIN_SETUP_H
#define TRIAD_SOLVERS_MULTIBLOCK_PLAIN_SETUP_H

#include "solvers/multiblock/state/flow.h"

/* TRIAD_ERR_CASE and others. Not collective. */
int triad_multiblock_setup_read(triad_multiblock_setup *setup, const triad_case *given);

/* The grid of a case, its zones assigned to `size` ranks. Not collective. */
int triad_multiblock_zones_of(triad_blocks_grid **grid, triad_zones **zones, const triad_case *given, int size);

/* The axis that alpha turns to: 1 y, 2 z. */
int triad_multiblock_up(const triad_case *given, const triad_blocks_grid *grid);

/* triad_solver.grid_write */
int triad_multiblock_grid_write(const triad_case *given, const char *path, int ranks);

/* Will limiters be frozen (step/freeze.h)? */
int triad_multiblock_freezes(const triad_multiblock_setup *setup);

/* The factor of mu S^2/(rho V) in the rate of a cell: 4 of the faster of stress and conduction keeps explicit steps
 * stable; an implicit step has 2. */
double triad_multiblock_diffusion(const triad_multiblock_setup *setup);

#endif
