#include "solvers/spectral/equations/velocity.h"

#include <math.h>

static const triad_field_info fields[3] = {
    {"u", "velocity along x", "U", TRIAD_COMPONENT("velocity", 0, 1)},
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
    [TRIAD_COLUMN_KMAX_ETA] = {"kmax_eta", "1", "k_max eta, k_max = min_i 2 pi K_i/L_i"},
    [TRIAD_COLUMN_CFL] = {"cfl", "1", "dt max sum_i |u_i|/dx_i"},
};

static const triad_column_info spectra[TRIAD_VELOCITY_SPECTRA] = {
    {"E", "U^2", "energy in the shell, sum over it of |u_k|^2/2"},
    {"H", "U^2/L", "helicity in the shell, sum over it of Re conj(u_k).(i k x u_k)"},
};

const triad_transfer_info triad_velocity_transfer_info = {
    {"T", "U^2/T", "energy transfer into the shell, sum over it of Re conj(u_k).N_k, N advection less its pressure"},
    {"Pi", "U^2/T", "energy flux past the shell, minus the sum of T up to it"},
    0, 3, 1};

int triad_velocity_shape(triad_shape *shape)
{
  shape->n_sums = TRIAD_VELOCITY_SUMS;
  shape->n_parts = 1;
  TRIAD_TRY(triad_shape_add_fields(shape, 3, fields));
  TRIAD_TRY(triad_shape_add_columns(shape, TRIAD_VELOCITY_COLUMNS, columns));
  return triad_shape_add_spectra(shape, TRIAD_VELOCITY_SPECTRA, spectra);
}

/* Mode (column, j) of a vector, and its wavenumber. */
static void pick(const triad_layout *l, int64_t column, int64_t j, const triad_cplx *const *u, double k[3],
                 triad_cplx mode[3])
{
  int64_t i = triad_layout_place(l, column, j);
  k[0] = l->wx[column];
  k[1] = l->wy[column];
  k[2] = l->wz[j];
  for (int c = 0; c < 3; c++) mode[c] = u[c][i];
}

void triad_velocity_sums(const triad_layout *l, const triad_decay *decay, int64_t column, const triad_cplx *const *u,
                         double *sums)
{
  for (int s = 0; s < TRIAD_VELOCITY_SUMS; s++) sums[s] = 0;
  for (int64_t j = 0; j < l->nkz; j++) {
    double k[3], share[TRIAD_VELOCITY_SUMS];
    triad_cplx mode[3];
    pick(l, column, j, u, k, mode);
    triad_velocity_mode_sums(decay, k, mode, share);
    for (int s = 0; s < TRIAD_VELOCITY_SUMS; s++) sums[s] += share[s];
  }
  for (int s = 0; s < TRIAD_VELOCITY_SUMS; s++) sums[s] *= l->weight[column];
}

/* 0/0 in a fluid at rest is 0: no scale, rather than a NaN in a plot. */
static double ratio(double a, double b) { return a == 0 ? 0 : a / b; }

void triad_velocity_series(const triad_grid *grid, double viscosity, const double *sums, const triad_series_inputs *m,
                           double *c)
{
  const double pi = 3.141592653589793238462643383280;
  double energy = sums[TRIAD_SUM_ENERGY], enstrophy = sums[TRIAD_SUM_ENSTROPHY];
  double taylor = sqrt(ratio(5 * energy, enstrophy));
  double eta = pow(ratio(viscosity * viscosity, 2 * enstrophy), 0.25);
  c[TRIAD_COLUMN_ENERGY] = energy;
  c[TRIAD_COLUMN_ENSTROPHY] = enstrophy;
  c[TRIAD_COLUMN_DISSIPATION] = sums[TRIAD_SUM_DISSIPATION];
  c[TRIAD_COLUMN_INJECTION] = m->injection;
  c[TRIAD_COLUMN_HELICITY] = sums[TRIAD_SUM_HELICITY];
  c[TRIAD_COLUMN_U_MAX] = m->u_max;
  c[TRIAD_COLUMN_DIVERGENCE] = sqrt(sums[TRIAD_SUM_DIVERGENCE]);
  c[TRIAD_COLUMN_INTEGRAL_SCALE] = 0.75 * pi * ratio(sums[TRIAD_SUM_INTEGRAL], energy);
  c[TRIAD_COLUMN_TAYLOR_SCALE] = taylor;
  c[TRIAD_COLUMN_KOLMOGOROV_SCALE] = eta;
  c[TRIAD_COLUMN_RE_LAMBDA] = ratio(sqrt(2 * energy / 3) * taylor, viscosity);
  c[TRIAD_COLUMN_KMAX_ETA] = triad_grid_k_max(grid) * eta;
  c[TRIAD_COLUMN_CFL] = m->dt * m->advection_rate;
}

void triad_velocity_densities(const triad_layout *l, int64_t column, int64_t j, const triad_cplx *const *u,
                              double *densities)
{
  double k[3];
  triad_cplx mode[3];
  pick(l, column, j, u, k, mode);
  densities[0] = l->weight[column] * triad_vector_energy(mode);
  densities[1] = l->weight[column] * triad_vector_helicity(k, mode);
}

void triad_velocity_extremes(const triad_real per_spacing[3], const triad_patch *at, triad_real *const *u,
                             double *peaks)
{
  for (int64_t i = 0; i < at->n; i++) {
    double x = (double)u[0][i], y = (double)u[1][i], z = (double)u[2][i];
    double rate = (double)per_spacing[0] * fabs(x) + (double)per_spacing[1] * fabs(y) + (double)per_spacing[2] * fabs(z);
    double speed2 = x * x + y * y + z * z;
    if (rate > peaks[TRIAD_PEAK_ADVECTION] || isnan(rate)) peaks[TRIAD_PEAK_ADVECTION] = rate;
    if (speed2 > peaks[TRIAD_PEAK_SPEED2] || isnan(speed2)) peaks[TRIAD_PEAK_SPEED2] = speed2;
  }
}
