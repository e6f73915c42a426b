/* The field a run starts from: the table of starts is in initial.c, a row each. */
#ifndef TRIAD_SOLVERS_SPECTRAL_START_INITIAL_H
#define TRIAD_SOLVERS_SPECTRAL_START_INITIAL_H

#include "base/log.h"
#include "solvers/spectral/flow.h"


/* Set flow->u at t = 0 from its case. From a file or a checkpoint of another grid, modes that both grids keep are
 * copied; what is lost, of energy or of divergence, is told in the log. TRIAD_ERR_CASE, TRIAD_ERR_INPUT,
 * TRIAD_ERR_IO. Collective. */
int triad_initial_set(void *flow, triad_log *log);

/* Does what the case asks for fit its grid? TRIAD_ERR_CASE. Not collective. */
int triad_initial_check(const triad_case *given, const triad_grid *grid);

#endif
