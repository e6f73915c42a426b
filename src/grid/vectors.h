/* States as vectors: what time schemes and iterative solvers are made of. Host copies; entries that the space's runs
 * hold, ghosts and padding are left as they are. States go together that have as many fields, each of the same space.
 * Compiled in both precisions. */
#ifndef TRIAD_GRID_VECTORS_H
#define TRIAD_GRID_VECTORS_H

#include "base/precision.h"
#include "grid/state.h"
#include "parallel/comm.h"

/* y <- y + a x. Not collective. */
int triad_state_axpy(triad_state *y, double a, triad_state *x, int threads);

/* y <- sum over i of a[i] x[i], i = 0 .. n - 1, added in this order; y may be one of them. At most TRIAD_COMBINE_MOST.
 * TRIAD_ERR_INTERNAL for more, or states that do not fit. Not collective. */
enum { TRIAD_COMBINE_MOST = 8 };
int triad_state_combine(triad_state *y, int n, const double *a, triad_state *const *x, int threads);

/* The sum over all fields and entries of weight x y, of complex numbers Re conj(x) y. Terms are rounded products, their
 * sum is exact and rounded once: the same bits on any number of ranks and threads. Collective, the same on all ranks. */
int triad_state_dot(const triad_comm *comm, triad_state *x, triad_state *y, int threads, double *out);

#endif
