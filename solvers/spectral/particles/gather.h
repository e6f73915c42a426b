/* Fields at particles: a pass that takes modes, divided by the spline's transform, to planes of points, of which there are
 * never more than a few at a time, and sums them at the particles of each plane while they are there.
 *
 * A particle of spline order m needs m planes. Those whose planes all belong to this rank are summed while the pass goes on;
 * the m - 1 first and last planes of each rank are kept, and go to the ranks whose particles need them, once it is over. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PARTICLES_GATHER_H
#define TRIAD_SOLVERS_SPECTRAL_PARTICLES_GATHER_H

#include "solvers/spectral/flow.h"
#include "solvers/spectral/particles/groups.h"

enum { TRIAD_GATHER_FIELDS = 3, TRIAD_GATHER_TERMS = 2 };

/* sign (d/dx_along) field, or sign field where along is -1; from: modes of the flow's layout. */
typedef struct triad_gather_term {
  const triad_cplx *from;
  int along;
  double sign;
} triad_gather_term;

/* What is wanted of a group: up to three sums of terms, to out[i * stride + f] of particle i, with stride in doubles. */
typedef struct triad_gather_want {
  int n; /* fields */
  struct {
    int n;
    triad_gather_term term[TRIAD_GATHER_TERMS];
  } field[TRIAD_GATHER_FIELDS];
} triad_gather_want;

typedef struct triad_gather triad_gather;

/* For groups of orders up to `order`. The flow outlives it. TRIAD_ERR_MEMORY. Collective. */
int triad_gather_create(triad_gather **out, triad_flow *flow, int order);
void triad_gather_destroy(triad_gather **gather, triad_memory *memory); /* accepts NULL */

/* The fields at the particles of those of groups[n] that are of `order`, which must have been sorted: to offset of each
 * record, or to out[group][i * n + f] where out is given. The pass must take three fields. Collective. */
int triad_gather_run(triad_gather *gather, triad_pass *pass, const triad_gather_want *want, int order, int n,
                     triad_group *groups, int offset, double *const *out);

/* Reals that it takes, for a plan of memory. */
int64_t triad_gather_reals(const triad_layout *layout, int threads, int order);

#endif
