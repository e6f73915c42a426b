/* Boxes whose pressure the transform can find, without solids: on the CPU, and on a GPU. */
#ifndef TRIAD_SOLVERS_STAGGERED_PLAIN_WAVES_H
#define TRIAD_SOLVERS_STAGGERED_PLAIN_WAVES_H

#include "solvers/staggered/case/setup.h"

/* Are cells all of one size? */
int triad_staggered_is_uniform(const triad_staggered_setup *setup);

/* Can the transform solve for the pressure of a box like this without solids? Waves want an axis that is uniform,
 * between walls or periodic; one other may have walls and cells of any size. Why not, with the axis (NULL: it can). */
const char *triad_staggered_no_transform(const triad_staggered_setup *setup, int *axis);
int triad_staggered_transforms(const triad_staggered_setup *setup);

/* The axis along which the transform solves tridiagonal systems: the stretched one, else the last with walls; -1: it
 * has waves along each. */
int triad_staggered_line_axis(const triad_staggered_setup *setup);

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
