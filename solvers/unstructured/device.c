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
  triad_fct_setup s;
  if (triad_fct_setup_read(&s, given) != TRIAD_OK) {
    triad_message_clear(); /* who reads it for itself is told */
    return NULL;
  }
  if (s.viscosity > 0) return "equations.viscosity has no GPU part";
  if (s.prelimit) return "equations.prelimit has no GPU part";
  if (s.limited & TRIAD_FCT_LIMIT_COMPONENTS) return "equations.limited = [\"components\"] has no GPU part";
  if (s.sponges) return "sponges of boundaries.patches have no GPU part";
  if (triad_case_flag(given, "output.means")) return "output.means has no GPU part";
  return NULL;
}
