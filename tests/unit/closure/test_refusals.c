/* Which cases with a subgrid model a GPU refuses, and that it says so.
 * ranks: 1   threads: 1   quick: 1 */
#include "cases.h"
#include "solvers/spectral/devices.h"
#include "solvers/staggered/gpu/device.h"

static const char *refused(const triad_device_support *devices, const char *solver, const char *model)
{
  char equations[64], closure[64];
  int status;
  (void)snprintf(equations, sizeof equations, "equations.solver=\"%s\"", solver);
  (void)snprintf(closure, sizeof closure, "closure.model=\"%s\"", model);
  triad_case *c = parsed(SMALLEST, &status, equations, closure, NULL);
  TRIAD_EQUAL(status, TRIAD_OK, solver);
  const char *why = status == TRIAD_OK ? devices->refusal(c) : "";
  triad_case_destroy(&c);
  return why;
}

TRIAD_TEST(a_gpu_refuses_subgrid_models_where_it_has_none)
{
  const char *why = refused(&triad_staggered_devices, "staggered", "wale");
  TRIAD_HOLDS(why && strstr(why, "subgrid models"), "staggered: %s", why ? why : "not refused");
  TRIAD_HOLDS(!refused(&triad_staggered_devices, "staggered", "none"), "staggered without one is refused");
}

/* Models that GPUs lack are refused by the GPU part: tests/unit/spectral/test_closure_gpu.c. */
TRIAD_TEST(a_gpu_has_subgrid_models_of_spectral_flows)
{
  static const char *const solvers[] = {"hd", "boussinesq"};
  for (int i = 0; i < 2; i++) {
    const char *why = refused(&triad_spectral_devices, solvers[i], "wale");
    TRIAD_HOLDS(!why, "%s: %s", solvers[i], why ? why : "");
    TRIAD_HOLDS(!refused(&triad_spectral_devices, solvers[i], "none"), "%s without one is refused", solvers[i]);
  }
}

TRIAD_MAIN
