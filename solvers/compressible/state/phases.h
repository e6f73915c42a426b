/* The phases of a step of `compressible`, other than exchange and rest, in the order of the tables. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_STATE_PHASES_H
#define TRIAD_SOLVERS_COMPRESSIBLE_STATE_PHASES_H

#include "solvers/laps.h"

/* X(SLOT, name): docs/reference/bench.md describes them. */
#define TRIAD_COMPRESSIBLE_PHASES(X) \
  X(BOUNDARIES, "boundaries") \
  X(PRIMITIVES, "primitives") \
  X(RECONSTRUCTION, "reconstruction") \
  X(FLUX, "flux") \
  X(BOTH, "reconstruction_and_flux") \
  X(VISCOUS, "viscous") \
  X(UPDATE, "update") \
  X(RATES, "reconstruction_to_update") \
  X(CLOSURE, "subgrid_model") \
  X(SOURCES, "sources") \
  X(CHECKS, "checks")

#define TRIAD_COMPRESSIBLE_PHASE(SLOT, name) TRIAD_COMPRESSIBLE_PHASE_##SLOT,
enum triad_compressible_phase {
  TRIAD_COMPRESSIBLE_PHASE_BEFORE = TRIAD_PHASES - 1,
  TRIAD_COMPRESSIBLE_PHASES(TRIAD_COMPRESSIBLE_PHASE)
};
#undef TRIAD_COMPRESSIBLE_PHASE

#endif
