/* Random solenoidal velocities as a sum of modes, axis by axis. The spectrum decays so fast that few modes are
 * needed. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_CASE_TURBULENCE_H
#define TRIAD_SOLVERS_COMPRESSIBLE_CASE_TURBULENCE_H

#include "solvers/compressible/case/initial.h"

/* A solenoidal velocity whose energy spectrum is that of the seed paper's decay runs,
 *   E(k) = 16 sqrt(2/pi) u0^2/k0 (k/k0)^4 exp(-2 (k/k0)^2),   u0 = amplitude, k0 = wavenumber of the box,
 * the energy being 3 u0^2/2 and every shell round(|k|) of integer wavenumbers holding exactly its share. Each mode
 * has a random direction across k and a random phase, drawn by seed and k (base/random.h), so that the field is the
 * same on any number of ranks and on any grid that holds the modes. div u = 0 of the trigonometric polynomial,
 * exactly. u, v, w: real [z][y][x] of the own points. text: what the field is. TRIAD_ERR_CASE, TRIAD_ERR_MEMORY.
 * Collective. */
int triad_compressible_turbulence(const triad_compressible *w, const triad_compressible_start *start,
                                  triad_real *const velocity[3], char *text, size_t size);

#endif
