/* Initial fields that come from a file: physical-space data of the user's own, or a checkpoint of another run. */
#ifndef TRIAD_SOLVERS_SPECTRAL_START_INITIAL_FILE_H
#define TRIAD_SOLVERS_SPECTRAL_START_INITIAL_FILE_H

#include "base/log.h"
#include "solvers/spectral/flow.h"


/* initial.file: HDF5 datasets named as the equations' fields, each (z, y, x) of any one size. Collective. */
int triad_initial_from_file(triad_flow *flow, triad_log *log);

/* initial.file: a checkpoint's folder, or a run directory whose newest valid checkpoint is meant. The run starts at
 * t = 0 with its fields. Collective. */
int triad_initial_from_checkpoint(triad_flow *flow, triad_log *log);

#endif
