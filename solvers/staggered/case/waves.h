/* Which boxes have a transform on a GPU. */
#ifndef TRIAD_SOLVERS_STAGGERED_CASE_WAVES_H
#define TRIAD_SOLVERS_STAGGERED_CASE_WAVES_H

#include "solvers/staggered/case/setup.h"

/* The transform on a GPU of a box of this kind, without solids: waves of Fourier along x and all other axes but one
 * at most, which is *line (-1: there is none); those of one GPU between walls along any axis that is uniform; or
 * none. Not collective. */
typedef enum triad_staggered_waves {
  TRIAD_STAGGERED_NO_WAVES,
  TRIAD_STAGGERED_FOURIER_WAVES,
  TRIAD_STAGGERED_COSINE_WAVES
} triad_staggered_waves;
triad_staggered_waves triad_staggered_waves_of(const triad_staggered_setup *setup, int *line);

#endif
