/* The devices that the spectral solvers have code for, and which cases a GPU refuses. */
#ifndef TRIAD_SOLVERS_SPECTRAL_DEVICES_H
#define TRIAD_SOLVERS_SPECTRAL_DEVICES_H

#include "grid/grid.h"
#include "solvers/device_choice.h"

extern const triad_device_support triad_spectral_devices;

/* If steps run on the CPU: does it transform lines as parallel.lines asks? TRIAD_ERR_FEATURE for cuFFT, and for
 * built-in kernels if a length of the grid has none. Not collective. */
int triad_spectral_check_lines(const triad_case *given, const triad_grid *grid);

#endif
