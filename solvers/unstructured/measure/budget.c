/* The columns of the series: exact sums over cells, the same on any ranks (a GPU adds in twice the precision, the host
 * exactly), and the amounts that have left through patches. */
#include "solvers/unstructured/measure/budget.h"
#include "solvers/unstructured/measure/coefficients.h"
#include "solvers/unstructured/state/flow.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  ENERGY,
  KINETIC,
  MASS,
  MOMENTUM,
  MACH = MOMENTUM + 3,
  DENSITY_MIN,
  DENSITY_MAX,
  PRESSURE_MIN,
  PRESSURE_MAX,
  LIMITED,
  LIMITER,
  THRUST,
  MASS_DRIFT,
  MOMENTUM_DRIFT,
  ENERGY_DRIFT,
  COLUMNS
};

static const triad_column_info columns[COLUMNS] = {
  [ENERGY] = {"energy", "M U^2", "sum of e V, e = p/(gamma - 1) + rho |u|^2/2"},
  [KINETIC] = {"kinetic_energy", "M U^2", "sum of rho |u|^2/2 V"},
  [MASS] = {"mass", "M", "sum of rho V"},
  [MOMENTUM] = {"momentum_x", "M U", "sum of rho u V"},
  [MOMENTUM + 1] = {"momentum_y", "M U", "sum of rho v V"},
  [MOMENTUM + 2] = {"momentum_z", "M U", "sum of rho w V"},
  [MACH] = {"mach_max", "1", "max(|u|/c)"},
  [DENSITY_MIN] = {"density_min", "M/L^3", "min(rho)"},
  [DENSITY_MAX] = {"density_max", "M/L^3", "max(rho)"},
  [PRESSURE_MIN] = {"pressure_min", "M U^2/L^3", "min(p)"},
  [PRESSURE_MAX] = {"pressure_max", "M U^2/L^3", "max(p)"},
  [LIMITED] = {"faces_limited", "1",
               "fraction of interior faces whose antidiffusive flux was limited in the last step"},
  [LIMITER] = {"mean_limiter", "1", "mean limiter factor over faces"},
  [THRUST] = {"thrust", "M U/T",
              "force along -x of the gas on walls and inlets, relative to the far pressure, in the last step"},
  [MASS_DRIFT] = {"mass_drift", "1", "(mass + outflow - initial mass)/initial mass: rounding error"},
  [MOMENTUM_DRIFT] = {"momentum_drift", "M U", "|momentum + outflow - initial momentum|: rounding error"},
  [ENERGY_DRIFT] = {"energy_drift", "1", "(energy + outflow - initial energy)/initial energy"},
};

/* totals: of mass, momentum, energy, kinetic energy. */
static int look_over(triad_unstructured_flow *f, double totals[TRIAD_UNSTRUCTURED_SUMS],
                     double most[TRIAD_UNSTRUCTURED_MAX])
{
  triad_sum sums[TRIAD_UNSTRUCTURED_SUMS];
  for (int k = 0; k < TRIAD_UNSTRUCTURED_SUMS; k++) triad_sum_clear(&sums[k]);
  for (int i = 0; i < TRIAD_UNSTRUCTURED_MAX; i++) most[i] = -INFINITY;
  TRIAD_TRY(triad_agree(&f->context->comm, f->loops->look_over(f, sums, most)));
  TRIAD_TRY(triad_sum_all(&f->context->comm, sums, TRIAD_UNSTRUCTURED_SUMS, totals));
  return TRIAD_MPI(
    MPI_Allreduce(MPI_IN_PLACE, most, TRIAD_UNSTRUCTURED_MAX, MPI_DOUBLE, MPI_MAX, f->context->comm.mpi));
}

int triad_unstructured_totals(triad_unstructured_flow *f, double totals[5])
{
  double all[TRIAD_UNSTRUCTURED_SUMS], most[TRIAD_UNSTRUCTURED_MAX];
  TRIAD_TRY(look_over(f, all, most));
  memcpy(totals, all, 5 * sizeof *totals);
  return TRIAD_OK;
}

static void drifts(const triad_unstructured_flow *f, const double now[5], double *out)
{
  double change[5];
  for (int k = 0; k < 5; k++) {
    change[k] = now[k] - f->start[k] - f->added[k];
    for (int p = 0; p < f->mesh->n_patches; p++) change[k] += f->crossed[p][k];
  }
  out[MASS_DRIFT] = change[0] / f->start[0];
  out[MOMENTUM_DRIFT] = sqrt(change[1] * change[1] + change[2] * change[2] + change[3] * change[3]);
  out[ENERGY_DRIFT] = change[4] / f->start[4];
}

/* Fluxes through patches are counted, so mass and energy are conserved for all boundary conditions; a sponge adds and
 * removes both. */
int triad_unstructured_conserved_columns(const void *flow, const double *first, triad_conserved *list)
{
  static const char remedy[] = "a smaller time.cfl or time.dt";
  (void)first;
  if (((const triad_unstructured_flow *)flow)->setup.sponges) return 0;
  list[0] = (triad_conserved){MASS_DRIFT, 1, 0, remedy};
  list[1] = (triad_conserved){ENERGY_DRIFT, 1, 0, remedy};
  return 2;
}

/* Averages over all faces between cells, each counted once. */
static int shares(const triad_unstructured_flow *f, double out[2])
{
  const int64_t mine[2] = {f->limited, f->parts};
  int64_t all[2];
  const double n = f->mesh->all_inner > 0 ? (double)f->mesh->all_inner : 1;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine, all, 2, MPI_INT64_T, MPI_SUM, f->context->comm.mpi)));
  out[0] = (double)all[0] / n;
  out[1] = (double)all[1] / (1 << 20) / n;
  return TRIAD_OK;
}

int triad_unstructured_measure(void *flow, double *out)
{
  triad_unstructured_flow *f = flow;
  double totals[TRIAD_UNSTRUCTURED_SUMS], most[TRIAD_UNSTRUCTURED_MAX];
  TRIAD_TRY(look_over(f, totals, most));
  TRIAD_TRY(shares(f, &out[LIMITED]));
  out[MASS] = totals[0];
  out[THRUST] = f->thrust;
  for (int a = 0; a < 3; a++) out[MOMENTUM + a] = totals[1 + a];
  out[ENERGY] = totals[4];
  out[KINETIC] = totals[5];
  for (int i = 0; i < TRIAD_UNSTRUCTURED_MAX; i++) out[MACH + i] = i % 2 == 1 ? -most[i] : most[i];
  drifts(f, totals, out);
  for (int p = 0; p < f->mesh->n_patches; p++)
    for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++)
      out[COLUMNS + TRIAD_UNSTRUCTURED_FIELDS * p + k] = f->crossed[p][k];
  triad_unstructured_coefficients(f, out + COLUMNS + TRIAD_UNSTRUCTURED_FIELDS * f->mesh->n_patches);
  return TRIAD_OK;
}

int triad_unstructured_columns(triad_column_info *list, char (*names)[TRIAD_MESH_NAME + 16], const triad_mesh *m)
{
  static const struct {
    const char *name, *units, *about;
  } through[TRIAD_UNSTRUCTURED_FIELDS] = {
    {"mass", "M", "outflow through this patch since the start"},
    {"momentum_x", "M U",
     "momentum outflow along x through this patch since the start, including pressure: "
     "the time integral of the force on a wall"},
    {"momentum_y", "M U", "momentum outflow along y through this patch since the start"},
    {"momentum_z", "M U", "momentum outflow along z through this patch since the start"},
    {"energy", "M U^2", "outflow through this patch since the start"}};
  int n = 0, patches = m ? m->n_patches : TRIAD_MESH_PATCHES;
  for (; n < COLUMNS; n++)
    if (list) list[n] = columns[n];
  for (int p = 0; p < patches; p++)
    for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++, n++) {
      if (!list) continue;
      char *name = names[TRIAD_UNSTRUCTURED_FIELDS * p + k];
      (void)snprintf(name, TRIAD_MESH_NAME + 16, "%s_out_%s", through[k].name, m->patch_name[p]);
      list[n] = (triad_column_info){name, through[k].units, .formula = through[k].about};
    }
  return n;
}
