/* Bodies and sponges in the periodic box: terms -rate(x, t) (q - target(x, t)) at the points of every stage, for the
 * fields q that each relaxes (docs/methods/bodies-and-sponges.md). A body has the rate chi/eta, chi a smooth mask,
 * and the target of its own velocity. A sponge has a rate and targets that the case gives. The term is evaluated in
 * the last pass of a stage, where the fields are at points, and transformed together with the products. Vectors are
 * then made divergence-free; the mean of a velocity is held, so a uniform acceleration makes up for the mean of the
 * term. All but points and rates accept NULL: no bodies and no sponges. */
#ifndef TRIAD_SOLVERS_SPECTRAL_RELAX_RELAX_H
#define TRIAD_SOLVERS_SPECTRAL_RELAX_RELAX_H

#include "solvers/spectral/flow.h"

typedef struct triad_relaxation triad_relaxation;

/* The number of bodies and sponges of a case; the number of results at points that a pass has for them, one for each
 * field that is relaxed. left: those that are transformed along z, as the others are subtracted from sums of chains
 * (fft/pass/pass.h). Not collective. */
int triad_relaxation_wanted(const triad_case *given);
int triad_relaxation_results(const triad_case *given, const triad_shape *shape, int *left);

/* The same of a pass of a flow; 0 for NULL. The first of them are those left. */
int triad_relaxation_count(const triad_relaxation *relaxation);
int triad_relaxation_left(const triad_relaxation *relaxation);

/* For each of the others, the sum that it is subtracted from. */
const int *triad_relaxation_sums(const triad_relaxation *relaxation);

/* Rules of the case that need no file; what is wrong otherwise, such as a surface that is not closed. The largest rate
 * of bodies [1/time]. Not collective. */
void triad_relaxation_rules(triad_case *c);
int triad_relaxation_check(const triad_case *given, const triad_grid *grid, const triad_shape *shape);
double triad_relaxation_body_rate(const triad_case *given, const triad_grid *grid, const triad_shape *shape);

/* Warn of bodies that are thinner than twice their mask is wide: the flow passes through them. Not collective. */
void triad_relaxation_warn(const triad_case *given, const triad_grid *grid, triad_case_warnings *warnings);

/* Append the columns of bodies and sponges to a shape. Not collective. */
int triad_relaxation_columns(triad_shape *shape, const triad_case *given);

/* Create those of a case, for a flow at rest whose fields may be overwritten. Collective, as destroy. */
int triad_relaxation_create(triad_relaxation **out, triad_flow *flow);
void triad_relaxation_destroy(triad_relaxation **relaxation, triad_context *context);

/* Log what they are. Not collective. */
void triad_relaxation_describe(const triad_relaxation *relaxation, const triad_flow *flow, triad_log *log);

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

/* Integrate the work over a stage with the coefficients of the scheme, so that it has the order of the scheme; the work
 * of all relaxed fields in the last step [U^2]. Not collective. */
void triad_relaxation_stage(triad_relaxation *relaxation, const triad_flow *flow, const triad_scheme *scheme, int stage,
                            double dt);
double triad_relaxation_work(const triad_relaxation *relaxation);

/* The longest step: the terms are explicit, so it is a part of the stability limit of the scheme on the real axis over
 * the largest rate. */
double triad_relaxation_longest(const triad_relaxation *relaxation, const triad_scheme *scheme);

/* Of the current state: the power that they put in [U^2/T], and their columns. Collective. */
int triad_relaxation_measure(triad_relaxation *relaxation, triad_flow *flow, double *power);
void triad_relaxation_series(const triad_relaxation *relaxation, const triad_flow *flow, double *columns);

#endif
