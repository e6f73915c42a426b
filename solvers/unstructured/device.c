/* Which device takes the steps of a flow on a mesh. */
#include "solvers/device_choice.h"
#include "solvers/unstructured/gpu.h"

#ifdef TRIAD_CUDA
extern const triad_fct_gpu_part triad_fct_gpu_table;
const triad_fct_gpu_part *const triad_fct_gpu_steps = &triad_fct_gpu_table;
#else
const triad_fct_gpu_part *const triad_fct_gpu_steps = NULL;
#endif

const char *triad_fct_refusal(const triad_case *given)
{
  if (triad_case_flag(given, "output.means")) return "output.means has no GPU part";
  return NULL;
}
