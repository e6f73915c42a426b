/* Equations as text on a GPU: kernels that are compiled at run time from the text in C of code.h. Only in a build with
 * CUDA; set.c puts the functions into its table. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_GPU_TEXT_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_GPU_TEXT_H

#include "solvers/spectral/text/set.h"

enum { TRIAD_TEXT_GPU_TIMES = 3 /* for which matrices are kept at once */, TRIAD_TEXT_FUSED = 6 };

/* As equations/gpu_set.h has them; self is a triad_text_set. */
triad_gpu_visit triad_text_gpu_visit;
extern const triad_gpu_spectral triad_text_gpu_spectral;
const char *triad_text_gpu_refusal(const void *self, int whole);
int triad_text_gpu_prepare(void *self, triad_device *device, const triad_layout *layout, int whole, int threads);
void triad_text_gpu_release(void *self);

typedef struct triad_text_gpu triad_text_gpu;

#endif
