/* Volumes of a staggered mesh, for the host and for kernels. */
#ifndef TRIAD_SOLVERS_STAGGERED_POINTS_VOLUME_POINTS_H
#define TRIAD_SOLVERS_STAGGERED_POINTS_VOLUME_POINTS_H

#include "solvers/staggered/points/staggered_points.h"

/* The volume around the lower face across axis a of the cell at index c; a = 3: of the cell itself. */
TRIAD_POINT_INLINE double triad_staggered_volume(const triad_staggered_sizes *m, int a, const int64_t c[3])
{
  double volume = 1;
  for (int b = 0; b < 3; b++) volume *= (double)(b == a ? m->d : m->h)[b][c[b]];
  return volume;
}

#endif
