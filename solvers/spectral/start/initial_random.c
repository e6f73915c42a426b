/* Set random solenoidal fields and scalars from the keys of a case. */
#include "solvers/spectral/start/initial_random.h"

#include "solvers/spectral/start/randomfield.h"

#include <string.h>

static triad_random_spectrum spectrum_of(const triad_case *given, double energy, double helicity)
{
  double range[2];
  triad_case_reals(given, "initial.k_range", range, 2);
  return (triad_random_spectrum){.seed = (uint64_t)triad_case_integer(given, "initial.seed"),
                                 .energy = energy,
                                 .helicity = helicity,
                                 .power_law = triad_case_is(given, "initial.spectrum", "power-law"),
                                 .slope = triad_case_real(given, "initial.slope"),
                                 .lowest = range[0],
                                 .highest = range[1],
                                 .peak = (double)triad_case_integer(given, "initial.wavenumber")};
}

int triad_initial_random(triad_flow *flow, double energy, int magnetic)
{
  const triad_case *given = flow->given;
  triad_cplx *const *u = flow->u + triad_shape_group(&flow->shape, "velocity").first;
  triad_random_spectrum of_u = spectrum_of(given, energy, triad_case_real(given, "initial.helicity"));
  if (!magnetic || !triad_case_applies(given, "initial.magnetic_energy"))
    return triad_random_field(flow->context, flow->layout, &of_u, u);
  triad_random_spectrum of_b = spectrum_of(given, triad_case_real(given, "initial.magnetic_energy"),
                                           triad_case_real(given, "initial.magnetic_helicity"));
  return triad_random_pair(flow->context, flow->layout, &of_u, &of_b, triad_case_real(given, "initial.cross_helicity"),
                           u, flow->u + triad_shape_group(&flow->shape, "magnetic field").first);
}

int triad_initial_random_scalars(triad_flow *flow)
{
  const triad_case *given = flow->given;
  int number = 0;
  for (int f = 0; f < flow->shape.n_fields; f++) {
    const triad_field_info *field = &flow->shape.fields[f];
    if (field->role != TRIAD_ROLE_SCALAR) continue;
    int theta = strcmp(field->name, "theta") == 0;
    double energy = triad_case_real(given, theta ? "initial.potential_energy" : "initial.scalar_variance");
    triad_random_spectrum spectrum = spectrum_of(given, energy, 0);
    if (energy > 0) TRIAD_TRY(triad_random_scalar(flow->context, flow->layout, &spectrum, number, flow->u[f]));
    number++;
  }
  return TRIAD_OK;
}
