/* Passive scalars: their fields, products at points, rates and budgets. */
#include "solvers/spectral/equations/scalars.h"

#include "solvers/spectral/equations/loops.h"
#include "solvers/spectral/equations/velocity.h"
#include "solvers/spectral/equations/plain/velocity_chains.h"

#include <stdlib.h>

int triad_scalars_of_case(triad_scalar_constants *c, const triad_case *given)
{
  int n = triad_case_length(given, "equations.scalars"), m = triad_case_length(given, "equations.scalar_gradients");
  *c = (triad_scalar_constants){.n = n};
  c->decay = calloc((size_t)n + 1, sizeof *c->decay);
  c->gradient = calloc(3 * (size_t)n + 1, sizeof *c->gradient);
  double *diffusivity = calloc((size_t)n + 1, sizeof *diffusivity);
  int st = c->decay && c->gradient && diffusivity ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d scalars", n);
  if (st == TRIAD_OK) {
    (void)triad_case_list(given, "equations.scalars", diffusivity, n);
    (void)triad_case_list(given, "equations.scalar_gradients", c->gradient, m < 3 * n ? m : 3 * n);
    for (int s = 0; s < n; s++) c->decay[s] = (triad_decay){.viscosity = diffusivity[s]};
  }
  free(diffusivity);
  return st;
}

void triad_scalars_free(triad_scalar_constants *c)
{
  free(c->decay);
  free(c->gradient);
  *c = (triad_scalar_constants){0};
}

/* Of scalar number n, counted from 1: its field, columns, a spectrum, a transfer with its flux. */
static int shape_scalar(triad_shape *shape, int n)
{
  const int field = shape->n_fields;
  const triad_field_info info = {triad_shape_text(shape, "scalar%d", n),
                                 triad_shape_text(shape, "passive scalar %d", n), "S", TRIAD_SCALAR};
  const triad_column_info columns[TRIAD_SCALAR_COLUMNS] = {
    {triad_shape_text(shape, "scalar%d_variance", n), "S^2",
     .formula = triad_shape_text(shape, "mean(s^2)/2 of scalar %d", n)},
    {triad_shape_text(shape, "scalar%d_dissipation", n), "S^2/T",
     .formula = triad_shape_text(shape, "kappa mean(|grad s|^2) of scalar %d", n)},
    {triad_shape_text(shape, "scalar%d_production", n), "S^2/T",
     .formula = triad_shape_text(shape, "-G.mean(u s), production by the mean gradient of scalar %d", n)},
    {triad_shape_text(shape, "scalar%d_kmax_eta", n), "1",
     triad_shape_text(shape, "k_max eta_B of scalar %d, eta_B = (kappa^2/(2 enstrophy))^(1/4)", n), TRIAD_LIMIT_ETA},
    {triad_shape_text(shape, "scalar%d_tail", n), "1",
     triad_shape_text(shape, "fraction of mean(|grad s|^2) of scalar %d in the outermost fifth of wavenumbers", n),
     TRIAD_LIMIT_TAIL}};
  const triad_column_info spectrum = {
    triad_shape_text(shape, "S%d", n), "S^2",
    .formula = triad_shape_text(shape, "variance of scalar %d in the shell, sum over it of |s_k|^2/2", n)};
  const triad_transfer_info transfer = {
    {triad_shape_text(shape, "T_S%d", n), "S^2/T",
     .formula = triad_shape_text(shape, "transfer of the variance of scalar %d into the shell, by advection", n)},
    {triad_shape_text(shape, "Pi_S%d", n), "S^2/T",
     .formula = triad_shape_text(shape, "flux of the variance past the shell, minus the cumulative sum of T_S%d", n)},
    field,
    1,
    1};
  TRIAD_TRY(triad_shape_add_fields(shape, 1, &info));
  TRIAD_TRY(triad_shape_add_columns(shape, TRIAD_SCALAR_COLUMNS, columns));
  TRIAD_TRY(triad_shape_add_spectra(shape, 1, &spectrum));
  TRIAD_TRY(triad_shape_add_transfers(shape, 1, &transfer));
  shape->n_sums += TRIAD_SCALAR_SUMS;
  shape->pass[0].n_in++;
  shape->pass[0].n_out += TRIAD_SCALAR_FLUXES;
  shape->pass[0].chains.unit[TRIAD_CHAINS_OF_SCALARS].count++;
  return TRIAD_OK;
}

int triad_scalars_shape(const triad_scalar_constants *c, triad_shape *shape)
{
  for (int n = 1; n <= c->n; n++) TRIAD_TRY(shape_scalar(shape, n));
  return TRIAD_OK;
}

void triad_scalars_points(const triad_scalar_constants *c, int64_t n, triad_real *const *u, triad_real *const *s,
                          triad_real *const *flux)
{
  for (int i = 0; i < c->n; i++) triad_scalar_fluxes(n, u, s[i], flux + TRIAD_SCALAR_FLUXES * i);
}

static void rates_of_one(const double *gradient, const triad_batch *b, int64_t j, const triad_cplx *const *u,
                         const triad_cplx *const *flux, triad_cplx *r)
{
  const triad_layout *l = b->layout;
  const double *wx = l->wx + b->block * TRIAD_LANES, *wy = l->wy + b->block * TRIAD_LANES;
  const triad_real g[3] = {(triad_real)gradient[0], (triad_real)gradient[1], (triad_real)gradient[2]};
  for (int i = 0; i < TRIAD_LANES; i++) {
    const triad_real k[3] = {(triad_real)wx[i], (triad_real)wy[i], (triad_real)l->wz[j]};
    const triad_cplx v[3] = {u[0][i], u[1][i], u[2][i]}, f[TRIAD_SCALAR_TERMS] = {flux[0][i], flux[1][i]};
    r[i] = triad_scalar_mode(g, k, v, f);
  }
}

void triad_scalars_rates(const triad_scalar_constants *c, const triad_batch *b, int64_t j, const triad_cplx *const *u,
                         const triad_cplx *const *flux, triad_lane_row *r)
{
  for (int s = 0; s < c->n; s++) rates_of_one(c->gradient + 3 * s, b, j, u, flux + TRIAD_SCALAR_TERMS * s, r[s]);
}

static void sums_of_one(const triad_decay *d, const triad_edge *edge, const triad_layout *l, int64_t column,
                        const triad_cplx *const *u, const triad_cplx *s, double *sums)
{
  const triad_cplx *const fields[4] = {u[0], u[1], u[2], s};
  for (int i = 0; i < TRIAD_SCALAR_SUMS; i++) sums[i] = 0;
  for (int64_t j = 0; j < l->nkz; j++) {
    triad_wave_numbers k;
    double share[TRIAD_SCALAR_SUMS];
    triad_cplx v[4];
    triad_mode_pick(l, column, j, 4, fields, &k, v);
    triad_scalar_mode_sums(d, edge, &k, v[3], v, share);
    for (int i = 0; i < TRIAD_SCALAR_SUMS; i++) sums[i] += share[i];
  }
  for (int i = 0; i < TRIAD_SCALAR_SUMS; i++) sums[i] *= l->weight[column];
}

void triad_scalars_sums(const triad_scalar_constants *c, const triad_edge *edge, const triad_layout *l, int64_t column,
                        const triad_cplx *const *u, const triad_cplx *const *s, double *sums)
{
  for (int i = 0; i < c->n; i++) sums_of_one(&c->decay[i], edge, l, column, u, s[i], sums + TRIAD_SCALAR_SUMS * i);
}

void triad_scalars_series(const triad_scalar_constants *c, const triad_grid *grid, double enstrophy, const double *sums,
                          double *columns)
{
  for (int s = 0; s < c->n; s++) {
    const double *mine = sums + TRIAD_SCALAR_SUMS * s, *g = c->gradient + 3 * s;
    const double *flux = mine + TRIAD_SCALAR_SUM_FLUX;
    double *to = columns + TRIAD_SCALAR_COLUMNS * s;
    to[0] = mine[0];
    to[1] = mine[1];
    to[2] = -(g[0] * flux[0] + g[1] * flux[1] + g[2] * flux[2]);
    to[3] = triad_velocity_resolution(grid, c->decay[s].viscosity, enstrophy);
    to[4] = triad_velocity_tail(mine[TRIAD_SCALAR_SUM_EDGE], mine[TRIAD_SCALAR_SUM_SLOPE]);
  }
}

void triad_scalars_densities(const triad_scalar_constants *c, const triad_layout *l, int64_t column, int64_t j,
                             const triad_cplx *const *s, double *d)
{
  int64_t at = triad_layout_place(l, column, j);
  for (int i = 0; i < c->n; i++) d[i] = l->weight[column] * triad_mode_square(s[i][at]) / 2;
}

static void transfers_of_one(const triad_batch *b, int64_t j, const triad_cplx *s, const triad_cplx *const *flux,
                             double *transfer)
{
  const triad_layout *l = b->layout;
  const double *wx = l->wx + b->block * TRIAD_LANES, *wy = l->wy + b->block * TRIAD_LANES;
  for (int i = 0; i < TRIAD_LANES; i++) {
    const triad_real k[3] = {(triad_real)wx[i], (triad_real)wy[i], (triad_real)l->wz[j]};
    const triad_cplx f[TRIAD_SCALAR_TERMS] = {flux[0][i], flux[1][i]};
    transfer[i] += triad_scalar_mode_transfer(k, s[i], f);
  }
}

void triad_scalars_transfers(const triad_scalar_constants *c, const triad_batch *b, int64_t j,
                             const triad_cplx *const *s, const triad_cplx *const *flux, triad_lane_reals *transfers)
{
  for (int i = 0; i < c->n; i++) transfers_of_one(b, j, s[i], flux + TRIAD_SCALAR_TERMS * i, transfers[i]);
}
