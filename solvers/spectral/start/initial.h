/* The field a run starts from, by the name in initial.kind. */
#ifndef TRIAD_SOLVERS_SPECTRAL_START_INITIAL_H
#define TRIAD_SOLVERS_SPECTRAL_START_INITIAL_H

#include "base/log.h"
#include "solvers/spectral/flow.h"


/* Set flow->u at t = 0 from its case. From a file or a checkpoint of another grid, modes that both grids keep are
 * copied; what is lost, of energy or of divergence, is told in the log. TRIAD_ERR_CASE, TRIAD_ERR_INPUT,
 * TRIAD_ERR_IO. Collective. */
int triad_initial_set(triad_flow *flow, triad_log *log);

#endif
