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

#endif
