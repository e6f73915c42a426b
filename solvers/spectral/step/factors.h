/* Factors of exact decay and rotation over a time tau: tables, and the factors of one column. */
#ifndef TRIAD_SOLVERS_SPECTRAL_STEP_FACTORS_H
#define TRIAD_SOLVERS_SPECTRAL_STEP_FACTORS_H

#include "solvers/spectral/step/stepper.h"

/* Not collective: the caller agrees. */
int triad_factors_create(triad_factors **out, const triad_flow *flow);
void triad_factors_destroy(triad_factors **factors);

/* Make the tables for a time tau, in which the skew of the layout's modes changes by `skewing` (grid/layout.h); nothing
 * to do if they are for it already. The mean of k_y^2 over the time is exact, (a^2 + a b + b^2)/3 with k_y = a at its
 * start and b at its end. */
void triad_factors_set(triad_factors *factors, double tau, double skewing);

/* exp(-lambda tau) of field f for row j of a block. */
void triad_factors_row(const triad_factors *factors, int f, int64_t block, int64_t j, triad_real e[TRIAD_LANES]);

/* Rotate row j of a block of fields 0 and 1; nothing where the equations have no rotation. */
void triad_factors_turn(const triad_factors *factors, int64_t block, int64_t j, triad_cplx *u0, triad_cplx *u1);

#endif
