/* Rules between the keys of a case of the spectral solvers (keys.c). */
#ifndef TRIAD_SOLVERS_SPECTRAL_PLAIN_RULES_H
#define TRIAD_SOLVERS_SPECTRAL_PLAIN_RULES_H

#include "solvers/spectral/part.h"

/* rules.c: what must hold between its keys; an error of the case for each that does not. Not collective. */
void triad_spectral_rules(triad_case *c);

#endif
