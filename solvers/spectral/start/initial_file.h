/* Initial fields from a file: user data at points, or a checkpoint of another run (solvers/box/files.h), made to
 * satisfy the constraints of the equations. */
#ifndef TRIAD_SOLVERS_SPECTRAL_START_INITIAL_FILE_H
#define TRIAD_SOLVERS_SPECTRAL_START_INITIAL_FILE_H

#include "base/log.h"
#include "solvers/spectral/flow.h"

/* initial.file: HDF5 datasets named as the equations' fields, each (z, y, x) of any one size. Collective. */
int triad_initial_from_file(triad_flow *flow, triad_log *log);

/* Project data from a file, formulas or a checkpoint to a valid field of the equations, and log the change; does
 * nothing for built-in initial conditions. Collective. */
int triad_initial_settle(triad_flow *flow, triad_log *log);

/* The same for any initial condition: vectors without divergence and mean; changes below the given rounding are not
 * logged. Collective. */
int triad_initial_project(triad_flow *flow, triad_log *log, double rounding);

#endif
