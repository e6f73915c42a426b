/* The ways of a stepper: on the CPU, on a GPU, through a GPU. */
#ifndef TRIAD_SOLVERS_SPECTRAL_STEP_WAYS_H
#define TRIAD_SOLVERS_SPECTRAL_STEP_WAYS_H

#include "solvers/spectral/step/stepper_internal.h"

int triad_way_offload_create(triad_stepper *s, triad_flow *flow);
void triad_way_offload_destroy(triad_stepper *s);
void triad_way_offload_traffic(const triad_stepper *s, double passes, triad_costs *costs);
triad_phases triad_way_offload_phases(const triad_stepper *s);
void triad_way_offload_apart(const triad_stepper *s, int apart);
void triad_way_offload_describe(const triad_stepper *s, const triad_device_support *devices, triad_log *log);

void triad_way_host_traffic(const triad_stepper *s, double passes, triad_costs *costs);

void triad_way_host_apart(const triad_stepper *s, int apart);

void triad_way_host_describe(const triad_stepper *s, const triad_device_support *devices, triad_log *log);

#endif
