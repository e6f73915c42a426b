/* Initial fields: the table of starts is in initial.c, a row each. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_CASE_INITIAL_H
#define TRIAD_SOLVERS_COMPRESSIBLE_CASE_INITIAL_H

#include "solvers/compressible/state/compressible.h"

/* What initial.kind asks for; each kind uses some of the numbers. rho, u, v, w, p at a position x, L the box's
 * lengths:
 *   uniform            `state`
 *   sod, lax           along x, two states apart at L_x/2 (Sod 1978; Lax 1954)
 *   shu-osher          along x from L_x/2 - 4 on, a shock of Mach 3 that runs into rho = 1 + sin(5 (x - L_x/2))/5
 *                      (Shu and
 *                      Osher 1989, J. Comput. Phys. 83, 32, example 8)
 *   entropy-wave       rho = 1 + amplitude prod_i sin(2 pi m x_i/L_i), m = wavenumber, carried with `velocity`; p =
 *                      1/gamma
 *   isentropic-vortex  of strength b = amplitude in the (x, y) plane about the centre, carried with `velocity`:
 *                      u' = b/(2 pi) exp((1 - r^2)/2) (-y, x), rho^(gamma - 1) = 1 - (gamma - 1) b^2/(8 gamma pi^2)
 *                      exp(1 - r^2), p = rho^gamma (Shu 1997, ICASE 97-65, section 5)
 *   taylor-green       solvers/taylor_green.h with V = amplitude and k_i = 2 pi wavenumber/L_i (k_3 = 0 on one point
 *                      along z);
 *                      T uniform, p the pressure of that flow at density 1 about p0 = V^2/(gamma mach^2), rho = p/p0
 *   shock-vortex       a shock of Mach number `mach` at rest at x = L_y/2, and a vortex at (L_y/4, L_y/2) that the
 *                      stream
 *                      carries into it (Jiang and Shu 1996, J. Comput. Phys. 126, 202, example 5; lengths in units
 *                      of L_y)
 *   blast              p = pressure_ratio within `radius` of the centre, 1 outside; rho = 1
 *   turbulence         random solenoidal velocity, see triad_compressible_turbulence; rho = 1, p = 1/gamma */
typedef struct triad_compressible_start {
  char kind[32];
  double amplitude, mach, radius, pressure_ratio, velocity[3], state[TRIAD_COMPRESSIBLE_FIELDS];
  int64_t wavenumber;
  uint64_t seed;
} triad_compressible_start;

/* rho, u, v, w, p at position x, for all kinds but turbulence. */
void triad_compressible_start_state(const triad_compressible_start *start, const triad_compressible_setup *setup,
                                    const double x[3], double state[TRIAD_COMPRESSIBLE_FIELDS]);

/* Set the state of w. Collective. */
int triad_compressible_start_set(triad_compressible *w, const triad_compressible_start *start, char *text, size_t size);

#endif
