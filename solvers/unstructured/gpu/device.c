/* Whether this build has steps on a GPU. */
#include "solvers/unstructured/gpu/gpu.h"

#ifdef TRIAD_CUDA
extern const triad_fct_gpu_part triad_fct_gpu_table;
const triad_fct_gpu_part *const triad_fct_gpu_steps = &triad_fct_gpu_table;
#else
const triad_fct_gpu_part *const triad_fct_gpu_steps = NULL;
#endif
