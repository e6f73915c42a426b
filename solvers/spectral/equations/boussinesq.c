/* Boussinesq equations (docs/numerics.md eq. 18), gravity along -z:
 *   du/dt + u.grad u + 2 Omega x u = -grad p - s N theta z + viscosity lap u + f,   div u = 0
 *   dtheta/dt + u.grad theta = N w + kappa lap theta
 * s = 1 where the stratification is stable, -1 where it is unstable (N imaginary). theta is a velocity: theta^2/2 is
 * the potential energy, and N exchanges it with the kinetic one. Four fields out, eight products back each stage. */
#include "solvers/spectral/equations/hd_points.h"
#include "solvers/spectral/equations/gpu_set.h"
#include "solvers/spectral/equations/boussinesq_modes.h"
#include "solvers/spectral/equations/velocity.h"

#include <math.h>
#include <stdlib.h>

enum { THETA = 3 };
enum { SUM_POTENTIAL = TRIAD_VELOCITY_SUMS, SUM_DIFFUSION, SUM_FLUX, N_SUMS };
enum { KINETIC = TRIAD_VELOCITY_COLUMNS, POTENTIAL, FLUX, VISCOUS, DIFFUSIVE };

typedef struct boussinesq {
  triad_velocity velocity;
  double diffusivity, frequency, sign;
  triad_boussinesq_law law;
} boussinesq;

static const triad_field_info theta = {"theta", "buoyancy in units of velocity", "U", TRIAD_SCALAR};

static const triad_column_info columns[] = {
    {"kinetic_energy", "U^2", "mean(|u|^2)/2"},
    {"potential_energy", "U^2", "mean(theta^2)/2"},
    {"buoyancy_flux", "U^2/T", "N mean(w theta): d(potential_energy)/dt = buoyancy_flux - diffusive_dissipation"},
    {"viscous_dissipation", "U^2/T", "sum_k lambda_u(k) |u_k|^2"},
    {"diffusive_dissipation", "U^2/T", "kappa mean(|grad theta|^2)"}};

static const triad_column_info spectra[] = {{"E_kinetic", "U^2", "sum over the shell of |u_k|^2/2"},
                                            {"E_potential", "U^2", "sum over the shell of |theta_k|^2/2"},
                                            {"buoyancy_flux", "U^2", "sum over the shell of Re conj(w_k) theta_k"}};

static const triad_transfer_info transfer[] = {
    {{"T", "U^2/T", "total energy transfer into the shell by advection, T_u + T_theta"},
     {"Pi", "U^2/T", "total energy flux past the shell, minus the sum of T up to it"}, 0, 4, 1},
    {{"T_u", "U^2/T", "sum over the shell of Re conj(u_k).N_k, N advection less its pressure; buoyancy apart"},
     {"Pi_u", "U^2/T", "minus the sum of T_u up to the shell"}, 0, 3, 1},
    {{"T_theta", "U^2/T", "sum over the shell of Re conj(theta_k) (-u.grad theta)_k; buoyancy apart"},
     {"Pi_theta", "U^2/T", "minus the sum of T_theta up to the shell"}, THETA, 1, 1}};

static int create(void **self, triad_shape *shape, const triad_grid *grid, const triad_case *given)
{
  boussinesq *b = *self = calloc(1, sizeof *b);
  if (!b) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the boussinesq solver");
  triad_velocity_create(&b->velocity, grid, given);
  b->diffusivity = triad_case_real(given, "equations.diffusivity");
  b->frequency = triad_case_real(given, "equations.buoyancy_frequency");
  b->sign = triad_case_is(given, "equations.stratification", "unstable") ? -1 : 1;
  b->law = (triad_boussinesq_law){.velocity = triad_velocity_law(&b->velocity), .diffusion.viscosity = b->diffusivity,
                                  .frequency = (triad_real)b->frequency, .sign = (triad_real)b->sign};
  TRIAD_TRY(triad_velocity_shape(shape));
  TRIAD_TRY(triad_shape_add_fields(shape, 1, &theta));
  TRIAD_TRY(triad_shape_add_columns(shape, sizeof columns / sizeof *columns, columns));
  TRIAD_TRY(triad_shape_add_spectra(shape, sizeof spectra / sizeof *spectra, spectra));
  TRIAD_TRY(triad_shape_add_transfers(shape, sizeof transfer / sizeof *transfer, transfer));
  shape->n_sums = N_SUMS;
  shape->columns[TRIAD_COLUMN_ENERGY].formula = "kinetic_energy + potential_energy";
  shape->columns[TRIAD_COLUMN_DISSIPATION].formula =
      "viscous_dissipation + diffusive_dissipation: dE/dt = injection - dissipation";
  if (b->sign < 0)
    shape->columns[TRIAD_COLUMN_INJECTION].formula =
        "power of the forcing, and 2 buoyancy_flux, which unstable stratification feeds in";
  shape->spectra[0].formula = "total energy in the shell, E_kinetic + E_potential";
  shape->n_passes = 1;
  shape->pass[0].n_in = 4;
  shape->pass[0].n_out = 8;
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
  const boussinesq *b = self;
  (void)pass;
  triad_velocity_products(&b->velocity, at->n, in, out, peaks);
  const triad_real *u = in[0], *v = in[1], *w = in[2], *th = in[THETA];
  triad_real *fx = out[5], *fy = out[6], *fz = out[7];
#pragma omp simd
  for (int64_t i = 0; i < at->n; i++) {
    fx[i] = u[i] * th[i];
    fy[i] = v[i] * th[i];
    fz[i] = w[i] * th[i];
  }
}

static void rates(const void *self, const triad_batch *block, int64_t j, const triad_cplx *const *u,
                  const triad_cplx *const *t, triad_lane_row *r)
{
  const boussinesq *b = self;
  const triad_layout *l = block->layout;
  const double *wx = l->wx + block->block * TRIAD_LANES, *wy = l->wy + block->block * TRIAD_LANES;
  triad_real down = (triad_real)(b->sign * b->frequency), n = (triad_real)b->frequency;
  triad_lane_row push[3] = {{{0, 0}}};
  for (int i = 0; i < TRIAD_LANES; i++) {
    /* the mean buoyancy is carried by the mean pressure gradient: the fluid as a whole does not fall */
    triad_real pull = wx[i] * wx[i] + wy[i] * wy[i] + l->wz[j] * l->wz[j] > 0 ? down : 0;
    push[2][i] = (triad_cplx){-pull * u[THETA][i].re, -pull * u[THETA][i].im};
  }
  triad_velocity_rates(&b->velocity, block, j, u, t, (const triad_lane_row *)push, r);
  for (int i = 0; i < TRIAD_LANES; i++) {
    const triad_real k[3] = {(triad_real)wx[i], (triad_real)wy[i], (triad_real)l->wz[j]};
    const triad_cplx f[3] = {t[5][i], t[6][i], t[7][i]};
    triad_cplx s = triad_hd_flux(k, f);
    r[THETA][i] = (triad_cplx){s.re + n * u[2][i].re, s.im + n * u[2][i].im};
  }
}

static triad_decay decay(const void *self, int field)
{
  const boussinesq *b = self;
  return field < THETA ? b->velocity.decay : (triad_decay){.viscosity = b->diffusivity};
}

/* The fastest inertia-gravity wave: the root of the largest eigenvalue of 4 Omega Omega^T + N^2 (1 - z z^T), whose value
 * along k/|k| is omega^2. It lies in the plane of Omega and z, where h and v are 2 Omega across z and along it; the third
 * eigenvalue is N^2. Where the stratification is unstable it bounds the growth rate. */
static double frequency(const void *self)
{
  const boussinesq *b = self;
  const triad_real *o = b->velocity.rotation;
  double h = 2 * hypot((double)o[0], (double)o[1]), v = 2 * (double)o[2], n2 = b->frequency * b->frequency;
  double mean = (h * h + n2 + v * v) / 2, half = hypot((h * h + n2 - v * v) / 2, h * v);
  return fmax(b->frequency, sqrt(mean + half));
}

#ifdef TRIAD_CUDA
extern const triad_gpu_set triad_gpu_set_boussinesq;
#endif

static const triad_gpu_set *gpu(const void *self, const void **law)
{
  const boussinesq *b = self;
  *law = &b->law;
#ifdef TRIAD_CUDA
  return &triad_gpu_set_boussinesq;
#else
  return NULL;
#endif
}

static void extremes(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  (void)out;
  triad_velocity_extremes(((const boussinesq *)self)->velocity.per_spacing, at, in, peaks);
}

static void sums(const void *self, const triad_layout *l, int64_t column, const triad_cplx *const *u, double *sums)
{
  const boussinesq *b = self;
  triad_decay d = decay(self, THETA);
  triad_velocity_sums(l, &b->velocity.decay, column, u, sums);
  triad_velocity_scalar_sums(l, &d, column, u[THETA], u[2], sums + SUM_POTENTIAL);
}

static void series(const void *self, const double *sums, const triad_series_inputs *moment, double *c)
{
  const boussinesq *b = self;
  triad_velocity_series(&b->velocity.grid, b->velocity.decay.viscosity, sums, moment, c);
  c[KINETIC] = sums[TRIAD_SUM_ENERGY];
  c[POTENTIAL] = sums[SUM_POTENTIAL];
  c[FLUX] = b->frequency * sums[SUM_FLUX];
  c[VISCOUS] = sums[TRIAD_SUM_DISSIPATION];
  c[DIFFUSIVE] = sums[SUM_DIFFUSION];
  if (b->sign < 0) c[TRIAD_COLUMN_INJECTION] += 2 * c[FLUX];
  c[TRIAD_COLUMN_ENERGY] = c[KINETIC] + c[POTENTIAL];
  c[TRIAD_COLUMN_DISSIPATION] = c[VISCOUS] + c[DIFFUSIVE];
}

static void densities(const void *self, const triad_layout *l, int64_t column, int64_t j, const triad_cplx *const *u,
                      double *d)
{
  (void)self;
  int64_t i = triad_layout_place(l, column, j);
  double re = (double)u[THETA][i].re, im = (double)u[THETA][i].im;
  triad_velocity_densities(l, column, j, u, d);
  d[2] = d[0];
  d[3] = l->weight[column] * (re * re + im * im) / 2;
  d[4] = l->weight[column] * ((double)u[2][i].re * re + (double)u[2][i].im * im);
  d[0] += d[3];
}

static void transfers(const void *self, int part, const triad_batch *block, int64_t j, const triad_cplx *const *u,
                      const triad_cplx *const *t, triad_lane_reals *d)
{
  const boussinesq *b = self;
  (void)part;
  triad_velocity_transfer(&b->velocity, block, j, u, t, 1, d[1]);
  triad_velocity_scalar_transfer(block, j, u[THETA], t + 5, d[2]);
  for (int i = 0; i < TRIAD_LANES; i++) d[0][i] = d[1][i] + d[2][i];
}

const triad_equations triad_equations_boussinesq = {
    .name = "boussinesq",
    .about = "stratified flow in the Boussinesq approximation",
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
