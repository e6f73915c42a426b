/* Decide whether a case of the gas can run on a GPU. */
#include "solvers/compressible/plain/devices.h"
#include "solvers/compressible/plain/wall_keys.h"

static const char *refusal(const triad_case *given)
{
  if (triad_compressible_walls_wanted(given))
    return "wall formulas (boundaries.wall_temperature_at, wall_velocity_at) run on the CPU only";
  if (!triad_case_is(given, "closure.model", "none"))
    return "subgrid models ([closure] model) are supported on CPUs only";
  return triad_case_is(given, "forcing.kind", "formula")
           ? "forces by formula (forcing.kind = \"formula\") run on the CPU only"
           : NULL;
}

const triad_device_support triad_gas_devices = {.kinds = TRIAD_TAKES_GPU, .refusal = refusal};
