/* The phases of a step of `fct`, other than exchange and rest, in the order of the tables. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_STATE_PHASES_H
#define TRIAD_SOLVERS_UNSTRUCTURED_STATE_PHASES_H

#include "solvers/laps.h"

/* X(SLOT, name): docs/reference/bench.md describes them. */
#define TRIAD_UNSTRUCTURED_PHASES(X) \
  X(BOUNDARIES, "boundaries") \
  X(GRADIENTS, "gradients") \
  X(BOTH, "low_and_high_flux") \
  X(HIGH, "high_flux") \
  X(VISCOUS, "viscous") \
  X(TRANSPORT, "low_order_transport") \
  X(LIMITS, "limits") \
  X(CORRECTION, "correction") \
  X(LAYERS, "flux_to_correction") \
  X(SOURCES, "sources") \
  X(CHECKS, "checks") \
  X(SAMPLES, "probes_and_means")

#define TRIAD_UNSTRUCTURED_PHASE(SLOT, name) TRIAD_UNSTRUCTURED_PHASE_##SLOT,
enum triad_unstructured_phase {
  TRIAD_UNSTRUCTURED_PHASE_BEFORE = TRIAD_PHASES - 1,
  TRIAD_UNSTRUCTURED_PHASES(TRIAD_UNSTRUCTURED_PHASE)
};
#undef TRIAD_UNSTRUCTURED_PHASE

#endif
