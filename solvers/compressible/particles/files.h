/* Rows of particles/NAME.h5 and the particles of a checkpoint, sorted by number, independent of the ranks. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_PARTICLES_FILES_H
#define TRIAD_SOLVERS_COMPRESSIBLE_PARTICLES_FILES_H

#include "solvers/compressible/particles/internal.h"
#include "solvers/compressible/particles/particles.h"

/* files.c */
void triad_gas_particles_close(triad_gas_particles *p);

/* As the members of solvers/solver.h: rows of particles/NAME.h5, of the present state; tables and notes of
 * checkpoints, and from them. All accept NULL. Collective but for notes. */
int triad_gas_particles_write(triad_gas_particles *particles, const triad_instant *at, const char *run_dir,
                              const triad_notes *notes, int sync);
int triad_gas_particles_tables(triad_gas_particles *particles, triad_table *tables, int *n);
int triad_gas_particles_notes(const triad_gas_particles *particles, triad_notes *notes);
int triad_gas_particles_restore(triad_gas_particles *particles, const triad_case *given, const char *folder,
                                const triad_manifest *about, int branch, triad_log *log);

#endif
