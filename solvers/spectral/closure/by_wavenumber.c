/* The spectral eddy viscosity of Chollet and Lesieur 1981, J. Atmos. Sci. 38, 2747, on modes:
 *   nu_t(k) = sqrt(E(k_c)/k_c) C_K^(-3/2) (0.441 + 15.2 exp(-3.03 k_c/k)),
 * with E(k_c) from the last whole shell of the grid, continued to k_c as k^(-5/3). Modes beyond k_c, in the corners
 * of a box, have the value at k_c. */
#include "solvers/spectral/closure/closure_internal.h"
#include "solvers/spectral/equations/mode_points.h"

#include "solvers/spectral/plain/spectra.h"

#include <math.h>

int triad_closure_wavenumber_create(triad_closure *c, const triad_flow *flow)
{
  const triad_layout *l = flow->layout;
  const triad_grid *g = &flow->grid;
  const double unit = triad_grid_k_min(g), constant = triad_case_real(flow->given, "closure.kolmogorov_constant");
  c->k_c = INFINITY;
  for (int i = 0; i < 3; i++)
    if (g->n[i] > 1) c->k_c = fmin(c->k_c, triad_grid_reach(g, i));
  const double last = floor(c->k_c / unit - 0.5 + 1e-9);
  if (!(last >= 1)) return TRIAD_FAIL(TRIAD_ERR_CASE, "closure.model = \"spectral\" requires a finer grid");
  c->shell[0] = (last - 0.5) * (last - 0.5) * unit * unit;
  c->shell[1] = (last + 0.5) * (last + 0.5) * unit * unit;
  c->shell_part = pow(last * unit / c->k_c, 5.0 / 3) / unit;
  TRIAD_TRY(TRIAD_ALLOC(flow->context->memory, "closure", l->modes, &c->shape));
  for (int64_t column = 0; column < l->n_columns; column++)
    for (int64_t j = 0; j < l->nkz; j++) {
      const double k2 = triad_layout_size2(l, column, j), k = fmin(sqrt(k2), c->k_c);
      c->shape[triad_layout_place(l, column, j)] =
        k > 0 ? (triad_real)(k2 * pow(constant, -1.5) * (0.441 + 15.2 * exp(-3.03 * c->k_c / k))) : 0;
    }
  return TRIAD_OK;
}

static void add_shell(const void *self, const triad_flow *flow, int64_t column, triad_sum *sums)
{
  const triad_closure *c = self;
  const triad_layout *l = flow->layout;
  for (int64_t j = 0; j < l->nkz; j++) {
    const double k2 = triad_layout_size2(l, column, j);
    if (k2 < c->shell[0] || k2 >= c->shell[1]) continue;
    const int64_t at = triad_layout_place(l, column, j);
    const triad_cplx u[3] = {flow->u[0][at], flow->u[1][at], flow->u[2][at]};
    triad_sum_add(sums, l->weight[column] *
                          (triad_mode_square(u[0]) + triad_mode_square(u[1]) + triad_mode_square(u[2])) / 2);
  }
}

int triad_closure_wavenumber_amplitude(triad_closure *c, const triad_flow *flow)
{
  double energy;
  TRIAD_TRY(triad_columns_sum(flow, 1, add_shell, c, &energy));
  c->amplitude = sqrt(energy * c->shell_part / c->k_c);
  const double constant = triad_case_real(flow->given, "closure.kolmogorov_constant");
  c->nu_max = c->amplitude * pow(constant, -1.5) * (0.441 + 15.2 * exp(-3.03));
  return TRIAD_OK;
}

/* nu_t k^2, or kappa_t k^2, over shape[] at a mode. */
static double part_of(const triad_closure *c, int field) { return c->amplitude * (field < 3 ? 1 : c->per_prandtl); }

void triad_closure_rates(const triad_closure *c, int64_t at, const triad_cplx *const *u, triad_lane_row *n)
{
  if (!c || !c->shape) return;
  for (int f = 0; f < c->n_fields; f++) {
    const triad_real part = (triad_real)part_of(c, f);
    for (int i = 0; i < TRIAD_LANES; i++) {
      n[f][i].re -= part * c->shape[at + i] * u[f][i].re;
      n[f][i].im -= part * c->shape[at + i] * u[f][i].im;
    }
  }
}

void triad_closure_transfer(const triad_closure *c, int64_t at, const triad_cplx *const *u, int first, int n,
                            double *transfer)
{
  if (!c || !c->shape) return;
  for (int f = first; f < first + n; f++)
    for (int i = 0; i < TRIAD_LANES; i++)
      transfer[i] -= part_of(c, f) * (double)c->shape[at + i] * triad_mode_square(u[f][i]);
}

static void add_drains(const void *self, const triad_flow *flow, int64_t column, triad_sum *sums)
{
  const triad_closure *c = self;
  const triad_layout *l = flow->layout;
  for (int64_t j = 0; j < l->nkz; j++) {
    const int64_t at = triad_layout_place(l, column, j);
    for (int f = 0; f < c->n_fields; f++)
      triad_sum_add(&sums[f < 3 ? 0 : f - 2],
                    l->weight[column] * part_of(c, f) * (double)c->shape[at] * triad_mode_square(flow->u[f][at]));
  }
}

int triad_closure_wavenumber_drains(const triad_closure *c, const triad_flow *flow, double *drains)
{
  return triad_columns_sum(flow, 1 + c->n_scalars, add_drains, c, drains);
}
