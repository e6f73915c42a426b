/* The middle of the GPU pass if ranks share planes: creation, one chunk of planes, destruction. */
#ifndef TRIAD_FFT_GPU_GPU_PASS_SPLIT_H
#define TRIAD_FFT_GPU_GPU_PASS_SPLIT_H

#include "fft/gpu/gpu_pass_internal.h"

/* gpu_pass_split.c: the ranks of a group, and the middle of a pass as they see it. Collective; chosen is
 * triad_gpu_pass_create's. */
int triad_gpu_pass_split_comms(triad_gpu_pass *p);
int triad_gpu_pass_split_create(triad_gpu_pass *p, int most_in, int most_out, const char *transport);
void triad_gpu_pass_split_destroy(triad_gpu_pass *p);
int triad_gpu_pass_split_visit(triad_gpu_pass *p, const triad_gpu_job *job, double *last);

#endif
