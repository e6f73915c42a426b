/* The phases of a step of `staggered`, other than exchange and rest, in the order of the tables. */
#ifndef TRIAD_SOLVERS_STAGGERED_STATE_PHASES_H
#define TRIAD_SOLVERS_STAGGERED_STATE_PHASES_H

#include "solvers/phases.h"

/* X(SLOT, name): docs/reference/bench.md describes them. */
#define TRIAD_STAGGERED_PHASES(X) \
  X(MOMENTUM, "advection_and_diffusion") \
  X(DIFFUSION, "diffusion") \
  X(HEAT, "heat") \
  X(FORCING, "forcing") \
  X(CLOSURE, "subgrid_model") \
  X(DIVERGENCE, "divergence") \
  X(DIRECTION, "pressure_direction") \
  X(DESCENT, "pressure_descent") \
  X(TRANSFORM, "pressure_transform") \
  X(SUMS, "pressure_sums") \
  X(PRESSURE, "pressure_solve") \
  X(PROJECTION, "projection") \
  X(CHECKS, "checks") \
  X(SAMPLES, "profiles")

#define TRIAD_STAGGERED_PHASE(SLOT, name) TRIAD_STAGGERED_PHASE_##SLOT,
enum triad_staggered_phase {
  TRIAD_STAGGERED_PHASE_BEFORE = TRIAD_PHASES - 1,
  TRIAD_STAGGERED_PHASES(TRIAD_STAGGERED_PHASE)
};
#undef TRIAD_STAGGERED_PHASE

#endif
