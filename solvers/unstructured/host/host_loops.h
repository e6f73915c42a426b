/* The loops of a stage on the CPU, LANES cells or faces at a time. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_HOST_HOST_LOOPS_H
#define TRIAD_SOLVERS_UNSTRUCTURED_HOST_HOST_LOOPS_H

#include "solvers/unstructured/state/flow.h"

/* Add what the loops of one thread found to the flow: the largest rate, numbers of limited cells, of partial fluxes and
 * of bad cells. */
void triad_unstructured_tell(triad_unstructured_flow *flow, const triad_real *most, const int64_t *limited,
                             const int64_t *parts, const int64_t *bad);

#endif
