/* Vortex rings of a superfluid: read them from the case, and evaluate their wave function at a point. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PLAIN_GPE_RING_H
#define TRIAD_SOLVERS_SPECTRAL_PLAIN_GPE_RING_H

#include "solvers/spectral/start/initial_gpe.h"

/* From 7 numbers a ring: x, y, z of its centre, nx, ny, nz along its normal (of any length), its radius. TRIAD_ERR_CASE
 * where they make no ring that fits the box. Not collective. */
int triad_rings_create(triad_rings *rings, const triad_grid *grid, const double *numbers, int n, double healing_length);

/* psi/sqrt(rho0) at x[3]: the product over rings and their periodic images of
 *   f(d/xi) exp(-i Omega/2)
 * with d the distance from the core line, f^2 = d^2 (a1 + a2 d^2)/(1 + b1 d^2 + a2 d^4) the Pade profile of a straight
 * vortex (Berloff 2004, J. Phys. A 37, 1617), and Omega the solid angle of the ring's disc seen from x: the potential
 * flow about a thin ring. Images reach two boxes far each way. What their sum owes to the shape of that reach is close
 * to a linear phase, which is taken out; a jump of some thousandths of a radian is left in the phase at the sides of
 * the box, more where the ring is nearly as wide as it. */
void triad_rings_psi(const triad_rings *rings, const double x[3], double *re, double *im);

/* Solid angle of a disc of radius R seen from the point at distance s from its axis and height z above it: odd in z,
 * 2 pi at the middle of its upper face. */
double triad_solid_angle(double radius, double s, double z);

#endif
