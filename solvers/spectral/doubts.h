/* What a case of a spectral solver can hardly mean, though it can be run: triad case --check and a run warn of it. */
#ifndef TRIAD_SOLVERS_SPECTRAL_DOUBTS_H
#define TRIAD_SOLVERS_SPECTRAL_DOUBTS_H

#include "solvers/spectral/flow.h"

/* Adds to the doubts of a case without errors. Not collective. */
void triad_flow_doubt(const triad_flow_plan *plan, triad_doubts *doubts);

#endif
