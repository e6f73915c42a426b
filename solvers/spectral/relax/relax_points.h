/* Bodies and sponges in a stage: their terms at points, the rates of modes. at and settle accept NULL: no bodies and no
 * sponges. */
#ifndef TRIAD_SOLVERS_SPECTRAL_RELAX_RELAX_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_RELAX_RELAX_POINTS_H

#include "solvers/spectral/relax/relax.h"

/* In a stage at time t. at: prepare it; first: it is the first one, which the length of the step depends on. points:
 * the terms at the points of a row, out[result], which are not set if none of them is at a body or in a sponge: missed
 * then returns 1 on the same thread. settle: reduce over ranks; TRIAD_ERR_CASE if a formula has an invalid value. hold:
 * remove the means of forces from the sums of the set, before its rates of row j of a block. rates: add the terms left
 * to these rates, from their results. at and settle are collective. */
int triad_relaxation_at(triad_relaxation *relaxation, const triad_flow *flow, double t, int first);
void triad_relaxation_points(triad_relaxation *relaxation, const triad_flow *flow, const triad_patch *at,
                             triad_real *const *in, triad_real *const *out);
int triad_relaxation_missed(const triad_relaxation *relaxation);
int triad_relaxation_settle(triad_relaxation *relaxation, const triad_flow *flow);
void triad_relaxation_hold(const triad_relaxation *relaxation, const triad_flow *flow, const triad_batch *block,
                           int64_t j, triad_cplx *const *results);
void triad_relaxation_rates(const triad_relaxation *relaxation, const triad_flow *flow, const triad_batch *block,
                            int64_t j, const triad_cplx *const *results, triad_lane_row *rates);

/* TRIAD_ERR_CASE if a formula had an invalid value; the means of the host's fields. Collective. */
int triad_relax_good(triad_relaxation *relaxation, const triad_flow *flow);
int triad_relax_means(triad_relaxation *relaxation, const triad_flow *flow);

#endif
