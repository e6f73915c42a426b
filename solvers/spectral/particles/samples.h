/* Output quantities of a group: its datasets and their rows. For files.c only. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PARTICLES_SAMPLES_H
#define TRIAD_SOLVERS_SPECTRAL_PARTICLES_SAMPLES_H

#include "solvers/spectral/particles/particles_internal.h"
#include "store/hdf5/growfile.h"

enum { TRIAD_SAMPLES = 16, TRIAD_SAMPLE_SETS = TRIAD_SAMPLES + 2 };

/* Datasets of a group: what each shows, and how many numbers they come to. */
typedef struct triad_particle_samples {
  int n, width;
  triad_growfile_set set[TRIAD_SAMPLE_SETS];
  int begin[TRIAD_SAMPLE_SETS]; /* of its numbers in a row */
} triad_particle_samples;

/* What table `number` asks for; shape NULL: without what its fields are called and measured in. Not collective. */
void triad_particle_samples_read(triad_particle_samples *samples, const triad_case *given, const triad_shape *shape,
                                 int number, int inertial);

/* rows[group][particle][1 + width]: number, position, velocity, and what is sampled, of the flow as it is; the
 * fluid's velocity goes to the records too. Collective. */
int triad_particle_samples_take(triad_particles *particles, const triad_particle_samples *samples, double *const *rows);

#endif
