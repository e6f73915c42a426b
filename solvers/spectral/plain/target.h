/* [target]: choose viscosity, power and grid for a given Re_lambda and k_max eta, and describe the choice
 * (docs/methods/forcing.md). */
#ifndef TRIAD_SOLVERS_SPECTRAL_PLAIN_TARGET_H
#define TRIAD_SOLVERS_SPECTRAL_PLAIN_TARGET_H

#include "solvers/spectral/part.h"

/* target.c: the keys that [target] stands for, where the case does not give them, and errors where it cannot; why
 * they are what they are. Not collective. */
void triad_target_choose(triad_case *c);
void triad_target_describe(const triad_case *given, const triad_grid *grid, triad_log *log);

#endif
