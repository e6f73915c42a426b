/* Adaptive grid size: the keys of the case, and the choice of another grid (solvers/solver.h). */
#ifndef TRIAD_SOLVERS_SPECTRAL_FOLLOW_H
#define TRIAD_SOLVERS_SPECTRAL_FOLLOW_H

#include "solvers/spectral/flow.h"

/* The number of points along the longest axis of a grid. */
static inline int64_t triad_follow_longest(const int64_t n[3])
{
  return n[0] > n[1] ? (n[0] > n[2] ? n[0] : n[2]) : (n[1] > n[2] ? n[1] : n[2]);
}

/* triad_follow_part's look. Collective. */
int triad_follow_look(void *flow, triad_log *log, int64_t n[3], char *why, size_t size);

#endif
