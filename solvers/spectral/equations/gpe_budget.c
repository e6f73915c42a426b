/* What a superfluid's series.csv and spectra hold, and the sums over modes among it. */
#include "solvers/spectral/equations/gpe.h"

enum { RE = TRIAD_GPE_RE, IM = TRIAD_GPE_IM };
enum { SUM_MASS, SUM_KINETIC, SUM_MOMENTUM, N_SUMS = SUM_MOMENTUM + 3 };
enum column {
  ENERGY,
  ENSTROPHY,
  DISSIPATION,
  INJECTION,
  MASS,
  KINETIC,
  INTERACTION,
  INCOMPRESSIBLE,
  COMPRESSIBLE,
  QUANTUM,
  MOMENTUM,
  N_COLUMNS = MOMENTUM + 3
};

/* M: unit of the density |psi|^2 */
static const triad_column_info columns[N_COLUMNS] = {
    [ENERGY] = {"energy", "M U^2", "kinetic_energy + interaction_energy, kept in real time"},
    [ENSTROPHY] = {"enstrophy", "M U^2/L^2",
                   "mean(|curl(sqrt(rho) u)|^2)/2 over kept modes, u = 2 alpha grad(arg psi): grows with the vortex "
                   "lines' length, and with the resolution of their cores"},
    [DISSIPATION] = {"dissipation", "M U^2/T", "0: no term takes energy in real time"},
    [INJECTION] = {"injection", "M U^2/T", "0: there is no forcing"},
    [MASS] = {"mass", "M", "mean(|psi|^2)"},
    [KINETIC] = {"kinetic_energy", "M U^2",
                 "2 alpha^2 mean(|grad psi|^2) = incompressible_energy + compressible_energy + quantum_energy"},
    [INTERACTION] = {"interaction_energy", "M U^2", "alpha beta mean(P[|psi|^2]^2), P the truncation"},
    [INCOMPRESSIBLE] = {"incompressible_energy", "M U^2",
                        "mean(|w|^2)/2, w the solenoidal part of the kept modes of sqrt(rho) u, mean included"},
    [COMPRESSIBLE] = {"compressible_energy", "M U^2",
                      "mean(rho |u|^2)/2 - incompressible_energy: what lies beyond the kept modes is counted here"},
    [QUANTUM] = {"quantum_energy", "M U^2", "2 alpha^2 mean(|grad sqrt(rho)|^2)"},
    [MOMENTUM] = {"momentum_x", "M U", "mean(rho u_x) = 2 alpha mean(re d(im)/dx - im d(re)/dx)"},
    [MOMENTUM + 1] = {"momentum_y", "M U", "mean(rho u_y)"},
    [MOMENTUM + 2] = {"momentum_z", "M U", "mean(rho u_z)"}};

static const triad_column_info spectra[] = {
    {"E", "M U^2", "energy in the shell, E_kinetic + E_interaction"},
    {"E_kinetic", "M U^2", "sum over the shell of 2 alpha^2 k^2 |psi_k|^2"},
    {"E_interaction", "M U^2", "sum over the shell of alpha beta |rho_k|^2, rho = |psi|^2"},
    {"mass", "M", "sum over the shell of |psi_k|^2"},
    {"E_incompressible", "M U^2", "sum over the shell of |w_k|^2/2, w the solenoidal part of sqrt(rho) u"},
    {"E_compressible", "M U^2",
     "sum over the shell of |w_k|^2/2, w the compressive part of sqrt(rho) u: kept modes only, so that its sum is less "
     "than compressible_energy"}};

int triad_gpe_shape_budget(triad_shape *shape)
{
  shape->n_sums = N_SUMS;
  shape->n_observed = TRIAD_GPE_OBSERVED;
  shape->observe.n_in = 4;
  shape->observe.n_out = 1;
  TRIAD_TRY(triad_shape_add_columns(shape, N_COLUMNS, columns));
  return triad_shape_add_spectra(shape, sizeof spectra / sizeof *spectra, spectra);
}

/* mean |psi|^2; 2 alpha^2 mean |grad psi|^2; momentum 2 alpha mean(re grad im - im grad re), of which a mode gives
 * 2 k (Im re_k Re im_k - Re re_k Im im_k). */
void triad_gpe_sums(const void *self, const triad_layout *l, int64_t column, const triad_cplx *const *u, double *s)
{
  const triad_gpe_constants *q = &((const triad_gpe *)self)->constant;
  for (int i = 0; i < N_SUMS; i++) s[i] = 0;
  for (int64_t j = 0; j < l->nkz; j++) {
    int64_t at = triad_layout_place(l, column, j);
    double a = (double)u[RE][at].re, b = (double)u[RE][at].im, c = (double)u[IM][at].re, d = (double)u[IM][at].im;
    const double k[3] = {l->wx[column], l->wy[column], l->wz[j]};
    double square = a * a + b * b + c * c + d * d, k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    s[SUM_MASS] += square;
    s[SUM_KINETIC] += 2 * q->alpha * q->alpha * k2 * square;
    for (int i = 0; i < 3; i++) s[SUM_MOMENTUM + i] += 2 * q->alpha * k[i] * 2 * (b * c - a * d);
  }
  for (int i = 0; i < N_SUMS; i++) s[i] *= l->weight[column];
}

void triad_gpe_series(const void *self, const double *s, const triad_series_inputs *moment, double *c)
{
  const double *observed = s + N_SUMS;
  (void)self;
  c[MASS] = s[SUM_MASS];
  c[KINETIC] = s[SUM_KINETIC];
  c[INTERACTION] = observed[TRIAD_GPE_INTERACTION];
  c[INCOMPRESSIBLE] = observed[TRIAD_GPE_INCOMPRESSIBLE];
  c[COMPRESSIBLE] = observed[TRIAD_GPE_HYDRODYNAMIC] - observed[TRIAD_GPE_INCOMPRESSIBLE];
  c[QUANTUM] = observed[TRIAD_GPE_QUANTUM];
  for (int i = 0; i < 3; i++) c[MOMENTUM + i] = s[SUM_MOMENTUM + i];
  c[ENERGY] = c[KINETIC] + c[INTERACTION];
  c[ENSTROPHY] = observed[TRIAD_GPE_ENSTROPHY];
  c[DISSIPATION] = 0;
  c[INJECTION] = moment->injection;
}
