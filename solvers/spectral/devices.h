/* The devices that the spectral solvers have code for, and which cases a GPU refuses. */
#ifndef TRIAD_SOLVERS_SPECTRAL_DEVICES_H
#define TRIAD_SOLVERS_SPECTRAL_DEVICES_H

#include "solvers/device_choice.h"

extern const triad_device_support triad_spectral_devices;

#endif
