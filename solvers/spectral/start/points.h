/* Fields that are given at the points of a grid of any size, made into the modes of a flow. */
#ifndef TRIAD_SOLVERS_SPECTRAL_START_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_START_POINTS_H

#include "base/log.h"
#include "solvers/spectral/flow.h"

/* Fill planes[points->memory] with field number `field` of the flow, at `points`. Collective, as all ranks agree. */
typedef int triad_points_fill(void *who, const triad_flow *flow, const triad_space *points, int field,
                              triad_real *planes);

/* Fields list[count] of the flow from their values at n[3] points, with every mode that both grids keep. *dropped:
 * the energy of those that the flow's grid does not keep. A field that is not periodic is a warning (log NULL:
 * none). Collective. */
int triad_points_start(triad_flow *flow, const int64_t n[3], const int *list, int count, triad_points_fill *fill,
                       void *who, triad_log *log, double *dropped);

/* What came from outside is too large to be squared: TRIAD_ERR_CASE on all ranks. Collective. */
int triad_points_overflow(const triad_comm *comm, const char *what);

#endif
