/* Products, rates, sums and columns that all equation sets with an incompressible velocity use. */
#include "solvers/spectral/equations/velocity.h"

#include "solvers/spectral/equations/loops.h"

#include <math.h>

static const triad_field_info fields[3] = {{"u", "velocity along x", "U", TRIAD_COMPONENT("velocity", 0, 1)},
                                           {"v", "velocity along y", "U", TRIAD_COMPONENT("velocity", 1, 1)},
                                           {"w", "velocity along z", "U", TRIAD_COMPONENT("velocity", 2, 1)}};

static const triad_column_info columns[TRIAD_VELOCITY_COLUMNS] = {
  [TRIAD_COLUMN_ENERGY] = {"energy", "U^2", "mean(|u|^2)/2 = sum_k |u_k|^2/2"},
  [TRIAD_COLUMN_ENSTROPHY] = {"enstrophy", "1/T^2", "mean(|curl u|^2)/2 = sum_k k^2 |u_k|^2/2"},
  [TRIAD_COLUMN_DISSIPATION] =
    {"dissipation", "U^2/T",
     "sum_k (viscosity k^2 + hyperviscosity k^(2 order) + drag) |u_k|^2, so that dE/dt = injection - dissipation"},
  [TRIAD_COLUMN_INJECTION] = {"injection", "U^2/T", "power of the forcing, mean(u.f)"},
  [TRIAD_COLUMN_HELICITY] = {"helicity", "U^2/L", "mean(u.curl u)"},
  [TRIAD_COLUMN_U_MAX] = {"u_max", "U", "largest |u| on the grid"},
  [TRIAD_COLUMN_DIVERGENCE] = {"divergence", "1/T", "rms of div u"},
  [TRIAD_COLUMN_INTEGRAL_SCALE] = {"integral_scale", "L", "(3 pi/4) sum_k (|u_k|^2/2)/|k| / energy"},
  [TRIAD_COLUMN_TAYLOR_SCALE] = {"taylor_scale", "L", "lambda = sqrt(5 energy/enstrophy)"},
  [TRIAD_COLUMN_KOLMOGOROV_SCALE] = {"kolmogorov_scale", "L", "eta = (viscosity^2/(2 enstrophy))^(1/4)"},
  [TRIAD_COLUMN_RE_LAMBDA] = {"re_lambda", "1", "sqrt(2 energy/3) lambda/viscosity"},
  [TRIAD_COLUMN_KMAX_ETA] = {"kmax_eta", "1", "k_max eta, k_max = min_i 2 pi K_i/L_i", TRIAD_LIMIT_ETA},
  [TRIAD_COLUMN_TAIL] = {"u_tail", "1", "fraction of the enstrophy in the outermost fifth of wavenumbers",
                         TRIAD_LIMIT_TAIL},
  [TRIAD_COLUMN_CFL] = {"cfl", "1", "dt max sum_i |u_i|/dx_i"},
};

static const triad_column_info spectra[TRIAD_VELOCITY_SPECTRA] = {
  {"E", "U^2", .formula = "energy in the shell, sum over it of |u_k|^2/2"},
  {"H", "U^2/L", .formula = "helicity in the shell, sum over it of Re conj(u_k).(i k x u_k)"},
};

const triad_transfer_info triad_velocity_transfer_info = {
  {"T", "U^2/T",
   .formula =
     "energy transfer into the shell, sum over it of Re conj(u_k).N_k, N advection minus its pressure gradient"},
  {"Pi", "U^2/T", .formula = "energy flux past the shell, minus the cumulative sum of T"},
  0,
  3,
  1};

int triad_velocity_shape(triad_shape *shape, const triad_velocity_constants *constants)
{
  shape->viscosity = constants->decay.viscosity;
  shape->n_sums = TRIAD_VELOCITY_SUMS;
  shape->n_parts = 1;
  TRIAD_TRY(triad_shape_add_fields(shape, 3, fields));
  TRIAD_TRY(triad_shape_add_columns(shape, TRIAD_VELOCITY_COLUMNS, columns));
  return triad_shape_add_spectra(shape, TRIAD_VELOCITY_SPECTRA, spectra);
}

int triad_decay_is_none(const triad_decay *d) { return !(d->viscosity > 0 || d->hyperviscosity > 0 || d->drag > 0); }

int triad_conserved_add(triad_conserved *list, int n, int column, double scale)
{
  list[n] = (triad_conserved){column, scale, TRIAD_CONSERVED_IN_TIME, TRIAD_CONSERVED_REMEDY};
  return n + 1;
}

triad_velocity_constants triad_velocity_of_case(const triad_grid *grid, const triad_case *given)
{
  double omega[3];
  triad_velocity_constants c = {.decay = {.viscosity = triad_case_real(given, "equations.viscosity"),
                                          .hyperviscosity = triad_case_real(given, "equations.hyperviscosity"),
                                          .order = (int)triad_case_integer(given, "equations.hyperviscosity_order"),
                                          .drag = triad_case_real(given, "equations.drag"),
                                          .drag_wavenumber = triad_case_real(given, "equations.drag_wavenumber")}};
  triad_case_reals(given, "equations.rotation", omega, 3);
  c.rotates = omega[0] != 0 || omega[1] != 0 || omega[2] != 0;
  c.shear = (triad_real)triad_case_real(given, "equations.shear");
  c.edge.sphere = grid->truncation == TRIAD_SPHERE;
  for (int i = 0; i < 3; i++) {
    double k = triad_grid_size_wavenumber(grid, i, grid->kmax[i]);
    c.edge.per_k[i] = k > 0 ? 1 / (0.8 * k) : 0;
    c.per_spacing[i] = (triad_real)(1 / triad_grid_spacing(grid, i));
    c.rotation[i] = (triad_real)omega[i];
  }
  return c;
}

double triad_velocity_frequency(const void *self)
{
  const triad_velocity_constants *c = self;
  double x = (double)c->rotation[0], y = (double)c->rotation[1], z = (double)c->rotation[2];
  return 2 * sqrt(x * x + y * y + z * z);
}

TRIAD_POINTS_LOOP(points, triad_velocity_constants, triad_velocity_point, triad_velocity_rate, 3, TRIAD_STRESS_PRODUCTS)

void triad_velocity_points(const void *self, int64_t n, triad_real *const *u, triad_real *const *products,
                           double *peaks)
{
  points(self, 0, n, u, products, peaks);
}

void triad_scalar_fluxes(int64_t n, triad_real *const *u, const triad_real *s, triad_real *const *flux)
{
  for (int c = 0; c < 3; c++) {
    const triad_real *v = u[c];
    triad_real *f = flux[c];
#pragma omp simd
    for (int64_t i = 0; i < n; i++) f[i] = v[i] * s[i];
  }
}

/* A fluid at rest has no scales, and one without viscosity no Reynolds number: their places stay empty. */
static double ratio(double a, double b) { return b > 0 ? a / b : NAN; }

double triad_velocity_resolution(const triad_grid *grid, double diffusivity, double enstrophy)
{
  return diffusivity > 0 ? triad_grid_k_max(grid) * pow(ratio(diffusivity * diffusivity, 2 * enstrophy), 0.25) : NAN;
}

double triad_velocity_tail(double edge, double all) { return ratio(edge, all); }

void triad_velocity_series(const triad_grid *grid, double viscosity, const double *sums,
                           const triad_series_inputs *inputs, double *c)
{
  double energy = sums[TRIAD_SUM_ENERGY], enstrophy = sums[TRIAD_SUM_ENSTROPHY];
  double taylor = sqrt(ratio(5 * energy, enstrophy));
  double eta = viscosity > 0 ? pow(ratio(viscosity * viscosity, 2 * enstrophy), 0.25) : NAN;
  c[TRIAD_COLUMN_ENERGY] = energy;
  c[TRIAD_COLUMN_ENSTROPHY] = enstrophy;
  c[TRIAD_COLUMN_DISSIPATION] = sums[TRIAD_SUM_DISSIPATION];
  c[TRIAD_COLUMN_INJECTION] = inputs->injection;
  c[TRIAD_COLUMN_HELICITY] = sums[TRIAD_SUM_HELICITY];
  c[TRIAD_COLUMN_U_MAX] = inputs->u_max;
  c[TRIAD_COLUMN_DIVERGENCE] = sqrt(sums[TRIAD_SUM_DIVERGENCE]);
  c[TRIAD_COLUMN_INTEGRAL_SCALE] = 0.75 * TRIAD_PI * ratio(sums[TRIAD_SUM_INTEGRAL], energy);
  c[TRIAD_COLUMN_TAYLOR_SCALE] = taylor;
  c[TRIAD_COLUMN_KOLMOGOROV_SCALE] = eta;
  c[TRIAD_COLUMN_RE_LAMBDA] = ratio(sqrt(2 * energy / 3) * taylor, viscosity);
  c[TRIAD_COLUMN_KMAX_ETA] = triad_grid_k_max(grid) * eta;
  c[TRIAD_COLUMN_TAIL] = triad_velocity_tail(sums[TRIAD_SUM_EDGE], enstrophy);
  c[TRIAD_COLUMN_CFL] = inputs->dt * inputs->advection_rate;
}

void triad_velocity_extremes(void *self, const triad_patch *at, triad_real *const *u, triad_real *const *out,
                             double *peaks)
{
  const triad_velocity_constants *c = self;
  (void)out;
  for (int64_t i = 0; i < at->n; i++) {
    double rate = 0, speed2 = 0;
    for (int f = 0; f < 3; f++) triad_velocity_extremes_add((double)c->per_spacing[f], (double)u[f][i], &rate, &speed2);
    if (rate > peaks[TRIAD_PEAK_ADVECTION] || isnan(rate)) peaks[TRIAD_PEAK_ADVECTION] = rate;
    if (speed2 > peaks[TRIAD_PEAK_SPEED2] || isnan(speed2)) peaks[TRIAD_PEAK_SPEED2] = speed2;
  }
}

void triad_velocity_stress(const void *self, int part, int64_t n, triad_real *const *u, triad_real *const *out)
{
  for (int64_t i = 0; i < n; i++) {
    const triad_real v[3] = {u[0][i], u[1][i], u[2][i]};
    triad_real t[TRIAD_STRESS_PRODUCTS] = {v[2] * v[2]};
    if (part == 0) triad_velocity_point(self, 0, v, t);
    for (int r = 0; r < (part == 0 ? TRIAD_STRESS_PRODUCTS : 1); r++) out[r][i] = t[r];
  }
}

void triad_velocity_forces(const void *self, const triad_real k[3], triad_real inverse_k2, const triad_cplx *u,
                           triad_cplx s[3])
{
  (void)k;
  (void)inverse_k2;
  triad_velocity_coriolis(self, u, s);
  triad_velocity_shear_pull(self, u, s);
}
