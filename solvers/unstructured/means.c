/* Means and covariances of density, velocity and pressure in time, each step weighed with its length, from output.means_from
 * on: fields of the state besides the conserved ones, so that checkpoints have them. */
#include "solvers/unstructured/flow.h"

#include <string.h>

const triad_field_info triad_fct_mean_fields[TRIAD_FCT_MEANS] = {
    {"mean_rho", "mean density", "M/L^3", TRIAD_SCALAR},
    {"mean_u", "mean velocity along x", "U", TRIAD_SCALAR},
    {"mean_v", "mean velocity along y", "U", TRIAD_SCALAR},
    {"mean_w", "mean velocity along z", "U", TRIAD_SCALAR},
    {"mean_p", "mean pressure", "M U^2/L^3", TRIAD_SCALAR},
    {"stress_uu", "mean of u' u'", "U^2", TRIAD_SCALAR},
    {"stress_vv", "mean of v' v'", "U^2", TRIAD_SCALAR},
    {"stress_ww", "mean of w' w'", "U^2", TRIAD_SCALAR},
    {"stress_uv", "mean of u' v'", "U^2", TRIAD_SCALAR},
    {"stress_uw", "mean of u' w'", "U^2", TRIAD_SCALAR},
    {"stress_vw", "mean of v' w'", "U^2", TRIAD_SCALAR},
    {"variance_p", "mean of p' p'", "M^2 U^4/L^6", TRIAD_SCALAR}};

static const int factors[TRIAD_FCT_MEANS - TRIAD_FCT_FIELDS][2] = {{1, 1}, {2, 2}, {3, 3}, {1, 2}, {1, 3}, {2, 3}, {4, 4}};

int triad_fct_means_take(triad_fct_flow *f)
{
  if (!f->setup.means) return TRIAD_OK;
  triad_memory *memory = f->context->memory;
  for (int i = 0; i < TRIAD_FCT_MEANS; i++) TRIAD_TRY(TRIAD_ALLOC(memory, "means", f->domain->n_cells, &f->mean[i]));
  return TRIAD_OK;
}

void triad_fct_means_clear(triad_fct_flow *f)
{
  f->mean_time = 0;
  for (int i = 0; i < TRIAD_FCT_MEANS && f->mean[i]; i++)
    memset(f->mean[i], 0, (size_t)f->domain->n_cells * sizeof *f->mean[i]);
}

/* With the share w of the new time in all of it: m + w (q - m), and (1 - w) (c + w d d') with d = q - m, m before. */
void triad_fct_means_add(triad_fct_flow *f, double dt)
{
  const int64_t n = f->domain->n_cells;
  if (!f->setup.means || f->at.t - dt < f->setup.means_from * (1 - 1e-12)) return;
  f->mean_time += dt;
  const triad_real w = (triad_real)(dt / f->mean_time);
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t c = 0; c < n; c++) {
    triad_real d[TRIAD_FCT_FIELDS], q[TRIAD_FCT_VALUES];
    triad_fct_values_of(f, c, q);
    for (int k = 0; k < TRIAD_FCT_FIELDS; k++) {
      d[k] = q[k] - f->mean[k][c];
      f->mean[k][c] += w * d[k];
    }
    for (int i = TRIAD_FCT_FIELDS; i < TRIAD_FCT_MEANS; i++) {
      const int *pair = factors[i - TRIAD_FCT_FIELDS];
      f->mean[i][c] = (1 - w) * (f->mean[i][c] + w * d[pair[0]] * d[pair[1]]);
    }
  }
}
