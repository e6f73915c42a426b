/* Wave functions that a superfluid starts from, by the name in initial.kind (docs/numerics.md section 5):
 *   uniform       sqrt(rho0)
 *   plane-waves   sqrt(rho0) (background + sum_w a_w exp(i k_w x))
 *   taylor-green  the vortex lines of the Taylor-Green flow (Nore, Abid and Brachet 1997, Phys. Fluids 9, 2644)
 *   vortex-ring   solvers/spectral/equations/gpe_ring.h
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

#endif
