/* Decide whether a case of the spectral solvers can run on a GPU; the GPU part of this build. */
#include "solvers/spectral/devices.h"
#include "fft/lines/lines.h"
#include "solvers/spectral/closure/closure.h"
#include "solvers/spectral/split.h"
#include "solvers/spectral/force/plain/force_work.h"
#include "solvers/spectral/gpu_part.h"
#include "solvers/spectral/particles/particles.h"
#include "solvers/spectral/relax/plain/relax_case.h"
#include "solvers/spectral/plain/shear_case.h"

#include <inttypes.h>

static const char *refusal(const triad_case *given)
{
  int work;
  if (triad_force_work(given, &work) != TRIAD_OK) triad_message_clear(); /* creating the force reports the error */
  if (triad_case_is(given, "parallel.device", "offload") && work & (TRIAD_FORCE_AT_POINTS | TRIAD_FORCE_OF_FIELDS))
    return "offload does not support this force: use sums of products of a function of position and a function of time";
  if (triad_case_is(given, "parallel.device", "offload") && triad_split_asked(given))
    return "offload does not support ranks that share planes (parallel.split)";
  if (triad_closure_asked(given) && triad_case_is(given, "parallel.device", "offload"))
    return "offload does not support subgrid models ([closure] model)";
  if (triad_closure_asked(given) && work & TRIAD_FORCE_AT_POINTS)
    return "subgrid models with forcing formulas evaluated at points are supported on CPUs only";
  if (triad_case_is(given, "parallel.lines", "fftw")) return "parallel.lines = \"fftw\" is for CPUs only";
  if (triad_shear_of(given) != 0) return "a mean shear (equations.shear) is supported on CPUs only";
  if (triad_case_applies(given, "equations.vertical") && triad_case_is(given, "equations.vertical", "y"))
    return "equations.vertical = \"y\" is supported on CPUs only";
  if (triad_relaxation_wanted(given) > 0 && triad_case_is(given, "parallel.device", "offload"))
    return "offload does not support [[bodies]] and [[sponges]]";
  if (triad_relaxation_wanted(given) > 0 && work & TRIAD_FORCE_AT_POINTS)
    return "[[bodies]] and [[sponges]] with forcing formulas evaluated at points are supported on CPUs only";
  if (work & TRIAD_FORCE_BEYOND_KERNELS)
    return "more than 32 forcing formulas evaluated at points are supported on CPUs only";
  if (triad_case_is(given, "equations.solver", "text") && triad_particles_wanted(given))
    return "particles in solver text are supported on CPUs only";
  if (triad_split_asked(given) && triad_particles_wanted(given))
    return "particles with ranks that share planes (parallel.split) are supported on CPUs only";
  return triad_spectral_gpu ? triad_spectral_gpu->refusal(given) : NULL;
}

const triad_device_support triad_spectral_devices = {.kinds = TRIAD_TAKES_GPU | TRIAD_TAKES_OFFLOAD,
                                                     .refusal = refusal};

int triad_spectral_check_lines(const triad_case *given, const triad_grid *grid)
{
  if (triad_case_is(given, "parallel.lines", "cufft")) {
    const char *why = triad_case_is(given, "parallel.device", "cpu")
                        ? "parallel.device is \"cpu\""
                        : triad_device_refusal(&triad_spectral_devices, given);
    return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                      "parallel.lines = \"cufft\" requires a GPU, but %s: use \"auto\", \"own\" or "
                      "\"fftw\"",
                      why ? why : "not every rank has a GPU");
  }
  for (int i = 0; i < 3 && grid->lines == TRIAD_LINES_OWN; i++)
    if (!triad_lines_own_serve(i, grid->n[i]))
      return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                        "parallel.lines = \"own\": lines of %" PRId64 " points along %c have no "
                        "built-in kernel on this CPU: use \"auto\" or \"fftw\", or another grid.n",
                        grid->n[i], "xyz"[i]);
  return TRIAD_OK;
}
