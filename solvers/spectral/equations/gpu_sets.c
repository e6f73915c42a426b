/* The GPU part of each set: its passes, its spectral side, what it observes (gpu_set.h). */
#include "solvers/spectral/equations/gpu_set.h"
#include "solvers/spectral/equations/gpu_observe.h"

extern triad_gpu_visit triad_gpu_visit_hd, triad_gpu_visit_mhd, triad_gpu_visit_hall,
    triad_gpu_visit_gpe, triad_gpu_visit_gpe_product, triad_gpu_visit_gpe_split;
extern const triad_gpu_spectral triad_gpu_spectral_hd, triad_gpu_spectral_boussinesq,
    triad_gpu_spectral_mhd, triad_gpu_spectral_gpe;

const triad_gpu_set triad_gpu_set_hd = {
    .n_passes = 1, .pass = {triad_gpu_visit_hd}, .spectral = &triad_gpu_spectral_hd};

const triad_gpu_set triad_gpu_set_boussinesq = {
    .n_passes = 1, .pass = {triad_gpu_visit_hd}, .spectral = &triad_gpu_spectral_boussinesq};

const triad_gpu_set triad_gpu_set_mhd = {.n_passes = 1,
                                               .pass = {triad_gpu_visit_mhd},
                                               .spectral = &triad_gpu_spectral_mhd,
                                               .observe = triad_gpu_observe_mhd};

const triad_gpu_set triad_gpu_set_hall = {.n_passes = 1,
                                                .pass = {triad_gpu_visit_hall},
                                                .spectral = &triad_gpu_spectral_mhd,
                                                .extras = 3,
                                                .sources = 3,
                                                .row_fields = 9 + 8,
                                                .observe = triad_gpu_observe_mhd};

const triad_gpu_set triad_gpu_set_gpe = {
    .n_passes = 2,
    .pass = {triad_gpu_visit_gpe, triad_gpu_visit_gpe_product},
    .split = triad_gpu_visit_gpe_split,
    .spectral = &triad_gpu_spectral_gpe,
    .extras = 3, /* the density, k.w, |w|^2 */
    .keeps = 2,
    .row_fields = 4 + 1,
    .observe = triad_gpu_observe_gpe};
