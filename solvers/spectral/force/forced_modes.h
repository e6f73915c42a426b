/* The modes of this rank on which a force acts. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_FORCED_MODES_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_FORCED_MODES_H

#include "solvers/spectral/force/force_internal.h"

/* Longest steps: a dt^2 = cfl dx of an acceleration a; sqrt(2 P dt) dt = cfl dx of a power P. */
double triad_force_longest_pushed(double acceleration, double spacing, double cfl);
double triad_force_longest_powered(const triad_forcing *forcing, double cfl);

#endif
