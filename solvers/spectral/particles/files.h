/* Files of particles and their part of a checkpoint: records sorted by number, independent of the ranks. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PARTICLES_FILES_H
#define TRIAD_SOLVERS_SPECTRAL_PARTICLES_FILES_H

#include "solvers/spectral/particles/particles.h"
#include "solvers/spectral/particles/particles_internal.h"

/* write: append a row of the current state to the file of each group, particles/NAME.h5 in the run directory; sync: as
 * in solvers/solver.h. The others: tables of a checkpoint and notes on its files; restoring from one. All accept NULL.
 * Collective except keep. */
int triad_particles_write(triad_particles *particles, const char *run_dir, const triad_notes *notes, int sync);
int triad_particles_tables(triad_particles *particles, triad_table *tables, int *n);
int triad_particles_notes(const triad_particles *particles, triad_notes *notes);
int triad_particles_restore(triad_particles *particles, const triad_flow *flow, const char *folder,
                            const triad_manifest *about, int branch, triad_log *log);

/* Bytes of a row of the files of a case, and of what a checkpoint has of particles. Not collective. */
void triad_particles_bytes(const triad_case *given, double *row, int64_t *kept);

/* files.c */
void triad_particles_close(triad_particles *p);

#endif
