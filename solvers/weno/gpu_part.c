#include "solvers/weno/gpu_own.h"

extern const triad_weno_gpu_part triad_weno_gpu_table;

const triad_weno_gpu_part triad_weno_gpu_table = {
    .make = triad_weno_gpu_make,
    .drop = triad_weno_gpu_drop,
    .set = triad_weno_gpu_set,
    .copy = triad_weno_gpu_copy,
    .stage = triad_weno_gpu_stage,
    .state_check_at = triad_weno_gpu_state_check_at,
    .sum = triad_weno_gpu_sum,
    .count = triad_weno_gpu_count,
    .apart = triad_weno_gpu_apart,
    .sent_bytes = triad_weno_gpu_sent_bytes,
    .transport = triad_weno_gpu_transport,
    .bytes = triad_weno_gpu_bytes,
};
