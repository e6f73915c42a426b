/* Send all particles of a group to the ranks that own their positions. */
#ifndef TRIAD_SOLVERS_PARTICLES_EXCHANGE_H
#define TRIAD_SOLVERS_PARTICLES_EXCHANGE_H

#include "solvers/particles/group.h"

/* Room for n rows of `width` that leave, in away and to. TRIAD_ERR_MEMORY. Not collective. */
int triad_row_buffers_fit(triad_row_buffers *buffers, int64_t n, int width);
void triad_row_buffers_free(triad_row_buffers *buffers);

/* Exchange rows of `width` doubles: row i of n goes to rank to[i]; both may be the buffers' own. *out has what came,
 * by ranks, until the next call. TRIAD_ERR_MEMORY on all ranks. Collective. */
int triad_rows_exchange(const triad_comm *comm, triad_row_buffers *buffers, int width, int64_t n, const double *rows,
                        const int32_t *to, double **out, int64_t *n_out);

/* Sort records by particle number: this rank gets rows first .. first + *count - 1 of all, with `width` numbers each,
 * from rows[n][1 + width], which have the number of the particle first. *out, malloc'd, [*count][width]; needs memory
 * for some more rows at a time. Collective. */
int triad_particles_by_number(const triad_comm *comm, int64_t all, int width, int64_t n, const double *rows,
                              double **out, int64_t *first, int64_t *count);

#endif
