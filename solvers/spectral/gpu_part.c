#include "solvers/spectral/gpu_part.h"

#include "solvers/spectral/measure/gpu_measure.h"
#include "solvers/spectral/step/gpu_stepper.h"

extern const triad_spectral_gpu_part triad_spectral_gpu_table;

const triad_spectral_gpu_part triad_spectral_gpu_table = {
    .refusal = triad_gpu_stepper_refusal,
    .library = triad_gpu_stepper_library,
    .transports = triad_gpu_stepper_transports,
    .pair = triad_gpu_pair,
    .stepper = {.needs = triad_gpu_stepper_needs,
                .create = triad_gpu_stepper_create,
                .destroy = triad_gpu_stepper_destroy,
                .advance = triad_gpu_stepper_advance,
                .apart = triad_gpu_stepper_apart,
                .phases = triad_gpu_stepper_phases,
                .traffic = triad_gpu_stepper_traffic},
    .offload = {.needs = triad_gpu_offload_needs,
                .create = triad_gpu_offload_create,
                .destroy = triad_gpu_offload_destroy,
                .pass = triad_gpu_offload_pass,
                .apart = triad_gpu_offload_apart,
                .phases = triad_gpu_offload_phases,
                .traffic = triad_gpu_offload_traffic},
    .measure = {.budget = triad_gpu_measure_budget,
                .shells = triad_gpu_measure_shells,
                .about = triad_gpu_measure_about,
                .transfer = triad_gpu_measure_transfer},
};
