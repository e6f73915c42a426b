/* Set the modes of a shear layer and of a puff of a scalar. */
#include "solvers/spectral/start/initial_shapes.h"

#include "base/precision.h"
#include "solvers/spectral/start/initial_waves.h"

#include <math.h>
#include <stdlib.h>

static const double pi = TRIAD_PI;

int triad_initial_shear_layer_check(const triad_case *given, const triad_grid *g)
{
  int64_t m = triad_case_integer(given, "initial.wavenumber");
  if (g->kmax[2] < 1)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "initial.kind = \"shear-layer\" requires more than one point along z");
  if (triad_case_real(given, "initial.disturbance") > 0 && !triad_grid_excites(g, m, 0, 0))
    return TRIAD_FAIL(TRIAD_ERR_CASE,
                      "initial.disturbance: mode (%lld, 0, 0) is not in the grid: use a finer grid, a smaller "
                      "wavenumber or initial.disturbance = 0",
                      (long long)m);
  return TRIAD_OK;
}

int triad_initial_shear_layer(triad_flow *flow)
{
  const triad_case *given = flow->given;
  const triad_grid *g = &flow->grid;
  double amplitude = triad_case_real(given, "initial.amplitude"), d = triad_case_real(given, "initial.width");
  double theta =
    triad_case_applies(given, "initial.theta_amplitude") ? triad_case_real(given, "initial.theta_amplitude") : 0;
  double disturbance = amplitude * triad_case_real(given, "initial.disturbance");
  TRIAD_TRY(triad_initial_shear_layer_check(given, g));
  for (int64_t m = 1; m <= g->kmax[2]; m++) {
    double k = triad_grid_size_wavenumber(g, 2, m), x = pi * k * d / 2;
    if (!triad_grid_excites(g, 0, 0, m)) continue;
    /* exp(-i k L/4) - exp(-i 3 k L/4) = 2 i sin(pi m/2) exp(-i pi m) , since k L = 2 pi m */
    double turn = m % 2 == 0 ? 0 : m % 4 == 1 ? -2 : 2;
    double p = 2 / g->length[2] * x / sinh(x) * turn / k;
    const triad_wave list[2] = {{{0, 0, m}, "velocity", 0, p * amplitude, 0}, {{0, 0, m}, "theta", 0, p * theta, 0}};
    TRIAD_TRY(triad_initial_waves_add(flow, list, theta < 0 || theta > 0 ? 2 : 1));
  }
  const triad_wave push = {{triad_case_integer(given, "initial.wavenumber"), 0, 0}, "velocity", 2, disturbance / 2, 0};
  return disturbance < 0 || disturbance > 0 ? triad_initial_waves_add(flow, &push, 1) : TRIAD_OK;
}

int triad_initial_puff(triad_flow *flow)
{
  const triad_layout *l = flow->layout;
  const triad_grid *g = &flow->grid;
  double centre[3], d = triad_case_real(flow->given, "initial.width"),
                    top = triad_case_real(flow->given, "initial.amplitude");
  triad_case_reals(flow->given, "initial.centre", centre, 3);
  for (int i = 0; i < 3; i++)
    if (g->n[i] > 1) top *= sqrt(2 * pi) * d / g->length[i];
#pragma omp parallel for schedule(static)
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int64_t j = 0; j < l->nkz; j++) {
      const int32_t k[3] = {l->kx[c], l->ky[c], l->kz[j]};
      double k2 = triad_layout_size2(l, c, j);
      if (labs(k[2]) > l->kz_extent[c] || !triad_layout_excites(l, c, j) || !(k2 > 0)) continue;
      double phase = -2 * pi * (k[0] * centre[0] + k[1] * centre[1] + k[2] * centre[2]);
      double size = top * exp(-k2 * d * d / 2);
      int64_t at = triad_layout_place(l, c, j);
      for (int f = 0; f < flow->shape.n_fields; f++)
        if (flow->shape.fields[f].role == TRIAD_ROLE_SCALAR)
          flow->u[f][at] = (triad_cplx){(triad_real)(size * cos(phase)), (triad_real)(size * sin(phase))};
    }
  return TRIAD_OK;
}
