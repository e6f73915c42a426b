/* Set the mean velocity, the mode of wavenumber 0. */
#include "solvers/spectral/start/mean.h"

void triad_initial_mean(triad_flow *flow)
{
  const triad_layout *l = flow->layout;
  const int first = triad_shape_group(&flow->shape, "velocity").first;
  double mean[3];
  if (first < 0 || !triad_case_applies(flow->given, "equations.mean_velocity")) return;
  triad_case_reals(flow->given, "equations.mean_velocity", mean, 3);
  for (int64_t c = 0; c < l->n_columns; c++)
    for (int a = 0; a < 3 && l->kx[c] == 0 && l->ky[c] == 0; a++)
      flow->u[first + a][triad_layout_place(l, c, 0)] = (triad_cplx){(triad_real)mean[a], 0};
}
