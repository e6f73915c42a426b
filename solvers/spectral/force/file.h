/* A force from a file of modes over time. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_FILE_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_FILE_H

#include "solvers/spectral/force/force_internal.h"

/* Create the data of the force of a file, and free it. create: collective. */
int triad_force_file_create(triad_forcing *forcing, const triad_flow *flow);
void triad_force_file_free(triad_forcing *forcing, triad_memory *memory);

/* Their notes in a checkpoint, and log messages if those of a checkpoint differ. For other forces they do nothing. */
int triad_force_file_keep(const triad_forcing *forcing, triad_notes *notes);
void triad_force_file_settle(const triad_forcing *forcing, const triad_notes *notes, triad_log *log);

#endif
