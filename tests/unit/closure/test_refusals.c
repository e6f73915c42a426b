/* A GPU refuses cases with a subgrid model, and says so; without one it does not.
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

TRIAD_TEST(a_gpu_refuses_subgrid_models)
{
  static const char *const solvers[] = {"hd", "boussinesq", "staggered"};
  for (int i = 0; i < 3; i++) {
    const triad_device_support *devices = i < 2 ? &triad_spectral_devices : &triad_staggered_devices;
    const char *why = refused(devices, solvers[i], "wale");
    TRIAD_HOLDS(why && strstr(why, "subgrid models"), "%s: %s", solvers[i], why ? why : "not refused");
    TRIAD_HOLDS(!refused(devices, solvers[i], "none"), "%s without one is refused", solvers[i]);
  }
}

TRIAD_MAIN
