/* Whether this build has steps on a GPU. */
#include "solvers/unstructured/gpu/gpu.h"

#ifdef TRIAD_CUDA
extern const triad_unstructured_gpu_part triad_unstructured_gpu_table;
const triad_unstructured_gpu_part *const triad_unstructured_gpu_steps = &triad_unstructured_gpu_table;
#else
const triad_unstructured_gpu_part *const triad_unstructured_gpu_steps = NULL;
#endif
