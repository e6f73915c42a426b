/* Incompressible Navier-Stokes in a rotating frame, with passive scalars (docs/numerics.md eq. 1, 16, 17):
 *   du/dt + u.grad u + 2 Omega x u = -grad p + viscosity lap u - hyperviscosity (-lap)^order u - drag u + f, div u = 0
 *   ds/dt + u.grad s + u.G = kappa lap s                                    for each scalar s of mean gradient G
 * 3 + n fields go to physical space and 5 + 3 n products come back each stage, n scalars. */
#include "solvers/spectral/equations/hd_points.h"
#include "solvers/spectral/equations/loops.h"
#include "solvers/spectral/equations/velocity.h"
#include "case/rows.h"
#include "solvers/spectral/part.h"

#include <stdlib.h>

enum { SCALAR_SUMS = TRIAD_SCALAR_SUMS };

typedef struct hd {
  triad_hd_constants constants; /* first: loops.h */
  triad_grid grid;
  double *diffusivity, *gradient; /* [n_scalars], [n_scalars][3] */
  triad_decay *scalar_decay;      /* [n_scalars] */
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
  h->constants.n_scalars = n;
  h->diffusivity = calloc((size_t)n + 1, sizeof *h->diffusivity);
  h->gradient = calloc(3 * (size_t)n + 1, sizeof *h->gradient);
  h->scalar_decay = calloc((size_t)n + 1, sizeof *h->scalar_decay);
  if (!h->diffusivity || !h->gradient || !h->scalar_decay) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d scalars", n);
  (void)triad_case_list(given, "equations.scalars", h->diffusivity, n);
  (void)triad_case_list(given, "equations.scalar_gradients", h->gradient, m);
  for (int s = 0; s < n; s++) h->scalar_decay[s] = (triad_decay){.viscosity = h->diffusivity[s]};
  h->constants.scalar_decay = h->scalar_decay;
  h->constants.gradient = h->gradient;
  return TRIAD_OK;
}

static int create(void **self, triad_shape *shape, const triad_grid *grid, const triad_case *given)
{
  hd *h = *self = calloc(1, sizeof *h);
  if (!h) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the hd solver");
  h->grid = *grid;
  h->constants.velocity = triad_velocity_of_case(grid, given);
  TRIAD_TRY(create_scalars(h, given));
  TRIAD_TRY(triad_velocity_shape(shape));
  TRIAD_TRY(triad_shape_add_transfers(shape, 1, &triad_velocity_transfer_info));
  for (int n = 1; n <= h->constants.n_scalars; n++) TRIAD_TRY(shape_scalar(shape, n));
  shape->n_passes = 1;
  shape->pass[0].n_in = 3 + h->constants.n_scalars;
  shape->pass[0].n_out = 5 + 3 * h->constants.n_scalars;
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

/* ---- the velocity, and then each scalar ---- */

TRIAD_RATES_LOOP(velocity_rates, triad_hd_constants, triad_hd_mode, TRIAD_HD_FIELDS, TRIAD_HD_TERMS)
TRIAD_SUMS_LOOP(velocity_sums, triad_hd_constants, triad_hd_mode_sums, TRIAD_HD_FIELDS, TRIAD_VELOCITY_SUMS)
TRIAD_DENSITIES_LOOP(velocity_densities, triad_hd_constants, triad_hd_mode_densities, TRIAD_HD_FIELDS,
                     TRIAD_HD_DENSITIES)
TRIAD_TRANSFERS_LOOP(velocity_transfers, triad_hd_constants, triad_hd_mode_transfers, TRIAD_HD_FIELDS, TRIAD_HD_TERMS,
                     TRIAD_HD_TRANSFERS)

static void points(void *self, int pass, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                   double *peaks)
{
  const hd *h = self;
  (void)pass;
  triad_velocity_points(self, at->n, in, out, peaks);
  for (int s = 0; s < h->constants.n_scalars; s++) triad_scalar_fluxes(at->n, in, in[3 + s], out + 5 + 3 * s);
}

static void scalar_rates(const double *gradient, const triad_batch *b, int64_t j, const triad_cplx *const *u,
                         const triad_cplx *const *flux, triad_cplx *r)
{
  const triad_layout *l = b->layout;
  const double *wx = l->wx + b->block * TRIAD_LANES, *wy = l->wy + b->block * TRIAD_LANES;
  const triad_real g[3] = {(triad_real)gradient[0], (triad_real)gradient[1], (triad_real)gradient[2]};
  for (int i = 0; i < TRIAD_LANES; i++) {
    const triad_real k[3] = {(triad_real)wx[i], (triad_real)wy[i], (triad_real)l->wz[j]};
    const triad_cplx v[3] = {u[0][i], u[1][i], u[2][i]}, f[3] = {flux[0][i], flux[1][i], flux[2][i]};
    r[i] = triad_scalar_mode(g, k, v, f);
  }
}

static void rates(const void *self, const triad_batch *b, int64_t j, const triad_cplx *const *u,
                  const triad_cplx *const *t, triad_lane_row *r)
{
  const hd *h = self;
  velocity_rates(self, b, j, u, t, r);
  for (int s = 0; s < h->constants.n_scalars; s++)
    scalar_rates(h->gradient + 3 * s, b, j, u, t + 5 + 3 * s, r[3 + s]);
}

static triad_decay decay(const void *self, int field)
{
  const hd *h = self;
  return field < 3 ? h->constants.velocity.decay : h->scalar_decay[field - 3];
}

extern triad_gpu_visit triad_gpu_visit_velocity;
extern const triad_gpu_spectral triad_gpu_spectral_hd;

static const triad_gpu_set *gpu(const void *self)
{
  static const triad_gpu_set set = {
      .n_passes = 1,
      .pass = {TRIAD_GPU_PART(triad_gpu_visit_velocity)},
      .spectral = TRIAD_GPU_PART(&triad_gpu_spectral_hd)};
  (void)self;
  return &set;
}

static void scalar_sums(const triad_decay *d, const triad_layout *l, int64_t column, const triad_cplx *const *u,
                        const triad_cplx *s, double *sums)
{
  const triad_cplx *const fields[4] = {u[0], u[1], u[2], s};
  for (int i = 0; i < SCALAR_SUMS; i++) sums[i] = 0;
  for (int64_t j = 0; j < l->nkz; j++) {
    double k[3], share[SCALAR_SUMS];
    triad_cplx v[4];
    triad_mode_pick(l, column, j, 4, fields, k, v);
    triad_scalar_mode_sums(d, triad_mode_k2(k), v[3], v, share);
    for (int i = 0; i < SCALAR_SUMS; i++) sums[i] += share[i];
  }
  for (int i = 0; i < SCALAR_SUMS; i++) sums[i] *= l->weight[column];
}

static void sums(const void *self, const triad_layout *l, int64_t column, const triad_cplx *const *u, double *sums)
{
  const hd *h = self;
  velocity_sums(self, l, column, u, sums);
  for (int s = 0; s < h->constants.n_scalars; s++)
    scalar_sums(&h->scalar_decay[s], l, column, u, u[3 + s], sums + TRIAD_VELOCITY_SUMS + SCALAR_SUMS * s);
}

static void series(const void *self, const double *sums, const triad_series_inputs *inputs, double *columns)
{
  const hd *h = self;
  triad_velocity_series(&h->grid, h->constants.velocity.decay.viscosity, sums, inputs, columns);
  for (int s = 0; s < h->constants.n_scalars; s++) {
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
  int64_t at = triad_layout_place(l, column, j);
  velocity_densities(self, l, column, j, u, d);
  for (int s = 0; s < h->constants.n_scalars; s++)
    d[TRIAD_HD_DENSITIES + s] = l->weight[column] * triad_mode_square(u[3 + s][at]) / 2;
}

static void scalar_transfers(const triad_batch *b, int64_t j, const triad_cplx *s, const triad_cplx *const *flux,
                             double *transfer)
{
  const triad_layout *l = b->layout;
  const double *wx = l->wx + b->block * TRIAD_LANES, *wy = l->wy + b->block * TRIAD_LANES;
  for (int i = 0; i < TRIAD_LANES; i++) {
    const triad_real k[3] = {(triad_real)wx[i], (triad_real)wy[i], (triad_real)l->wz[j]};
    const triad_cplx f[3] = {flux[0][i], flux[1][i], flux[2][i]};
    transfer[i] += triad_scalar_mode_transfer(k, s[i], f);
  }
}

static void transfers(const void *self, int part, const triad_batch *b, int64_t j, const triad_cplx *const *u,
                      const triad_cplx *const *t, triad_lane_reals *transfer)
{
  const hd *h = self;
  velocity_transfers(self, part, b, j, u, t, transfer);
  for (int s = 0; s < h->constants.n_scalars; s++)
    scalar_transfers(b, j, u[3 + s], t + 5 + 3 * s, transfer[TRIAD_HD_TRANSFERS + s]);
}

/* ---- what it adds to a case ---- */

static const triad_solver_row solver[] = {
  {{"hd", .about = "incompressible Navier-Stokes"}, "u", "rest"},
  {{0}, NULL, NULL}};

static const triad_key keys[] = {
  {"equations.scalars", REAL_LIST(1000), AT_LEAST(0), .preset = "", .unit = "length^2/time",
   .help = "Passive scalars that the flow carries, one for each value: its diffusivity. [] for none."},
  {"equations.scalar_gradients", REAL_LIST(3000), ANY, .preset = "", .unit = "scalar/length",
   .help = "Mean gradients of the scalars, x, y and z of the first, then of the second, and so on. [] for none."},
  {"initial.scalar_variance", REAL, AT_LEAST(0), .preset = "0.5", .unit = "scalar^2",
   .help = "Mean of s^2/2 of each passive scalar, random with the spectrum of random fields, for every kind but "
           "puff, rest, file and checkpoint."},
  {0}};

static const triad_quantity quantities[] = {
  {"scalar%d", NULL, "S", "passive scalar %d", .field = "scalar%d", .most = 1000},
  {0}};

const triad_case_part triad_case_part_hd = {
  .family = "spectral", .solvers = solver, .keys = keys, .quantities = quantities};

const triad_equations triad_equations_hd = {
    .name = "hd",
    .create = create,
    .destroy = destroy,
    .points = points,
    .rates = rates,
    .decay = decay,
    .gpu = gpu,
    .frequency = triad_velocity_frequency,
    .extremes = triad_velocity_extremes,
    .sums = sums,
    .series = series,
    .densities = densities,
    .transfers = transfers,
};
