/* Columns of series.csv and spectra of a superfluid, and the parts of its energy that are not quadratic in psi (Nore,
 * Abid and Brachet 1997, Phys. Fluids 9, 2644). With psi = sqrt(rho) exp(i phi) and u = 2 alpha grad phi, at every
 * point
 *   2 alpha^2 |grad psi|^2 = 2 alpha^2 (re grad re + im grad im)^2/rho + 2 alpha^2 (re grad im - im grad re)^2/rho
 * where the first is 2 alpha^2 |grad sqrt(rho)|^2, the quantum part, and the second rho |u|^2/2. One pass for
 * |psi|^2, then one a direction, so that the passes stay small. */
#include "fft/pass/transform.h"
#include "solvers/spectral/equations/gpe.h"
#include "solvers/spectral/equations/loops.h"
#include "solvers/spectral/equations/velocity.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { RE = TRIAD_GPE_RE, IM = TRIAD_GPE_IM };
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
  [ENERGY] = {"energy", "M U^2", "kinetic_energy + interaction_energy, conserved in real time"},
  [ENSTROPHY] = {"enstrophy", "M U^2/L^2",
                 "mean(|curl(sqrt(rho) u)|^2)/2 over retained modes, u = 2 alpha grad(arg psi): increases with the "
                 "length of vortex lines and the resolution of their cores"},
  [DISSIPATION] = {"dissipation", "M U^2/T", "0: no term dissipates energy in real time"},
  [INJECTION] = {"injection", "M U^2/T", "0: there is no forcing"},
  [MASS] = {"mass", "M", "mean(|psi|^2)"},
  [KINETIC] = {"kinetic_energy", "M U^2",
               "2 alpha^2 mean(|grad psi|^2) = incompressible_energy + compressible_energy + quantum_energy"},
  [INTERACTION] = {"interaction_energy", "M U^2", "alpha beta mean(P[|psi|^2]^2), P the truncation"},
  [INCOMPRESSIBLE] = {"incompressible_energy", "M U^2",
                      "mean(|w|^2)/2, w the solenoidal part of the retained modes of sqrt(rho) u, mean included"},
  [COMPRESSIBLE] = {"compressible_energy", "M U^2",
                    "mean(rho |u|^2)/2 - incompressible_energy, which includes the modes that are not retained"},
  [QUANTUM] = {"quantum_energy", "M U^2", "2 alpha^2 mean(|grad sqrt(rho)|^2)"},
  [MOMENTUM] = {"momentum_x", "M U", "mean(rho u_x) = 2 alpha mean(re d(im)/dx - im d(re)/dx)"},
  [MOMENTUM + 1] = {"momentum_y", "M U", "mean(rho u_y)"},
  [MOMENTUM + 2] = {"momentum_z", "M U", "mean(rho u_z)"}};

static const triad_column_info spectra[] = {
  {"E", "M U^2", .formula = "energy in the shell, E_kinetic + E_interaction"},
  {"E_kinetic", "M U^2", .formula = "sum over the shell of 2 alpha^2 k^2 |psi_k|^2"},
  {"E_interaction", "M U^2", .formula = "sum over the shell of alpha beta |rho_k|^2, rho = |psi|^2"},
  {"mass", "M", .formula = "sum over the shell of |psi_k|^2"},
  {"E_incompressible", "M U^2", .formula = "sum over the shell of |w_k|^2/2, w the solenoidal part of sqrt(rho) u"},
  {"E_compressible", "M U^2",
   .formula =
     "sum over the shell of |w_k|^2/2, w the compressive part of sqrt(rho) u; retained modes only, so that its sum is "
     "less than compressible_energy"}};

int triad_gpe_shape_budget(triad_shape *shape)
{
  shape->n_sums = TRIAD_GPE_SUMS;
  shape->n_observed = TRIAD_GPE_OBSERVED;
  shape->observe.n_in = 4;
  shape->observe.n_out = 1;
  TRIAD_TRY(triad_shape_add_columns(shape, N_COLUMNS, columns));
  return triad_shape_add_spectra(shape, sizeof spectra / sizeof *spectra, spectra);
}

void triad_gpe_series(const void *self, const double *s, const triad_series_inputs *inputs, double *c)
{
  const double *observed = s + TRIAD_GPE_SUMS;
  (void)self;
  c[MASS] = s[TRIAD_GPE_SUM_MASS];
  c[KINETIC] = s[TRIAD_GPE_SUM_KINETIC];
  c[INTERACTION] = observed[TRIAD_GPE_INTERACTION];
  c[INCOMPRESSIBLE] = observed[TRIAD_GPE_INCOMPRESSIBLE];
  c[COMPRESSIBLE] = observed[TRIAD_GPE_HYDRODYNAMIC] - observed[TRIAD_GPE_INCOMPRESSIBLE];
  c[QUANTUM] = observed[TRIAD_GPE_QUANTUM];
  for (int i = 0; i < 3; i++) c[MOMENTUM + i] = s[TRIAD_GPE_SUM_MOMENTUM + i];
  c[ENERGY] = c[KINETIC] + c[INTERACTION];
  c[ENSTROPHY] = observed[TRIAD_GPE_ENSTROPHY];
  c[DISSIPATION] = 0;
  c[INJECTION] = inputs->injection;
}

/* Mass, and energy: what a uniform fluid of that mass has of it, alpha beta mass^2, cannot change and is not
 * compared with. */
int triad_gpe_conserved(const void *self, const double *first, triad_conserved *list)
{
  const triad_gpe_constants *c = &((const triad_gpe *)self)->constants;
  if (c->imaginary_time) return 0;
  int n = triad_conserved_add(list, 0, MASS, first[MASS]);
  return triad_conserved_add(list, n, ENERGY, fmax(0, first[ENERGY] - c->alpha * c->beta * first[MASS] * first[MASS]));
}

/* ---- what sums over modes cannot give ---- */

typedef struct observation {
  triad_gpe *gpe;
  const triad_cplx *const *u;
  int direction; /* of the gradient at hand; -1: none */
} observation;

static triad_sum *sum_of(const observation *o, enum triad_gpe_observed which)
{
  return &o->gpe->sums[omp_get_thread_num() * TRIAD_GPE_OBSERVED + (int)which];
}

static double wavenumber(const triad_layout *l, int64_t column, int64_t j, int direction)
{
  return direction == 0 ? l->wx[column] : direction == 1 ? l->wy[column] : l->wz[j];
}

/* psi, and its derivative along the direction. */
static void source(void *self, const triad_batch *b, triad_cplx *const *in)
{
  const observation *o = self;
  const triad_layout *l = b->layout;
  for (int f = 0; f < 2; f++) triad_batch_put(b, o->u[f], in[f]);
  if (o->direction < 0) return;
  for (int f = 0; f < 2; f++)
    for (int64_t j = 0; j < l->nkz; j++) {
      const triad_cplx *from = triad_batch_row(b, in[f], j);
      triad_cplx *to = triad_batch_row(b, in[2 + f], j);
      for (int i = 0; i < TRIAD_LANES; i++) {
        triad_real k = (triad_real)wavenumber(l, b->block * TRIAD_LANES + i, j, o->direction);
        to[i] = triad_gpe_slope(k, from[i]);
      }
    }
}

TRIAD_PRODUCTS_LOOP(densities_of, triad_gpe_constants, triad_gpe_point, 2, 1)

/* The whole density, nothing taken from it. */
static void density_points(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                           double *peaks)
{
  triad_gpe_constants whole = ((const observation *)self)->gpe->constants;
  (void)peaks;
  whole.density = 0;
  densities_of(&whole, at->n, in, out);
}

static void gradient_points(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out,
                            double *peaks)
{
  const observation *o = self;
  double alpha = o->gpe->constants.alpha, squares[2] = {0, 0};
  (void)peaks;
  for (int64_t i = 0; i < at->n; i++) {
    const triad_real here[4] = {in[0][i], in[1][i], in[2][i], in[3][i]};
    out[0][i] = triad_gpe_gradient_point(alpha, here, squares);
  }
  triad_sum_add(sum_of(o, TRIAD_GPE_QUANTUM), 2 * alpha * alpha * squares[0]);
  triad_sum_add(sum_of(o, TRIAD_GPE_HYDRODYNAMIC), 2 * alpha * alpha * squares[1]);
}

static void keep_density(void *self, const triad_batch *b, triad_cplx *const *out)
{
  triad_batch_keep(b, out[0], ((const observation *)self)->gpe->density);
}

static void keep_component(void *self, const triad_batch *b, triad_cplx *const *out)
{
  const observation *o = self;
  const triad_layout *l = b->layout;
  const int32_t *extent = l->kz_extent + b->block * TRIAD_LANES;
  for (int64_t j = 0; j < l->nkz; j++) {
    const triad_cplx *w = triad_batch_row(b, out[0], j);
    int32_t kz = l->kz[j] < 0 ? -l->kz[j] : l->kz[j];
    int64_t at = (b->block * l->nkz + j) * TRIAD_LANES;
    for (int i = 0; i < TRIAD_LANES; i++) {
      if (kz > extent[i]) continue;
      triad_real k = (triad_real)wavenumber(l, b->block * TRIAD_LANES + i, j, o->direction);
      triad_gpe_momentum_add(k, w[i], &o->gpe->flux[at + i], &o->gpe->square[at + i]);
    }
  }
}

static void sum_energies(const observation *o)
{
  const triad_gpe *g = o->gpe;
  const triad_layout *l = g->layout;
#pragma omp parallel for schedule(static) num_threads(g->context->threads)
  for (int64_t c = 0; c < l->n_columns; c++) {
    double sums[3] = {0, 0, 0};
    for (int64_t j = 0; j < l->nkz; j++) {
      int64_t at = triad_layout_place(l, c, j);
      double k[3], share[3];
      triad_layout_derivative(l, c, j, k);
      triad_gpe_mode_energies(&g->constants, triad_mode_k2(k), g->density[at], g->flux[at], g->square[at], share);
      for (int i = 0; i < 3; i++) sums[i] += share[i];
    }
    triad_sum_add(sum_of(o, TRIAD_GPE_INTERACTION), l->weight[c] * sums[0]);
    triad_sum_add(sum_of(o, TRIAD_GPE_INCOMPRESSIBLE), l->weight[c] * sums[1]);
    triad_sum_add(sum_of(o, TRIAD_GPE_ENSTROPHY), l->weight[c] * sums[2]);
  }
}

int triad_gpe_observe(void *self, triad_pass *pass, const triad_cplx *const *u, double *observed)
{
  triad_gpe *g = self;
  const triad_layout *l = g->layout;
  observation o = {.gpe = g, .u = u, .direction = -1};
  triad_work density = {.n_in = 2,
                        .n_out = 1,
                        .any_order = 1,
                        .source = source,
                        .points = density_points,
                        .sink = keep_density,
                        .self = &o};
  triad_work gradient = {.n_in = 4,
                         .n_out = 1,
                         .any_order = 1,
                         .source = source,
                         .points = gradient_points,
                         .sink = keep_component,
                         .self = &o};
  for (int i = 0; i < g->context->threads * TRIAD_GPE_OBSERVED; i++) triad_sum_clear(&g->sums[i]);
  memset(g->flux, 0, (size_t)l->modes * sizeof *g->flux);
  memset(g->square, 0, (size_t)l->modes * sizeof *g->square);
  TRIAD_TRY(triad_pass_run(pass, &density));
  for (o.direction = 0; o.direction < 3; o.direction++) TRIAD_TRY(triad_pass_run(pass, &gradient));
  sum_energies(&o);
  for (int t = 1; t < g->context->threads; t++)
    for (int i = 0; i < TRIAD_GPE_OBSERVED; i++) triad_sum_merge(&g->sums[i], &g->sums[t * TRIAD_GPE_OBSERVED + i]);
  TRIAD_TRY(triad_sum_all(&g->context->comm, g->sums, TRIAD_GPE_OBSERVED, observed));
  observed[TRIAD_GPE_QUANTUM] /= (double)triad_grid_points(&l->grid);
  observed[TRIAD_GPE_HYDRODYNAMIC] /= (double)triad_grid_points(&l->grid);
  return TRIAD_OK;
}

/* Of the state that was observed last: the run measures before it writes spectra. */
void triad_gpe_densities(const void *self, const triad_layout *l, int64_t column, int64_t j, const triad_cplx *const *u,
                         double *d)
{
  const triad_gpe *g = self;
  int64_t at = triad_layout_place(l, column, j);
  triad_cplx v[TRIAD_GPE_SEEN] = {
    [TRIAD_GPE_DENSITY] = g->density[at], [TRIAD_GPE_FLUX] = g->flux[at], [TRIAD_GPE_SQUARE] = {g->square[at], 0}};
  triad_wave_numbers k;
  triad_mode_pick(l, column, j, TRIAD_GPE_FIELDS, u, &k, v);
  triad_gpe_mode_densities(&g->constants, &k, v, d);
  for (int i = 0; i < TRIAD_GPE_DENSITIES; i++) d[i] *= l->weight[column];
}
