/* Fields at particles: a pass transforms modes, divided by the spline's transform or unchanged, to planes of points,
 * of which only a few exist at a time, and sums them at the particles of each plane. If nothing is divided, it can be
 * the pass of the step, which computes the velocity at points anyway.
 *
 * A particle with m points along an axis needs m planes. Those whose planes all belong to this rank are summed during
 * the pass; the first and last m - 1 planes of each rank are saved, and sent after the pass to the ranks whose
 * particles need them. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PARTICLES_GATHER_H
#define TRIAD_SOLVERS_SPECTRAL_PARTICLES_GATHER_H

#include "solvers/spectral/flow.h"
#include "solvers/spectral/plain/groups.h"

enum { TRIAD_GATHER_FIELDS = 3, TRIAD_GATHER_TERMS = 2 };

/* sign (d/dx_along) field, or sign field where along is -1; from: modes of the flow's layout. */
typedef struct triad_gather_term {
  const triad_cplx *from;
  int along;
  double sign;
} triad_gather_term;

/* The request of a group: up to three sums of terms, to out[i * stride + f] for particle i, with stride in doubles. */
typedef struct triad_gather_want {
  int n; /* fields */
  struct {
    int n;
    triad_gather_term term[TRIAD_GATHER_TERMS];
  } field[TRIAD_GATHER_FIELDS];
} triad_gather_want;

typedef struct triad_gather triad_gather;

/* For groups of `order` points along an axis, at most. The flow outlives it. TRIAD_ERR_MEMORY. Collective. */
int triad_gather_create(triad_gather **out, triad_flow *flow, int order);
void triad_gather_destroy(triad_gather **gather, triad_memory *memory); /* accepts NULL */

/* The fields at the particles of those of groups[n] that have splines of order `divided`, or of those whose fields
 * are not divided (0), which must have been sorted: to offset of each record, or to out[group][i * n + f] where out
 * is given. The pass must take three fields. Collective. */
int triad_gather_run(triad_gather *gather, triad_pass *pass, const triad_gather_want *want, int divided, int n,
                     triad_group *groups, int offset, double *const *out);

/* The same in two parts, around another pass whose first fields are those requested: in between that passes on its
 * points and its planes, as in triad_work, triad_gather_together of them at a time. finish is collective. */
void triad_gather_begin(triad_gather *gather, int fields, int divided, int n, triad_group *groups, int offset,
                        double *const *out);
void triad_gather_points(void *gather, const triad_patch *at, triad_real *const *in, double *peaks);
void triad_gather_planes(void *gather, int64_t begin, int64_t end);
int64_t triad_gather_together(const triad_gather *gather);
int triad_gather_finish(triad_gather *gather);

/* Reals that it takes, for a plan of memory. */
int64_t triad_gather_reals(const triad_layout *layout, int threads, int order);

#endif
