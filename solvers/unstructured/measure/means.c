/* Time averages and covariances of density, velocity and pressure, weighted with the step's length, from
 * output.means_from on. They are additional fields of the state, so checkpoints contain them. */
#include "solvers/unstructured/measure/means.h"
#include "solvers/unstructured/state/flow.h"

#include <string.h>

const triad_field_info triad_unstructured_mean_fields[TRIAD_UNSTRUCTURED_MEANS] = {
  {"mean_rho", "mean density", "M/L^3", TRIAD_SCALAR},    {"mean_u", "mean velocity along x", "U", TRIAD_SCALAR},
  {"mean_v", "mean velocity along y", "U", TRIAD_SCALAR}, {"mean_w", "mean velocity along z", "U", TRIAD_SCALAR},
  {"mean_p", "mean pressure", "M/(L T^2)", TRIAD_SCALAR}, {"stress_uu", "mean of u' u'", "U^2", TRIAD_SCALAR},
  {"stress_vv", "mean of v' v'", "U^2", TRIAD_SCALAR},    {"stress_ww", "mean of w' w'", "U^2", TRIAD_SCALAR},
  {"stress_uv", "mean of u' v'", "U^2", TRIAD_SCALAR},    {"stress_uw", "mean of u' w'", "U^2", TRIAD_SCALAR},
  {"stress_vw", "mean of v' w'", "U^2", TRIAD_SCALAR},    {"variance_p", "mean of p' p'", "M^2 U^4/L^6", TRIAD_SCALAR}};

int triad_unstructured_means_take(triad_unstructured_flow *f)
{
  if (!f->setup.means) return TRIAD_OK;
  return triad_unstructured_take_numbers(f->context->memory, "means", f->domain->n_cells, TRIAD_UNSTRUCTURED_MEANS,
                                         &f->mean);
}

int triad_unstructured_means_clear(triad_unstructured_flow *f)
{
  f->mean_time = 0;
  for (int i = 0; i < TRIAD_UNSTRUCTURED_MEANS && f->mean.at; i++) {
    void *here;
    TRIAD_TRY(triad_state_overwrite(f->state, TRIAD_UNSTRUCTURED_FIELDS + i, TRIAD_HOST, &here));
    memset(here, 0, (size_t)f->domain->n_cells * sizeof *f->mean.at);
  }
  return TRIAD_OK;
}

void triad_unstructured_means_add(triad_unstructured_flow *f, double dt)
{
  if (!f->setup.means || f->at.t - dt < f->setup.means_from * (1 - 1e-12)) return;
  f->mean_time += dt;
  f->loops->mean(f, dt / f->mean_time);
}
