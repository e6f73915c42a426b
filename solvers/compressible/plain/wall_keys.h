/* The keys of walls whose temperature or velocity is a formula. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_PLAIN_WALL_KEYS_H
#define TRIAD_SOLVERS_COMPRESSIBLE_PLAIN_WALL_KEYS_H

#include "case/case.h"

extern const char triad_compressible_temperature_key[], triad_compressible_velocity_key[];

/* Has a case such walls? */
int triad_compressible_walls_wanted(const triad_case *given);

#endif
