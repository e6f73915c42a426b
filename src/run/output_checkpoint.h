/* The checkpoint among the outputs of a run. */
#ifndef TRIAD_RUN_OUTPUT_CHECKPOINT_H
#define TRIAD_RUN_OUTPUT_CHECKPOINT_H

#include "run/outputs.h"

/* Wait until slices of earlier steps are complete; adds the time to o->awaited. HDF5 is called from one thread at a
 * time, and the last checkpoint of a run guarantees that its other files exist. */
int triad_outputs_wait_for_slices(triad_outputs *o);

/* Write the checkpoint of this step, unless it exists and is up to date. sync: writes the data that other outputs have
 * kept in memory, after the rows of the series and before the checkpoint. Collective. */
int triad_outputs_checkpoint(triad_outputs *o, const triad_instant *at, int (*sync)(triad_outputs *o));

/* The run has reached its end: TRIAD_ERR_IO if files that it has written are missing. Collective. */
int triad_outputs_last(triad_outputs *outputs);

/* How many rows of the series a checkpoint has seen, by its notes; 0 where they do not say. Not collective. */
int triad_outputs_rows_seen(const triad_notes *notes, int64_t *rows);

#endif
