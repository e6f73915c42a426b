/* Differences between points, for the derivatives in budgets. */
#include "solvers/compressible/state/differences.h"
#include "solvers/compressible/points/budget_points.h"
#include "solvers/compressible/state/internal.h"

triad_compressible_differences triad_compressible_differences_of(const triad_compressible *w)
{
  triad_compressible_differences d = {.central = w->setup.form != TRIAD_COMPRESSIBLE_UPWIND,
                                      .gas = w->gas,
                                      .gamma = w->setup.gamma,
                                      .viscosity = w->setup.viscosity};
  for (int i = 0; i < 3; i++) {
    d.step[i] = w->blocks.halo[i] > 0 ? w->blocks.stride[i] : 0;
    d.per[i] = w->per_spacing[i];
  }
  return d;
}
