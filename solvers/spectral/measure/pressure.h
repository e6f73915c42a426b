/* The pressure of an incompressible flow over its density, of mean zero (docs/methods/spectral.md#the-nonlinear-term):
 * of a conducting fluid its own, without |B|^2/2. By products at the points, as steps make them, so with the same
 * truncation. Forces of [forcing] have no divergence, and no part in it. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_PRESSURE_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_PRESSURE_H

#include "solvers/spectral/equations/velocity_points.h"
#include "solvers/spectral/flow.h"

enum { TRIAD_PRESSURE_PRODUCTS = TRIAD_STRESS_PRODUCTS, TRIAD_PRESSURE_TERMS = TRIAD_STRESS_TERMS /* at once */ };

/* Its modes, out[layout->modes], of the state on the host: two passes, of five products and of one. Collective. */
int triad_pressure(triad_flow *flow, triad_cplx *out);

#endif
