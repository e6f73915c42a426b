/* Sponges of a mesh. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_STEP_SPONGE_H
#define TRIAD_SOLVERS_UNSTRUCTURED_STEP_SPONGE_H

#include "solvers/unstructured/state/flow.h"

int triad_unstructured_sponges_make(triad_unstructured_flow *flow); /* collective */
void triad_unstructured_sponges_drop(triad_unstructured_sponge *sponge, triad_memory *memory);

#endif
