/* The devices that the gas has code for, and which cases a GPU refuses. */
#ifndef TRIAD_SOLVERS_COMPRESSIBLE_PLAIN_DEVICES_H
#define TRIAD_SOLVERS_COMPRESSIBLE_PLAIN_DEVICES_H

#include "solvers/device_choice.h"

extern const triad_device_support triad_gas_devices;

#endif
