/* Quality of a partition of a mesh: load imbalance, and the sizes of messages. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_STATE_PARTING_H
#define TRIAD_SOLVERS_UNSTRUCTURED_STATE_PARTING_H

#include "solvers/unstructured/state/domain.h"

typedef struct triad_unstructured_parting {
  /* cost of the rank that has the most, in sides of its cells, over the mean of all ranks */
  double most;
  /* between cells of different ranks; of all ranks                                        */
  int64_t faces, ghosts;
  /* of one rank; peers: ranks that it gets ghosts from                                */
  int64_t most_ghosts, most_peers;
  /* cells of structured zones, of all ranks                                               */
  int64_t zoned;
} triad_unstructured_parting;

/* The same on all ranks. Collective. */
int triad_unstructured_parting_measure(triad_unstructured_parting *out, const triad_unstructured_domain *domain);

#endif
