/* Arithmetic of bodies and sponges at one point, and rows of their masks, for CPUs and GPUs. */
#ifndef TRIAD_SOLVERS_SPECTRAL_RELAX_TERM_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_RELAX_TERM_POINTS_H

#include "base/point.h"

#include <stdint.h>

/* A row of points of a mask that is stored: `count` points from x = begin on, the first of them at index `at`. */
typedef struct triad_relax_row {
  int64_t begin, count, at;
} triad_relax_row;

/* Sums of a field that is relaxed: of rate (q - target), and of q rate (q - target). */
enum { TRIAD_RELAX_FORCE, TRIAD_RELAX_POWER, TRIAD_RELAX_SUMS };

/* rate (q - target), the rate factor times mask. */
TRIAD_POINT double triad_relax_term(double factor, double mask, double q, double target)
{
  return factor * mask * (q - target);
}

#endif
