/* Read the means of a checkpoint on rank 0 (for means.c). */
#ifndef TRIAD_RUN_MEANS_MEANS_STATE_H
#define TRIAD_RUN_MEANS_MEANS_STATE_H

#include "run/means/means.h"

/* Take the means of the checkpoint in `folder`; the checksum of their data, XXH3_64. */
int triad_means_take(triad_means *means, const char *folder, const triad_manifest *about);
uint64_t triad_means_checksum(int64_t bytes, const void *data);

/* Data for a checkpoint: an extra file (the caller frees its data) and a note with its checksum, on rank 0; empty on
 * other ranks. TRIAD_ERR_MEMORY. Not collective. */
int triad_means_keep(const triad_means *means, triad_beside *beside, triad_notes *notes);

#endif
