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

TRIAD_TEST(a_gpu_refuses_the_subgrid_models_that_it_has_not)
{
  const char *why = refused(&triad_staggered_devices, "staggered", "wale");
  TRIAD_HOLDS(why && strstr(why, "subgrid models"), "staggered: %s", why ? why : "not refused");
  TRIAD_HOLDS(!refused(&triad_staggered_devices, "staggered", "none"), "staggered without one is refused");
  static const char *const spectral[] = {"hd", "boussinesq"};
  for (int i = 0; i < 2; i++) {
    TRIAD_HOLDS(refused(&triad_spectral_devices, spectral[i], "spectral"), "%s: the spectral model is not refused",
                spectral[i]);
    TRIAD_HOLDS(refused(&triad_spectral_devices, spectral[i], "dynamic-smagorinsky"),
                "%s: the dynamic model is not refused", spectral[i]);
    TRIAD_HOLDS(!refused(&triad_spectral_devices, spectral[i], "wale"), "%s: wale is refused", spectral[i]);
    TRIAD_HOLDS(!refused(&triad_spectral_devices, spectral[i], "none"), "%s without one is refused", spectral[i]);
  }
}

TRIAD_MAIN
