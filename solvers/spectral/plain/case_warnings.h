/* Improbable values in a case of a spectral solver: triad case --check and a run warn about them. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PLAIN_CASE_WARNINGS_H
#define TRIAD_SOLVERS_SPECTRAL_PLAIN_CASE_WARNINGS_H

#include "solvers/spectral/flow.h"

/* Adds to the warnings of a case without errors. Not collective. */
void triad_flow_warn(const triad_flow_plan *plan, triad_case_warnings *warnings);

#endif
