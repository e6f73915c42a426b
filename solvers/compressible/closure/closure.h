/* A subgrid model of the gas: rho nu_t is added to the viscosity of the points, so that stress, heat flux, step length
 * and dissipation include it (docs/methods/closures.md). In periodic boxes, on CPUs. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_CLOSURE_CLOSURE_H
#define TRIAD_SOLVERS_COMPRESSIBLE_CLOSURE_CLOSURE_H

#include "solvers/compressible/state/internal.h"

/* Add rho nu_t/viscosity to mu of all points, halos included, from the state u and its primitives, which have halos.
 * Collective. */
int triad_compressible_closure_apply(triad_compressible *w, triad_real *const *u);

/* Means over all points of rho nu_t (|S|^2 - 2/3 (div u)^2) and of nu_t, and the largest nu_t, from the state and its
 * primitives with halos. Collective. */
enum { TRIAD_COMPRESSIBLE_CLOSURE_COLUMNS = 3 };
int triad_compressible_closure_measure(const triad_compressible *w, double out[TRIAD_COMPRESSIBLE_CLOSURE_COLUMNS]);

#endif
