/* Incompressible Navier-Stokes in a rotating frame, with passive scalars (docs/numerics.md eq. 1, 16, 17):
 *   du/dt + u.grad u + 2 Omega x u = -grad p + viscosity lap u - hyperviscosity (-lap)^order u - drag u + f, div u = 0
 *   ds/dt + u.grad s + u.G = kappa lap s                                    for each scalar s of mean gradient G
 * 3 + n fields go to physical space and 5 + 3 n products come back each stage, n scalars. */
#include "solvers/spectral/hd_points.h"
#include "solvers/spectral/gpu_set.h"
#include "solvers/spectral/hd_modes.h"
#include "solvers/spectral/velocity.h"

#include <stdlib.h>

enum { MOST_SCALARS = 8, SCALAR_SUMS = TRIAD_SCALAR_SUMS };

typedef struct hd {
  triad_velocity velocity;
  int n_scalars;
  double diffusivity[MOST_SCALARS], gradient[3 * MOST_SCALARS];
  triad_decay scalar_decay[MOST_SCALARS];
  triad_hd_law law;
} hd;

#define SCALAR(n)                                                                                                     \
  {                                                                                                                   \
    {"scalar" #n, "passive scalar " #n, "S"}, {"scalar" #n "_variance", "S^2", "mean(s^2)/2 of scalar " #n},          \
        {"scalar" #n "_dissipation", "S^2/T", "kappa mean(|grad s|^2) of scalar " #n},                                \
        {"scalar" #n "_production", "S^2/T", "-G.mean(u s), what the mean gradient of scalar " #n " brings in"},      \
        {"S" #n, "S^2", "variance of scalar " #n " in the shell, sum over it of |s_k|^2/2"},                          \
        {{"T_S" #n, "S^2/T", "transfer of the variance of scalar " #n " into the shell, by advection"},               \
         {"Pi_S" #n, "S^2/T", "its flux past the shell, minus the sum of T_S" #n " up to it"},                        \
         2 + n, 1, 1},                                                                                                \
  }
static const struct {
  triad_field_info field;
  triad_column_info variance, dissipation, production, spectrum;
  triad_transfer_info transfer;
} scalar[MOST_SCALARS] = {SCALAR(1), SCALAR(2), SCALAR(3), SCALAR(4), SCALAR(5), SCALAR(6), SCALAR(7), SCALAR(8)};

static void shape_scalars(triad_shape *shape, int n)
{
  for (int s = 0; s < n; s++) {
    shape->fields[shape->n_fields++] = scalar[s].field;
    shape->columns[shape->n_columns++] = scalar[s].variance;
    shape->columns[shape->n_columns++] = scalar[s].dissipation;
    shape->columns[shape->n_columns++] = scalar[s].production;
    shape->spectra[shape->n_spectra++] = scalar[s].spectrum;
    shape->transfers[shape->n_transfers++] = scalar[s].transfer;
    shape->n_sums += SCALAR_SUMS;
  }
}

static int create(void **self, triad_shape *shape, const triad_grid *grid, const triad_case *given)
{
  hd *h = *self = calloc(1, sizeof *h);
  if (!h) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the hd solver");
  triad_velocity_create(&h->velocity, grid, given);
  h->n_scalars = triad_case_list(given, "equations.scalars", h->diffusivity, MOST_SCALARS);
  int n = triad_case_list(given, "equations.scalar_gradients", h->gradient, 3 * MOST_SCALARS);
  if (n != 0 && n != 3 * h->n_scalars)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "equations.scalar_gradients has %d values, but %d scalars want %d (or none)", n,
                      h->n_scalars, 3 * h->n_scalars);
  h->law = triad_velocity_law(&h->velocity);
  for (int s = 0; s < h->n_scalars; s++) h->scalar_decay[s] = (triad_decay){.viscosity = h->diffusivity[s]};
  h->law.n_scalars = h->n_scalars;
  h->law.scalar_decay = h->scalar_decay;
  h->law.gradient = h->gradient;
  triad_velocity_shape(shape);
  shape_scalars(shape, h->n_scalars);
  shape->n_passes = 1;
  shape->pass[0].n_in = 3 + h->n_scalars;
  shape->pass[0].n_out = 5 + 3 * h->n_scalars;
  return TRIAD_OK;
}

static void destroy(void **self)
{
  free(*self);
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

static void scalar_rates(const hd *h, int s, const triad_block *b, int64_t j, const triad_cplx *const *u,
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

static void rates(const void *self, const triad_block *b, int64_t j, const triad_cplx *const *u,
                  const triad_cplx *const *t, triad_lane_row *r)
{
  const hd *h = self;
  triad_velocity_rates(&h->velocity, b, j, u, t, NULL, r);
  for (int s = 0; s < h->n_scalars; s++) scalar_rates(h, s, b, j, u, t + 5 + 3 * s, r[3 + s]);
}

static triad_decay decay(const void *self, int field)
{
  const hd *h = self;
  return field < 3 ? h->velocity.decay : (triad_decay){.viscosity = h->diffusivity[field - 3]};
}

static double frequency(const void *self) { return triad_velocity_frequency(&((const hd *)self)->velocity); }

#ifdef TRIAD_CUDA
extern const triad_gpu_set TRIAD_NAME(gpu_set_hd);
#endif

static const triad_gpu_set *gpu(const void *self, const void **law)
{
  const hd *h = self;
  *law = &h->law;
#ifdef TRIAD_CUDA
  return &TRIAD_NAME(gpu_set_hd);
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

static void series(const void *self, const double *sums, const triad_moment *moment, double *columns)
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

static void transfers(const void *self, int part, const triad_block *b, int64_t j, const triad_cplx *const *u,
                      const triad_cplx *const *t, triad_lane_reals *transfer)
{
  const hd *h = self;
  (void)part;
  triad_velocity_transfer(&h->velocity, b, j, u, t, 1, transfer[0]);
  for (int s = 0; s < h->n_scalars; s++)
    triad_velocity_scalar_transfer(b, j, u[3 + s], t + 5 + 3 * s, transfer[1 + s]);
}

const triad_equations TRIAD_NAME(equations_hd) = {
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
