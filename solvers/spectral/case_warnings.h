/* What a case of a spectral solver can hardly mean, though it can be run: triad case --check and a run warn of it. */
#ifndef TRIAD_SOLVERS_SPECTRAL_CASE_WARNINGS_H
#define TRIAD_SOLVERS_SPECTRAL_CASE_WARNINGS_H

#include "solvers/spectral/flow.h"

/* Adds to the warnings of a case without errors. Not collective. */
void triad_flow_warn(const triad_flow_plan *plan, triad_case_warnings *warnings);

#endif
