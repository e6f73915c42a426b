/* Incompressible Navier-Stokes in a rotating frame, with passive scalars (docs/numerics.md eq. 1, 16, 17):
 *   du/dt + u.grad u + 2 Omega x u = -grad p + viscosity lap u - hyperviscosity (-lap)^order u - drag u + f, div u = 0
 *   ds/dt + u.grad s + u.G = kappa lap s                                    for each scalar s of mean gradient G
 * 3 + n fields go to physical space and 5 + 3 n products come back each stage, n scalars. */
#include "solvers/spectral/equations/hd_points.h"
#include "solvers/spectral/equations/gpu_set.h"
#include "solvers/spectral/equations/hd_modes.h"
#include "solvers/spectral/equations/velocity.h"

#include <stdlib.h>

enum { SCALAR_SUMS = TRIAD_SCALAR_SUMS };

typedef struct hd {
  triad_velocity velocity;
  int n_scalars;
  double *diffusivity, *gradient; /* [n_scalars], [n_scalars][3] */
  triad_decay *scalar_decay;      /* [n_scalars] */
  triad_hd_law law;
} hd;

/* Of scalar number n, counted from 1: its field, three columns, a spectrum, a transfer with its flux. */
static int shape_scalar(triad_shape *shape, int n)
{
  const triad_field_info field = {triad_shape_text(shape, "scalar%d", n), triad_shape_text(shape, "passive scalar %d", n),
                                  "S", TRIAD_SCALAR};
  const triad_column_info columns[] = {
      {triad_shape_text(shape, "scalar%d_variance", n), "S^2", triad_shape_text(shape, "mean(s^2)/2 of scalar %d", n)},
      {triad_shape_text(shape, "scalar%d_dissipation", n), "S^2/T",
       triad_shape_text(shape, "kappa mean(|grad s|^2) of scalar %d", n)},
      {triad_shape_text(shape, "scalar%d_production", n), "S^2/T",
       triad_shape_text(shape, "-G.mean(u s), what the mean gradient of scalar %d brings in", n)}};
  const triad_column_info spectrum = {
      triad_shape_text(shape, "S%d", n), "S^2",
      triad_shape_text(shape, "variance of scalar %d in the shell, sum over it of |s_k|^2/2", n)};
  const triad_transfer_info transfer = {
      {triad_shape_text(shape, "T_S%d", n), "S^2/T",
       triad_shape_text(shape, "transfer of the variance of scalar %d into the shell, by advection", n)},
      {triad_shape_text(shape, "Pi_S%d", n), "S^2/T",
       triad_shape_text(shape, "its flux past the shell, minus the sum of T_S%d up to it", n)},
      2 + n, 1, 1};
  TRIAD_TRY(triad_shape_add_fields(shape, 1, &field));
  TRIAD_TRY(triad_shape_add_columns(shape, 3, columns));
  TRIAD_TRY(triad_shape_add_spectra(shape, 1, &spectrum));
  TRIAD_TRY(triad_shape_add_transfers(shape, 1, &transfer));
  shape->n_sums += SCALAR_SUMS;
  return TRIAD_OK;
}

static int create_scalars(hd *h, const triad_case *given)
{
  int n = triad_case_length(given, "equations.scalars"), m = triad_case_length(given, "equations.scalar_gradients");
  if (m != 0 && m != 3 * n)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "equations.scalar_gradients has %d values, but %d scalars want %d (or none)", m, n,
                      3 * n);
  h->n_scalars = n;
  h->diffusivity = calloc((size_t)n + 1, sizeof *h->diffusivity);
  h->gradient = calloc(3 * (size_t)n + 1, sizeof *h->gradient);
  h->scalar_decay = calloc((size_t)n + 1, sizeof *h->scalar_decay);
  if (!h->diffusivity || !h->gradient || !h->scalar_decay) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d scalars", n);
  (void)triad_case_list(given, "equations.scalars", h->diffusivity, n);
  (void)triad_case_list(given, "equations.scalar_gradients", h->gradient, m);
  for (int s = 0; s < n; s++) h->scalar_decay[s] = (triad_decay){.viscosity = h->diffusivity[s]};
  return TRIAD_OK;
}

static int create(void **self, triad_shape *shape, const triad_grid *grid, const triad_case *given)
{
  hd *h = *self = calloc(1, sizeof *h);
  if (!h) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the hd solver");
  triad_velocity_create(&h->velocity, grid, given);
  TRIAD_TRY(create_scalars(h, given));
  h->law = triad_velocity_law(&h->velocity);
  h->law.n_scalars = h->n_scalars;
  h->law.scalar_decay = h->scalar_decay;
  h->law.gradient = h->gradient;
  TRIAD_TRY(triad_velocity_shape(shape));
  TRIAD_TRY(triad_shape_add_transfers(shape, 1, &triad_velocity_transfer_info));
  for (int n = 1; n <= h->n_scalars; n++) TRIAD_TRY(shape_scalar(shape, n));
  shape->n_passes = 1;
  shape->pass[0].n_in = 3 + h->n_scalars;
  shape->pass[0].n_out = 5 + 3 * h->n_scalars;
  return TRIAD_OK;
}

static void destroy(void **self)
{
  hd *h = *self;
  free(h->diffusivity);
  free(h->gradient);
  free(h->scalar_decay);
  free(h);
  *self = NULL;
}

static void points(void *self, int pass, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                   double *peaks)
{
  const hd *h = self;
  (void)pass;
  triad_velocity_products(&h->velocity, at->n, in, out, peaks);
  for (int s = 0; s < h->n_scalars; s++)
    for (int c = 0; c < 3; c++) {
      const triad_real *u = in[c], *theta = in[3 + s];
      triad_real *flux = out[5 + 3 * s + c];
#pragma omp simd
      for (int64_t i = 0; i < at->n; i++) flux[i] = u[i] * theta[i];
    }
}

static void scalar_rates(const hd *h, int s, const triad_batch *b, int64_t j, const triad_cplx *const *u,
                         const triad_cplx *const *flux, triad_cplx *r)
{
  const triad_layout *l = b->layout;
  const double *wx = l->wx + b->block * TRIAD_LANES, *wy = l->wy + b->block * TRIAD_LANES, *g = h->gradient + 3 * s;
  for (int i = 0; i < TRIAD_LANES; i++) {
    const triad_real k[3] = {(triad_real)wx[i], (triad_real)wy[i], (triad_real)l->wz[j]};
    const triad_cplx f[3] = {flux[0][i], flux[1][i], flux[2][i]};
    r[i] = triad_hd_flux(k, f);
    for (int c = 0; c < 3; c++) {
      r[i].re -= (triad_real)g[c] * u[c][i].re;
      r[i].im -= (triad_real)g[c] * u[c][i].im;
    }
  }
}

static void rates(const void *self, const triad_batch *b, int64_t j, const triad_cplx *const *u,
                  const triad_cplx *const *t, triad_lane_row *r)
{
  const hd *h = self;
  triad_velocity_rates(&h->velocity, b, j, u, t, NULL, r);
  for (int s = 0; s < h->n_scalars; s++) scalar_rates(h, s, b, j, u, t + 5 + 3 * s, r[3 + s]);
}

static triad_decay decay(const void *self, int field)
{
  const hd *h = self;
  return field < 3 ? h->velocity.decay : h->scalar_decay[field - 3];
}

static double frequency(const void *self) { return triad_velocity_frequency(&((const hd *)self)->velocity); }

#ifdef TRIAD_CUDA
extern const triad_gpu_set triad_gpu_set_hd;
#endif

static const triad_gpu_set *gpu(const void *self, const void **law)
{
  const hd *h = self;
  *law = &h->law;
#ifdef TRIAD_CUDA
  return &triad_gpu_set_hd;
#else
  return NULL;
#endif
}

static void extremes(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  (void)out;
  triad_velocity_extremes(((const hd *)self)->velocity.per_spacing, at, in, peaks);
}

static void sums(const void *self, const triad_layout *l, int64_t column, const triad_cplx *const *u, double *sums)
{
  const hd *h = self;
  triad_velocity_sums(l, &h->velocity.decay, column, u, sums);
  for (int s = 0; s < h->n_scalars; s++) {
    double *mine = sums + TRIAD_VELOCITY_SUMS + SCALAR_SUMS * s, part[3];
    triad_decay d = decay(self, 3 + s);
    for (int c = 0; c < 3; c++) {
      triad_velocity_scalar_sums(l, &d, column, u[3 + s], u[c], part);
      mine[2 + c] = part[2];
    }
    mine[0] = part[0];
    mine[1] = part[1];
  }
}

static void series(const void *self, const double *sums, const triad_series_inputs *moment, double *columns)
{
  const hd *h = self;
  triad_velocity_series(&h->velocity.grid, h->velocity.decay.viscosity, sums, moment, columns);
  for (int s = 0; s < h->n_scalars; s++) {
    const double *mine = sums + TRIAD_VELOCITY_SUMS + SCALAR_SUMS * s, *g = h->gradient + 3 * s;
    double *c = columns + TRIAD_VELOCITY_COLUMNS + 3 * s;
    c[0] = mine[0];
    c[1] = mine[1];
    c[2] = -(g[0] * mine[2] + g[1] * mine[3] + g[2] * mine[4]);
  }
}

static void densities(const void *self, const triad_layout *l, int64_t column, int64_t j, const triad_cplx *const *u,
                      double *d)
{
  const hd *h = self;
  triad_velocity_densities(l, column, j, u, d);
  for (int s = 0; s < h->n_scalars; s++) {
    triad_cplx v = u[3 + s][triad_layout_place(l, column, j)];
    d[TRIAD_VELOCITY_SPECTRA + s] =
        l->weight[column] * ((double)v.re * (double)v.re + (double)v.im * (double)v.im) / 2;
  }
}

static void transfers(const void *self, int part, const triad_batch *b, int64_t j, const triad_cplx *const *u,
                      const triad_cplx *const *t, triad_lane_reals *transfer)
{
  const hd *h = self;
  (void)part;
  triad_velocity_transfer(&h->velocity, b, j, u, t, 1, transfer[0]);
  for (int s = 0; s < h->n_scalars; s++)
    triad_velocity_scalar_transfer(b, j, u[3 + s], t + 5 + 3 * s, transfer[1 + s]);
}

const triad_equations triad_equations_hd = {
    .name = "hd",
    .about = "incompressible Navier-Stokes",
    .create = create,
    .destroy = destroy,
    .points = points,
    .rates = rates,
    .decay = decay,
    .gpu = gpu,
    .frequency = frequency,
    .extremes = extremes,
    .sums = sums,
    .series = series,
    .densities = densities,
    .transfers = transfers,
};
