/* Wave functions that a superfluid starts from, by the name in initial.kind
 *   (docs/methods/initial-fields.md#random-fields-and-vortices): uniform       sqrt(rho0)
 *   plane-waves   sqrt(rho0) (background + sum_w a_w exp(i k_w x))
 *   taylor-green  the vortex lines of the Taylor-Green flow (Nore, Abid and Brachet 1997, Phys. Fluids 9, 2644)
 *   vortex-ring   sqrt(rho0) times the wave function of vortex rings, below
 *   random        sqrt(rho0) exp(i phi), phi random: the velocity 2 alpha grad phi has the spectrum asked for */
#ifndef TRIAD_SOLVERS_SPECTRAL_START_INITIAL_GPE_H
#define TRIAD_SOLVERS_SPECTRAL_START_INITIAL_GPE_H

#include "base/log.h"
#include "solvers/spectral/flow.h"

/* Set psi. TRIAD_ERR_CASE. Collective. */
int triad_gpe_start_uniform(triad_flow *flow, triad_log *log);
int triad_gpe_start_waves(triad_flow *flow, triad_log *log);
int triad_gpe_start_vortex_lines(triad_flow *flow, triad_log *log); /* taylor-green */
int triad_gpe_start_rings(triad_flow *flow, triad_log *log);
int triad_gpe_start_random_phase(triad_flow *flow, triad_log *log);

/* Does what the case asks for fit its grid? TRIAD_ERR_CASE. Not collective. */
int triad_gpe_check_waves(const triad_case *given, const triad_grid *grid);
int triad_gpe_check_vortex_lines(const triad_case *given, const triad_grid *grid);
int triad_gpe_check_rings(const triad_case *given, const triad_grid *grid);

/* ---- vortex rings in a periodic box: gpe_ring.c ---- */

enum { TRIAD_MAX_RINGS = 10, TRIAD_RING_NUMBERS = 7 };

typedef struct triad_ring {
  double center[3], normal[3], radius; /* it travels along its normal */
  double slope[3];                     /* of the phase, taken out so that the phase is periodic */
} triad_ring;

typedef struct triad_rings {
  int count;
  triad_ring ring[TRIAD_MAX_RINGS];
  double length[3], healing_length;
} triad_rings;

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
