/* Planes of points on a GPU, stored while particles need them and exchanged between ranks. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PARTICLES_GPU_PLANES_H
#define TRIAD_SOLVERS_SPECTRAL_PARTICLES_GPU_PLANES_H

#include "solvers/spectral/particles/gpu_internal.h"

/* gpu_planes.c: the planes and what carries them. Collective; agreed. */
int triad_gpu_planes_create(triad_gpu_particles *p, int order);
void triad_gpu_planes_destroy(triad_gpu_particles *p);
int64_t triad_gpu_planes_bytes(const triad_layout *layout, int order, int64_t batch);

/* `count` planes of three fields from number `first` on, of a chunk, to their places. */
int triad_gpu_planes_take(triad_gpu_particles *p, const triad_gpu_chunk *chunk, int fields);

/* Planes beyond this rank's ends: what is launched on the device's stream from here on finds them; and has read
 * them. Collective. */
int triad_gpu_planes_fetch(triad_gpu_particles *p);
int triad_gpu_planes_read(triad_gpu_particles *p);

#endif
