/* Sizes of a graph over all ranks, checked against the limits of METIS and PT-Scotch. Collective. */
#ifndef TRIAD_PARALLEL_GRAPH_COUNT_H
#define TRIAD_PARALLEL_GRAPH_COUNT_H

#include "parallel/graph.h"

/* For libraries: total numbers of neighbours and weights, the same on all ranks. TRIAD_ERR_CASE if either exceeds
 * `most`, the largest integer of the library. Collective. */
int triad_graph_count(const triad_comm *comm, const triad_graph *graph, const triad_graph_library *library,
                      int64_t most, int64_t *n_next);

#endif
