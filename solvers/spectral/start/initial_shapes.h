/* Initial fields with a shape in space, which need all modes: the shear layer and the puff. */
#ifndef TRIAD_SOLVERS_SPECTRAL_START_INITIAL_SHAPES_H
#define TRIAD_SOLVERS_SPECTRAL_START_INITIAL_SHAPES_H

#include "solvers/spectral/flow.h"

/* Two layers of opposite shear, as a periodic box requires, with A = initial.amplitude, d = initial.width, e =
 * initial.disturbance and k_1 = 2 pi m/L_x, m = initial.wavenumber:
 *   u = A p(z),  w = e A cos(k_1 x),  theta = initial.theta_amplitude p(z)
 *   p(z) = sum over the periods of tanh((z - L_z/4)/d) - tanh((z - 3 L_z/4)/d) - 1, less its mean
 * from its coefficients: dp/dz has (1/L_z) pi k d/sinh(pi k d/2) (exp(-i k L_z/4) - exp(-i k 3 L_z/4)). Adds to the
 * existing fields. TRIAD_ERR_CASE if the grid does not keep the disturbance. Not collective. */
int triad_initial_shear_layer(triad_flow *flow);

/* s = A exp(-|x - x0|^2/(2 d^2)), summed over the periods, less its mean, for theta or each passive scalar s; x0 =
 * initial.centre in parts of the box, d = initial.width. Along an axis of one point it is uniform. Not collective. */
int triad_initial_puff(triad_flow *flow);

/* Whether the grid keeps the disturbance. TRIAD_ERR_CASE. Not collective. */
int triad_initial_shear_layer_check(const triad_case *given, const triad_grid *grid);

#endif
