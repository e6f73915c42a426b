/* Averages over planes across z, of a job of point_sums.h that asks for no others: sums over columns at all z
 * (Parseval), exact, with transforms of lines along z alone. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_PLANE_MEANS_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_PLANE_MEANS_H

#include "solvers/spectral/measure/point_sums.h"

/* 1 if the job asks for no others. Not collective. */
int triad_plane_means_can(const triad_flow *flow, const triad_point_job *job);

/* Compute them. TRIAD_ERR_MEMORY. Collective. */
int triad_plane_means(triad_flow *flow, triad_point_job *job);

/* Bytes of a rank while it does, at most. Not collective. */
int64_t triad_plane_means_memory(const triad_layout *layout, int threads);

#endif
