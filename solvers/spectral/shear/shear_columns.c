/* Columns of a sheared flow: its production, the Reynolds stress, the frame. */
#include "solvers/spectral/shear/shear_internal.h"

#include "solvers/spectral/equations/velocity.h"
#include "solvers/spectral/plain/spectra.h"

enum { PRODUCTION, UU, VV, WW, UV, SKEW, DROPPED, COLUMNS, BXBY = COLUMNS };

static const triad_column_info columns[COLUMNS] = {
  [PRODUCTION] = {TRIAD_SHEAR_FIRST_COLUMN, "U^2/T", .formula = "-S mean(u v), power of the mean shear; in injection"},
  [UU] = {"mean_uu", "U^2", .formula = "mean(u^2)"},
  [VV] = {"mean_vv", "U^2", .formula = "mean(v^2)"},
  [WW] = {"mean_ww", "U^2", .formula = "mean(w^2)"},
  [UV] = {"mean_uv", "U^2", .formula = "mean(u v)"},
  [SKEW] = {"shear_skew", "1", .formula = "skew of the frame: S t less the skew that remeshes have taken away"},
  [DROPPED] = {"remesh_loss", "U^2", .formula = "energy of modes that remeshes have dropped since the start"}};

/* Behind the others, of a magnetic field. */
static const triad_column_info magnetic = {"mean_bxby", "U^2", .formula = "mean(bx by), without the mean field"};

static void set_formula(triad_shape *shape, const char *name, const char *formula)
{
  const int c = triad_shape_column(shape, name);
  if (c >= 0) shape->columns[c].formula = formula;
}

int triad_shear_columns(triad_shape *shape, const triad_case *given)
{
  if (triad_shear_of(given) == 0) return TRIAD_OK;
  TRIAD_TRY(triad_shape_add_columns(shape, COLUMNS, columns));
  set_formula(shape, "cfl",
              "dt max (|u|/dx + |v| (1/dy + |shear_skew|/dx) + |w|/dz); the mean shear also limits the time step");
  if (triad_shape_group(shape, "magnetic field").n > 0) {
    TRIAD_TRY(triad_shape_add_columns(shape, 1, &magnetic));
    set_formula(shape, TRIAD_SHEAR_FIRST_COLUMN, "-S mean(u v - bx by), power of the mean shear; in injection");
    set_formula(shape, "magnetic_production",
                "mean(curl b.(u x B)), energy transfer from flow to field: d(magnetic_energy)/dt = magnetic_production "
                "+ S mean_bxby - joule_dissipation");
    set_formula(shape, "cfl",
                "dt max (|u|/dx + |v| (1/dy + |shear_skew|/dx) + |w|/dz); Alfven waves and the mean shear also limit "
                "the time step");
  }
  if (!shape->supplies) set_formula(shape, "injection", "shear_production, the power of the mean shear");
  set_formula(shape, "work_done",
              "work of the mean shear: integral of shear_production over all steps, less remesh_loss");
  return TRIAD_OK;
}

static void add_column(const void *self, const triad_flow *flow, int64_t c, triad_sum *sums)
{
  const triad_layout *l = flow->layout;
  const triad_cplx *const *u = (const triad_cplx *const *)flow->u;
  const triad_field_group b = triad_shape_group(&flow->shape, "magnetic field");
  double share[TRIAD_SHEAR_SUMS] = {0};
  (void)self;
  for (int64_t j = 0; j < l->nkz; j++) {
    const int64_t at = triad_layout_place(l, c, j);
    for (int a = 0; a < 3; a++) share[TRIAD_SHEAR_UU + a] += triad_mode_square(u[a][at]);
    share[TRIAD_SHEAR_UV] += triad_mode_product(u[0][at], u[1][at]);
    if (b.n > 0) share[TRIAD_SHEAR_BXBY] += triad_mode_product(u[b.first][at], u[b.first + 1][at]);
  }
  for (int s = 0; s < TRIAD_SHEAR_SUMS; s++) triad_sum_add(&sums[s], l->weight[c] * share[s]);
}

int triad_shear_sums(const triad_flow *flow, double sums[TRIAD_SHEAR_SUMS])
{
  return triad_columns_sum(flow, TRIAD_SHEAR_SUMS, add_column, NULL, sums);
}

double triad_shear_power(const triad_shear *s, const double sums[TRIAD_SHEAR_SUMS])
{
  return -s->rate * (sums[TRIAD_SHEAR_UV] - sums[TRIAD_SHEAR_BXBY]);
}

int triad_shear_measure(const triad_shear *s, triad_flow *flow, double *power, double *values)
{
  double sums[TRIAD_SHEAR_SUMS];
  *power = 0;
  if (!s) return TRIAD_OK;
  TRIAD_TRY(triad_shear_sums(flow, sums));
  *power = triad_shear_power(s, sums);
  values += s->first_column;
  values[PRODUCTION] = *power;
  for (int i = 0; i < 4; i++) values[UU + i] = sums[TRIAD_SHEAR_UU + i];
  values[SKEW] = flow->layout->skew;
  values[DROPPED] = s->dropped;
  if (triad_shape_group(&flow->shape, "magnetic field").n > 0) values[BXBY] = sums[TRIAD_SHEAR_BXBY];
  return TRIAD_OK;
}
