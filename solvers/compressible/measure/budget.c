/* Budgets: exact sums over all points, the same on any number of ranks; and extremes. On a GPU a kernel sums rows along
 * x and the host adds the rows exactly: the same result on any ranks that do not divide x. */
#include "parallel/sum.h"
#include "solvers/compressible/closure/closure.h"
#include "solvers/compressible/points/budget_points.h"
#include "solvers/compressible/step/loops.h"

#include <math.h>
#include <stdlib.h>

/* Columns before and after those that depend on a closure. */
#define FLOW_COLUMNS \
  {"energy", "M U^2/L^3", .formula = "mean(e), e = p/(gamma - 1) + rho |u|^2/2"}, \
    {"kinetic_energy", "M U^2/L^3", .formula = "mean(rho |u|^2)/2"}, \
    {"enstrophy", "1/T^2", .formula = "mean(|curl u|^2)/2"}, \
    {"dissipation", "M U^2/(L^3 T)", .formula = "mean(tau : grad u), viscous dissipation of kinetic_energy"}, \
    {"solenoidal_dissipation", "M U^2/(L^3 T)", .formula = "mean(mu |curl u|^2)"}, \
    {"dilatational_dissipation", "M U^2/(L^3 T)", .formula = "4/3 mean(mu (div u)^2)"}, \
    {"pressure_dilatation", "M U^2/(L^3 T)", .formula = "mean(p div u), pressure work on kinetic_energy"}, \
    {"mass", "M/L^3", .formula = "mean(rho)"}, {"momentum_x", "M U/L^3", .formula = "mean(rho u)"}, \
    {"momentum_y", "M U/L^3", .formula = "mean(rho v)"}, {"momentum_z", "M U/L^3", .formula = "mean(rho w)"}, \
    {"mach_rms", "1", .formula = "sqrt(mean(|u|^2/c^2))"}, {"mach_max", "1", .formula = "max(|u|/c)"}, \
    {"density_min", "M/L^3", .formula = "min(rho)"}, {"density_max", "M/L^3", .formula = "max(rho)"}, \
    {"density_rms", "M/L^3", .formula = "sqrt(mean(rho^2) - mean(rho)^2)"}, \
    {"pressure_min", "M U^2/L^3", .formula = "min(p)"}, {"dilatation_rms", "1/T", .formula = "sqrt(mean((div u)^2))"}, \
  { \
    "shocklet_volume", "1", .formula = "fraction of the volume where div u < -3 dilatation_rms" \
  }

#define LAST_COLUMNS \
  {"mass_drift", "1", .formula = "relative change of mass since the start; it is 0 unless mass crosses boundaries"}, \
    {"momentum_drift", "M U/L^3", .formula = "|change of momentum since the start|"}, \
    {"energy_drift", "1", .formula = "relative change of energy since the start"}, \
    {"injection", "M U^2/(L^3 T)", .formula = "power of the force, mean(rho u.a), over the last step"}, \
    {"cooling", "M U^2/(L^3 T)", \
     .formula = "energy removed by cooling per unit time, over the last step: dE/dt = injection - cooling"}, \
    {"work_done", "M U^2/L^3", .formula = "integral of injection over all steps"}, \
  { \
    "heat_removed", "M U^2/L^3", .formula = "integral of cooling over all steps" \
  }

static const triad_column_info columns[] = {
  FLOW_COLUMNS,
  {"kmax_eta", "1",
   "k_max eta, k_max = pi (points/volume)^(1/3), eta = (nu^3/eps)^(1/4), nu = solenoidal_dissipation/(2 enstrophy "
   "mass), "
   "eps = dissipation/mass",
   TRIAD_LIMIT_ETA},
  LAST_COLUMNS,
};

/* The smallest scales are not resolved, so that kmax_eta has no limit. */
static const triad_column_info closure_columns[] = {
  FLOW_COLUMNS,
  {"kmax_eta", "1", .formula = "k_max eta, of the viscosity and dissipation with those of the closure"},
  {"sgs_dissipation", "M U^2/(L^3 T)", .formula = "mean(rho nu_t (|S|^2 - 2/3 (div u)^2)); dissipation includes it"},
  {"eddy_viscosity_mean", "L^2/T", .formula = "mean of nu_t over the points"},
  {"eddy_viscosity_max", "L^2/T", .formula = "maximum of nu_t over the points"},
  LAST_COLUMNS,
};

const triad_column_info *triad_compressible_columns(int *n)
{
  *n = (int)(sizeof columns / sizeof columns[0]) - TRIAD_COMPRESSIBLE_DRIFTS - TRIAD_COMPRESSIBLE_POWERS;
  return columns;
}

const triad_column_info *triad_compressible_columns_of(const triad_compressible_setup *setup, int *n)
{
  if (!setup->closure) return triad_compressible_columns(n);
  (void)triad_compressible_columns(n);
  *n += TRIAD_COMPRESSIBLE_CLOSURE_COLUMNS;
  return closure_columns;
}

int triad_compressible_budget(triad_compressible *w, double *out)
{
  triad_sum sums[TRIAD_COMPRESSIBLE_SUMS];
  double s[TRIAD_COMPRESSIBLE_SUMS], mine[TRIAD_COMPRESSIBLE_EXTREMES], most[TRIAD_COMPRESSIBLE_EXTREMES], n = 1;
  const triad_comm *comm = &w->context->comm;
  for (int i = 0; i < 3; i++) n *= (double)w->setup.n[i];
  int st = triad_state_read_all(w->state, w->loops->where);
  if (st == TRIAD_OK) st = triad_compressible_bring(w);
  if (st == TRIAD_OK) st = w->loops->sum(w, sums, mine);
  TRIAD_TRY(triad_agree(comm, st));
  TRIAD_TRY(triad_sum_all(comm, sums, TRIAD_COMPRESSIBLE_SUMS, s));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(mine, most, TRIAD_COMPRESSIBLE_EXTREMES, MPI_DOUBLE, MPI_MAX, comm->mpi)));
  for (int i = 0; i < TRIAD_COMPRESSIBLE_SUMS; i++) s[i] /= n;
  double rms = sqrt(s[TRIAD_COMPRESSIBLE_DILATATION_SQUARED]);
  int64_t shocklets = 0, all = 0;
  TRIAD_TRY(triad_agree(comm, w->loops->count(w, -3 * rms, &shocklets)));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&shocklets, &all, 1, MPI_INT64_T, MPI_SUM, comm->mpi)));
  for (int i = 0; i < TRIAD_COMPRESSIBLE_MACH_SQUARED; i++) out[i] = s[i];
  double *rest = out + TRIAD_COMPRESSIBLE_MACH_SQUARED;
  *rest++ = sqrt(s[TRIAD_COMPRESSIBLE_MACH_SQUARED]);
  *rest++ = most[TRIAD_COMPRESSIBLE_MACH];
  *rest++ = -most[TRIAD_COMPRESSIBLE_DENSITY_LEAST];
  *rest++ = most[TRIAD_COMPRESSIBLE_DENSITY_MOST];
  *rest++ =
    sqrt(fmax(0, s[TRIAD_COMPRESSIBLE_DENSITY_SQUARED] - s[TRIAD_COMPRESSIBLE_MASS] * s[TRIAD_COMPRESSIBLE_MASS]));
  *rest++ = -most[TRIAD_COMPRESSIBLE_PRESSURE_LEAST];
  *rest++ = rms;
  *rest++ = (double)all / n;
  const double turning = 2 * s[TRIAD_COMPRESSIBLE_ENSTROPHY] * s[TRIAD_COMPRESSIBLE_MASS];
  const double nu = turning > 0 ? s[TRIAD_COMPRESSIBLE_SOLENOIDAL] / turning : 0;
  *rest++ =
    triad_kmax_eta(w->setup.n, w->setup.length, nu, s[TRIAD_COMPRESSIBLE_DISSIPATION] / s[TRIAD_COMPRESSIBLE_MASS]);
  return w->setup.closure ? triad_compressible_closure_measure(w, rest) : TRIAD_OK;
}
