/* The gas of a set-up, in the precision of its fields. */
#include "solvers/compressible/state/internal.h"

triad_compressible_gas triad_compressible_gas_of(const triad_compressible_setup *s)
{
  triad_compressible_gas g = {.gamma = (triad_real)s->gamma,
                              .gm1 = (triad_real)(s->gamma - 1),
                              .per_gamma = (triad_real)(1 / s->gamma),
                              .per_gm1 = (triad_real)(1 / (s->gamma - 1)),
                              .viscosity = (triad_real)s->viscosity,
                              .heat = (triad_real)(s->viscosity / ((s->gamma - 1) * s->prandtl)),
                              .power = (triad_real)s->power,
                              .sutherland = (triad_real)s->sutherland,
                              .per_reference = (triad_real)(1 / s->reference),
                              .delta = (triad_real)s->entropy_fix,
                              .law = (int)s->law,
                              .published = s->published};
  return g;
}
