/* Bodies and sponges in the periodic box: terms -rate(x, t) (q - target(x, t)) at the points of every stage, for the
 * fields q that each relaxes (docs/methods/bodies-and-sponges.md). A body has the rate chi/eta, chi a smooth mask,
 * and the target of its own velocity. A sponge has a rate and targets that the case gives. The term is evaluated in
 * the last pass of a stage, where the fields are at points, and transformed together with the products. Vectors are
 * then made divergence-free; the mean of a velocity is held, so a uniform acceleration makes up for the mean of the
 * term. Functions here accept NULL: no bodies and no sponges. */
#ifndef TRIAD_SOLVERS_SPECTRAL_RELAX_RELAX_H
#define TRIAD_SOLVERS_SPECTRAL_RELAX_RELAX_H

#include "solvers/spectral/flow.h"

typedef struct triad_relaxation triad_relaxation;

/* The number of results at points that a pass of a flow has for them; 0 for NULL. The first of them are those that are
 * transformed along z (plain/relax_case.h). */
int triad_relaxation_count(const triad_relaxation *relaxation);
int triad_relaxation_left(const triad_relaxation *relaxation);

/* For each of the others, the sum that it is subtracted from. */
const int *triad_relaxation_sums(const triad_relaxation *relaxation);

/* Create the bodies and sponges of a case, for a flow at rest whose fields may be overwritten. Collective, as is
 * destroy. */
int triad_relaxation_create(triad_relaxation **out, triad_flow *flow);
void triad_relaxation_destroy(triad_relaxation **relaxation, triad_context *context);

/* Log what they are. Not collective. */
void triad_relaxation_describe(const triad_relaxation *relaxation, const triad_flow *flow, triad_log *log);

/* Integrate the work over a stage with the coefficients of the scheme, so that it has the order of the scheme; the work
 * of all relaxed fields in the last step [U^2]. Not collective. */
void triad_relaxation_stage(triad_relaxation *relaxation, const triad_scheme *scheme, int stage, double dt);
double triad_relaxation_work(const triad_relaxation *relaxation);

/* The longest step: the terms are explicit, so it is a part of the stability limit of the scheme on the real axis over
 * the largest rate. */
double triad_relaxation_longest(const triad_relaxation *relaxation, const triad_scheme *scheme);

/* Measure the power that they put into the current state [U^2/T], and the numbers of their columns. Collective. */
int triad_relaxation_measure(triad_relaxation *relaxation, triad_flow *flow, double *power);

#endif
