/* Means over planes, moments and histograms of values at points, [z_local][y][x] of this rank: the same bits on any ranks and
 * threads. A row along x is summed by eight partial sums in a fixed order; sums of rows are told to all ranks, and added up in
 * the order of the planes. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_PLANE_SUMS_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_PLANE_SUMS_H

#include "base/precision.h"
#include "grid/layout.h"
#include "parallel/context.h"

/* Numbers that the functions below work in, whatever they are asked for. */
int64_t triad_plane_sums_room(const triad_grid *grid);

/* out[n along the axis]: the mean of a b (b NULL: of a) over each plane across the axis. room: as above. Collective. */
int triad_plane_means(const triad_context *context, const triad_layout *layout, int axis, const triad_real *a,
                      const triad_real *b, double *room, double *out);

/* out[4]: the mean m of a, and the means of (a - m)^2, ^3, ^4. Collective. */
int triad_point_moments(const triad_context *context, const triad_layout *layout, const triad_real *a, double *room, double out[4]);

/* counts[bins] of (a - mean)/scale, over bins of equal width from -reach to reach; what lies outside is not counted.
 * mine[threads][bins]: room. Collective. */
int triad_point_counts(const triad_context *context, const triad_layout *layout, const triad_real *a, double mean, double scale,
                       double reach, int bins, int64_t *mine, int64_t *counts);

#endif
