/* The GPU part of each set: its passes, its spectral side, what it observes (gpu_set.h). */
#include "solvers/spectral/gpu_set.h"
#include "solvers/spectral/gpu_observe.h"

extern triad_gpu_visit TRIAD_NAME(gpu_visit_hd), TRIAD_NAME(gpu_visit_mhd), TRIAD_NAME(gpu_visit_hall),
    TRIAD_NAME(gpu_visit_gpe), TRIAD_NAME(gpu_visit_gpe_product), TRIAD_NAME(gpu_visit_gpe_split);
extern const triad_gpu_spectral TRIAD_NAME(gpu_spectral_hd), TRIAD_NAME(gpu_spectral_boussinesq),
    TRIAD_NAME(gpu_spectral_mhd), TRIAD_NAME(gpu_spectral_gpe);

const triad_gpu_set TRIAD_NAME(gpu_set_hd) = {
    .n_passes = 1, .pass = {TRIAD_NAME(gpu_visit_hd)}, .spectral = &TRIAD_NAME(gpu_spectral_hd)};

const triad_gpu_set TRIAD_NAME(gpu_set_boussinesq) = {
    .n_passes = 1, .pass = {TRIAD_NAME(gpu_visit_hd)}, .spectral = &TRIAD_NAME(gpu_spectral_boussinesq)};

const triad_gpu_set TRIAD_NAME(gpu_set_mhd) = {.n_passes = 1,
                                               .pass = {TRIAD_NAME(gpu_visit_mhd)},
                                               .spectral = &TRIAD_NAME(gpu_spectral_mhd),
                                               .observe = triad_gpu_observe_mhd};

const triad_gpu_set TRIAD_NAME(gpu_set_hall) = {.n_passes = 1,
                                                .pass = {TRIAD_NAME(gpu_visit_hall)},
                                                .spectral = &TRIAD_NAME(gpu_spectral_mhd),
                                                .extras = 3,
                                                .sources = 3,
                                                .row_fields = 9 + 8,
                                                .observe = triad_gpu_observe_mhd};

const triad_gpu_set TRIAD_NAME(gpu_set_gpe) = {
    .n_passes = 2,
    .pass = {TRIAD_NAME(gpu_visit_gpe), TRIAD_NAME(gpu_visit_gpe_product)},
    .split = TRIAD_NAME(gpu_visit_gpe_split),
    .spectral = &TRIAD_NAME(gpu_spectral_gpe),
    .extras = 3, /* the density, k.w, |w|^2 */
    .keeps = 2,
    .row_fields = 4 + 1,
    .observe = triad_gpu_observe_gpe};
