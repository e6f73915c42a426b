/* The phases of a step of `multiblock`, other than exchange and rest, in the order of the tables. */
#ifndef TRIAD_SOLVERS_MULTIBLOCK_STATE_PHASES_H
#define TRIAD_SOLVERS_MULTIBLOCK_STATE_PHASES_H

#include "solvers/laps.h"

/* X(SLOT, name): docs/reference/bench.md describes them. */
#define TRIAD_MULTIBLOCK_PHASES(X) \
  X(BOUNDARIES, "boundaries") \
  X(STATES, "states") \
  X(FLUXES, "fluxes") \
  X(GRADIENTS, "gradients_and_stress") \
  X(UPDATE, "update") \
  X(SWEEP, "states_to_update") \
  X(TEMPERATURE, "temperature") \
  X(IMPLICIT, "implicit") \
  X(SOURCES, "sources") \
  X(CHECKS, "checks")

#define TRIAD_MULTIBLOCK_PHASE(SLOT, name) TRIAD_MULTIBLOCK_PHASE_##SLOT,
enum triad_multiblock_phase {
  TRIAD_MULTIBLOCK_PHASE_BEFORE = TRIAD_PHASES - 1,
  TRIAD_MULTIBLOCK_PHASES(TRIAD_MULTIBLOCK_PHASE)
};
#undef TRIAD_MULTIBLOCK_PHASE

#endif
