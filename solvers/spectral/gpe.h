/* What the files of the Gross-Pitaevskii set share. */
#ifndef TRIAD_SOLVERS_SPECTRAL_GPE_H
#define TRIAD_SOLVERS_SPECTRAL_GPE_H

#include "solvers/spectral/equations.h"

/* dpsi/dt = i (mu psi - beta |psi|^2 psi + alpha lap psi) from sound speed c, healing length xi, mean density rho0:
 *   alpha = c xi/sqrt 2, beta = c/(xi sqrt 2 rho0), mu = beta rho0 = c/(xi sqrt 2)      (docs/numerics.md eq. 20) */
typedef struct triad_gpe_constants {
  double alpha, beta, mu, sound_speed, healing_length, density;
} triad_gpe_constants;

#define triad_gpe_from_case TRIAD_NAME(gpe_from_case)
triad_gpe_constants triad_gpe_from_case(const triad_case *given);

enum { TRIAD_GPE_RE, TRIAD_GPE_IM };

#endif
