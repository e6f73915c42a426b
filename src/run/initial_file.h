/* Initial fields that come from a file: physical-space data of the user's own, or a checkpoint of another run. */
#ifndef TRIAD_RUN_INITIAL_FILE_H
#define TRIAD_RUN_INITIAL_FILE_H

#include "base/log.h"
#include "run/flow.h"

#define triad_initial_from_file TRIAD_NAME(initial_from_file)
#define triad_initial_from_checkpoint TRIAD_NAME(initial_from_checkpoint)

/* initial.file: HDF5 datasets named as the equations' fields, each (z, y, x) of any one size. Collective. */
int triad_initial_from_file(triad_flow *flow, triad_log *log);

/* initial.file: a checkpoint's folder, or a run directory whose newest valid checkpoint is meant. The run starts at
 * t = 0 with its fields. Collective. */
int triad_initial_from_checkpoint(triad_flow *flow, triad_log *log);

#endif
