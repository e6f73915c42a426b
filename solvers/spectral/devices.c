/* Which cases of the spectral solvers a GPU can take, and the GPU part of this build. */
#include "solvers/spectral/devices.h"
#include "solvers/spectral/force/forcing.h"
#include "solvers/spectral/gpu_part.h"
#include "solvers/spectral/particles/particles.h"

static const char *refusal(const triad_case *given)
{
  int work;
  if (triad_force_work(given, &work) != TRIAD_OK) triad_message_clear(); /* who makes the force tells */
  if (triad_case_is(given, "parallel.device", "offload") && work & (TRIAD_FORCE_AT_POINTS | TRIAD_FORCE_OF_FIELDS))
    return "a force that is a formula of fields, or no sum of products of what is of points and of time, is not for a "
           "state that passes through";
  if (triad_case_is(given, "parallel.device", "offload") && triad_split_asked(given))
    return "ranks that share planes (parallel.split) are not for a state that passes through";
  if (work & TRIAD_FORCE_BEYOND_KERNELS)
    return "more than 32 formulas of forcing that are worked out at points are for the CPU";
  if (triad_split_asked(given) && triad_particles_wanted(given))
    return "particles of ranks that share planes (parallel.split) are for the CPU";
  return triad_spectral_gpu ? triad_spectral_gpu->refusal(given) : NULL;
}

const triad_device_support triad_spectral_devices = {.kinds = TRIAD_TAKES_GPU | TRIAD_TAKES_OFFLOAD,
                                                     .refusal = refusal};
