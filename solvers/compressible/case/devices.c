/* Which cases of the gas a GPU can take. */
#include "solvers/compressible/case/devices.h"
#include "solvers/compressible/case/walls.h"

static const char *refusal(const triad_case *given)
{
  if (triad_weno_walls_wanted(given))
    return "walls by formula (boundaries.wall_temperature_at, wall_velocity_at) act on the CPU";
  return triad_case_is(given, "forcing.kind", "formula")
           ? "a gas's force by formulas (forcing.kind = \"formula\") acts on the CPU"
           : NULL;
}

const triad_device_support triad_gas_devices = {.kinds = TRIAD_TAKES_GPU, .refusal = refusal};
