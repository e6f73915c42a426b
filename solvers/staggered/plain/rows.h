/* Loops over rows of cells, with a result that is reduced over threads and ranks. Collective. */
#ifndef TRIAD_SOLVERS_STAGGERED_PLAIN_ROWS_H
#define TRIAD_SOLVERS_STAGGERED_PLAIN_ROWS_H

#include "solvers/staggered/state/mesh.h"

/* Each row by one of the threads; then the results of all ranks, each sum exact and rounded once: the same on any
 * number of threads, and of ranks that leave rows whole. Collective; with no results not. TRIAD_ERR_INTERNAL. */
int triad_staggered_rows(const triad_staggered_mesh *mesh, triad_staggered_row_job *job, void *self, int sums,
                         int maxima, double *results);

#endif
