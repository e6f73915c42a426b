/* The order of a rank's cells: zones, listed cells, cells that have ghost neighbours, ghosts. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_STATE_DOMAIN_CELLS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_STATE_DOMAIN_CELLS_H

#include "solvers/unstructured/state/domain_internal.h"

/* domain_cells.c: sort own cells, find ghosts. coalesce: sort cells in the order of faces, once these are coloured. */
int triad_unstructured_place_cells(triad_unstructured_making *k);
void triad_unstructured_coalesce(triad_unstructured_making *k);

/* Cells at faces to other ranks, sorted by rank and global number: those of the other ranks (own_side 0), or the own
 * ones that they see (1). */
int triad_unstructured_ghosts(const triad_unstructured_domain *d, int own_side, triad_unstructured_ghost **list,
                              int64_t *n);

#endif
