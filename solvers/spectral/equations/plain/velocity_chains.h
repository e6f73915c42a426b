/* Chains among the products of sets with an incompressible velocity. */
#ifndef TRIAD_SOLVERS_SPECTRAL_EQUATIONS_PLAIN_VELOCITY_CHAINS_H
#define TRIAD_SOLVERS_SPECTRAL_EQUATIONS_PLAIN_VELOCITY_CHAINS_H

#include "solvers/spectral/plain/shape.h"

/* Chains among the products of a set (transpose/plain/chains.h): those of the stress, followed by `behind` single
 * products, and those of scalar fluxes, whose number the set fills in. */
enum { TRIAD_CHAINS_OF_STRESS, TRIAD_CHAINS_OF_SCALARS };
triad_chains triad_velocity_chains(int behind);

/* The number of the sum of these chains that is minus a part of the rate of a field, so that a force at points on that
 * field is subtracted from it (fft/pass/pass.h): of u, v and scalars; -1: none, as of w. */
int triad_velocity_sum_of(const triad_shape *shape, int field);

#endif
