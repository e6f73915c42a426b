/* Quality of a partition of a mesh: load imbalance, and the sizes of messages. */
#ifndef TRIAD_SOLVERS_UNSTRUCTURED_PLAIN_PARTING_H
#define TRIAD_SOLVERS_UNSTRUCTURED_PLAIN_PARTING_H

#include "parallel/comm.h"

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

/* What one rank has: sides of its cells, faces to ghosts, ghosts, ranks that own them, cells of zones. */
enum {
  TRIAD_UNSTRUCTURED_PART_SIDES,
  TRIAD_UNSTRUCTURED_PART_FACES,
  TRIAD_UNSTRUCTURED_PART_GHOSTS,
  TRIAD_UNSTRUCTURED_PART_PEERS,
  TRIAD_UNSTRUCTURED_PART_ZONED,
  TRIAD_UNSTRUCTURED_PART_NUMBERS
};

/* The same on all ranks. Collective. */
int triad_unstructured_parting_measure(triad_unstructured_parting *out, const triad_comm *comm,
                                       const int64_t mine[TRIAD_UNSTRUCTURED_PART_NUMBERS]);

#endif
