/* Formulas that are sums of functions of position times functions of time: their modes are computed once. Fields times
 * functions of time are added mode by mode. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_FORMULA_MODES_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_FORMULA_MODES_H

#include "solvers/spectral/force/force_internal.h"

/* Compute the modes of the parts. Collective. */
int triad_force_parts_make(triad_forcing *forcing, triad_flow *flow);

/* at: the force at time t, or, where parts are on a GPU, factors alone, with which sum adds the parts up here.
 * TRIAD_ERR_CASE, on all ranks, where a factor is not finite then. Collective. */
int triad_force_parts_at(triad_forcing *forcing, const triad_flow *flow, double t);
void triad_force_parts_sum(triad_forcing *forcing);

/* The largest rate of fields' factors; the power that they put in (collective). */
double triad_force_linear_rate(const triad_forcing *forcing);
int triad_force_linear_power(triad_forcing *forcing, const triad_flow *flow, double *power);

/* Are any of the part's modes of a component here not 0? */
int triad_force_part_drives(const triad_force_part *part, const triad_forcing *forcing, int component);

#endif
