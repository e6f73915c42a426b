/* The columns of the series (docs/methods/staggered.md eq. 49). */
#include "solvers/staggered/measure/budget.h"

#include "solvers/staggered/step/step.h"
#include "solvers/staggered/points/budget_points.h"
#include "solvers/staggered/points/heat_points.h"
#include "solvers/staggered/measure/forces.h"
#include "solvers/staggered/step/loops.h"

enum {
  ENERGY,
  ENSTROPHY,
  DISSIPATION,
  INJECTION,
  PRODUCTION,
  EXPONENT,
  SCALE,
  REYNOLDS,
  MEAN,
  MOVED = MEAN + 3,
  DRAG = MOVED + 3,
  SHEAR = DRAG + 3,
  DIVERGENCE,
  ITERATIONS,
  RESIDUAL,
  WORK,
  RESOLUTION,
  COLUMNS,
  TEMPERATURE = COLUMNS,
  VARIANCE,
  LOSS,
  GAIN,
  FLUX,
  HEATING = FLUX + 3,
  BUOYANCY,
  WALL_HEAT,
  SOLID_HEAT,
  HEAT_COLUMNS,
  DRAIN = COLUMNS, /* with a closure, which excludes a temperature */
  NU_MEAN,
  NU_MAX,
  CLOSURE_COLUMNS,
  NUSSELT = HEAT_COLUMNS, /* lower, upper */
  NUSSELT_VOLUME = NUSSELT + 2,
  ALL_COLUMNS
};

/* Those of every flow. */
#define FLOW_COLUMNS \
  [ENERGY] = {"energy", "U^2", "mean(|u|^2)/2 over the fluid, on faces"}, \
  [ENSTROPHY] = {"enstrophy", "1/T^2", "mean(|curl u|^2)/2 over the fluid, on edges"}, \
  [DISSIPATION] = {"dissipation", "U^2/T", "nu mean(|grad u|^2): dE/dt = injection - dissipation"}, \
  [INJECTION] = {"injection", "U^2/T", \
                 "mean(u) . acceleration in the last step, or mean(u . f) for formulas; plus the power of moving " \
                 "walls, and production"}, \
  [PRODUCTION] = {"production", "U^2/T", "-sum_i S_i mean(u_i^2): production by a mean strain with rates S"}, \
  [EXPONENT] = {"decay_exponent", "1", "t dissipation/energy: n of a free decay as t^-n"}, \
  [SCALE] = {"large_eddy_scale", "L", "u'^3/dissipation, u'^2 = 2/3 energy"}, \
  [REYNOLDS] = {"large_eddy_reynolds", "1", "u' large_eddy_scale/viscosity"}, \
  [MEAN] = {"mean_u", "U", "mean(u) over the fluid"}, [MEAN + 1] = {"mean_v", "U", "mean(v)"}, \
  [MEAN + 2] = {"mean_w", "U", "mean(w)"}, [MOVED] = {"displacement_x", "L", "integral of mean_u over time"}, \
  [MOVED + 1] = {"displacement_y", "L", "integral of mean_v"}, \
  [MOVED + 2] = {"displacement_z", "L", "integral of mean_w"}, \
  [DRAG] = {"drag_x", "U^2 L^2", "force on the solids along x, divided by the density"}, \
  [DRAG + 1] = {"drag_y", "U^2 L^2", "force on the solids along y, divided by the density"}, \
  [DRAG + 2] = {"drag_z", "U^2 L^2", "force on the solids along z, divided by the density"}, \
  [SHEAR] = {"wall_shear", "U^2", \
             "wall stress divided by the density: magnitude of the mean of each wall, averaged over walls"}, \
  [DIVERGENCE] = {"divergence", "1/T", "largest |div u| over cells"}, \
  [ITERATIONS] = {"iterations", "1", "iterations of the pressure solver in the last step"}, \
  [RESIDUAL] = {"pressure_residual", "1", "largest relative residual of the pressure in the last step"}, \
  [WORK] = {"work_done", "U^2", "time integral of injection, without production and the power of moving walls"}

static const triad_column_info columns[ALL_COLUMNS] = {
  FLOW_COLUMNS,
  [RESOLUTION] = {"kmax_eta", "1", "k_max eta, k_max = pi (cells/volume)^(1/3), eta = (nu^3/dissipation)^(1/4)",
                  TRIAD_LIMIT_ETA},
  [TEMPERATURE] = {"mean_temperature", "K", "mean(T) over the fluid"},
  [VARIANCE] = {"temperature_variance", "K^2", "mean((T - T_0)^2)/2, T_0 = equations.reference_temperature"},
  [LOSS] = {"temperature_dissipation", "K^2/T", "kappa mean(|grad T|^2)"},
  [GAIN] = {"temperature_production", "K^2/T",
            "temperature_variance from walls, inflow and sources: d/dt temperature_variance = temperature_production - "
            "temperature_dissipation"},
  [FLUX] = {"temperature_flux_x", "K U", "mean(u (T - T_0))"},
  [FLUX + 1] = {"temperature_flux_y", "K U", "mean(v (T - T_0))"},
  [FLUX + 2] = {"temperature_flux_z", "K U", "mean(w (T - T_0))"},
  [HEATING] = {"heating", "K/T", "heat from walls, solids, inflow and sources: d/dt mean_temperature = heating"},
  [BUOYANCY] = {"buoyancy_power", "U^2/T", "mean(u . buoyancy): part of injection"},
  [WALL_HEAT] = {"wall_heat_flux", "K U", "conduction from isothermal walls to the fluid, mean over their area"},
  [SOLID_HEAT] = {"solid_heat", "K U L^2", "heat from isothermal solids to the fluid"},
  [NUSSELT] = {"nusselt_lower", "1",
               "heat flux through the lower wall over that of conduction, between two walls of different temperature"},
  [NUSSELT + 1] = {"nusselt_upper", "1", "heat flux through the upper wall over that of conduction"},
  [NUSSELT_VOLUME] = {"nusselt_volume", "1", "1 + mean(u T) L/(kappa (T_lower - T_upper)), across the walls"},
};

/* With a closure: the smallest scales are not resolved, so that kmax_eta has no limit. */
static const triad_column_info closure_columns[CLOSURE_COLUMNS] = {
  FLOW_COLUMNS,
  [RESOLUTION] = {"kmax_eta", "1", "k_max eta, of the dissipation with that of the closure"},
  [DRAIN] = {"sgs_dissipation", "U^2/T", "-mean(u . force of the subgrid stress); dissipation includes it"},
  [NU_MEAN] = {"eddy_viscosity_mean", "L^2/T", "mean(nu_t) over the cells"},
  [NU_MAX] = {"eddy_viscosity_max", "L^2/T", "maximum of nu_t over the cells"},
};

const triad_column_info *triad_staggered_columns(const triad_staggered_setup *s, int *n)
{
  if (s->closure) {
    *n = CLOSURE_COLUMNS;
    return closure_columns;
  }
  const int between = triad_staggered_heated_axis(s) >= 0;
  *n = !s->thermal.on ? COLUMNS : !between ? HEAT_COLUMNS : s->solids ? NUSSELT_VOLUME : ALL_COLUMNS;
  return columns;
}

/* Convection gives no energy to an inviscid fluid, nor takes any (docs/methods/staggered.md); walls that move do
 * no work on it. */
int triad_staggered_conserved_columns(const void *flow, const double *first, triad_conserved *list)
{
  const triad_staggered_flow *f = flow;
  const int buoyant = fabs(f->setup.thermal.expansion) > 0;
  if (f->closure || f->setup.viscosity > 0 || buoyant || f->setup.solids || f->strain.strains ||
      f->forcing.kind != TRIAD_STAGGERED_UNFORCED)
    return 0;
  for (int i = 0; i < 6; i++) {
    const triad_staggered_side side = f->setup.side[i / 2][i % 2];
    if (side == TRIAD_STAGGERED_INFLOW || side == TRIAD_STAGGERED_OUTFLOW) return 0;
  }
  list[0] = (triad_conserved){ENERGY, first[ENERGY], TRIAD_CONSERVED_IN_TIME,
                              "a smaller time.dt or time.cfl, or a smaller solver.tolerance"};
  return 1;
}

/* Nusselt numbers of the axis: fluxes over kappa (T_lower - T_upper)/L. */
static void put_nusselt(const triad_staggered_flow *f, int axis, const double *sums, double *out)
{
  const triad_staggered_thermal *t = &f->setup.thermal;
  const double length = f->setup.length[axis],
               area = f->setup.length[0] * f->setup.length[1] * f->setup.length[2] / length;
  const double conduction = t->diffusivity * (t->wall[axis][0] - t->wall[axis][1]) / length;
  const double *ends = &sums[TRIAD_STAGGERED_HEAT_ENDS + 2 * axis];
  out[NUSSELT] = ends[0] / area / conduction;
  out[NUSSELT + 1] = -ends[1] / area / conduction;
  if (!f->setup.solids) out[NUSSELT_VOLUME] = 1 + out[FLUX + axis] / conduction;
}

/* Returns the power of buoyancy. */
static double put_heat(const triad_staggered_flow *f, const double *sums, double *out)
{
  const triad_staggered_thermal *t = &f->setup.thermal;
  const double *length = f->setup.length;
  const int axis = triad_staggered_heated_axis(&f->setup);
  double area = 0, through = 0;
  out[TEMPERATURE] = t->reference + sums[TRIAD_STAGGERED_HEAT_MEAN] / f->fluid;
  out[VARIANCE] = sums[TRIAD_STAGGERED_HEAT_SQUARE] / f->fluid;
  out[LOSS] = t->diffusivity * sums[TRIAD_STAGGERED_HEAT_GRADIENTS] / f->fluid;
  out[GAIN] = sums[TRIAD_STAGGERED_HEAT_PRODUCTION] / f->fluid;
  out[HEATING] = sums[TRIAD_STAGGERED_HEAT_HEATING] / f->fluid;
  out[BUOYANCY] = sums[TRIAD_STAGGERED_HEAT_POWER] / f->fluid;
  for (int i = 0; i < 3; i++) out[FLUX + i] = sums[TRIAD_STAGGERED_HEAT_FLUX + i] / f->fluid;
  for (int i = 0; i < 3; i++)
    for (int upper = 0; upper < 2; upper++) {
      if (!t->held[i][upper] || f->setup.side[i][upper] == TRIAD_STAGGERED_INFLOW) continue;
      area += length[(i + 1) % 3] * length[(i + 2) % 3];
      through += sums[TRIAD_STAGGERED_HEAT_ENDS + 2 * i + upper];
    }
  out[WALL_HEAT] = area > 0 ? through / area : 0;
  out[SOLID_HEAT] = sums[TRIAD_STAGGERED_HEAT_SOLIDS];
  if (axis >= 0) put_nusselt(f, axis, sums, out);
  return out[BUOYANCY];
}

static void put_closure(const triad_staggered_flow *f, const double sums[3], double *out)
{
  out[DRAIN] = sums[0] / f->fluid;
  out[NU_MEAN] = sums[1] / f->fluid;
  out[NU_MAX] = sums[2];
}

int triad_staggered_measure(void *flow, double *out)
{
  triad_staggered_flow *f = flow;
  double sums[TRIAD_STAGGERED_BUDGET_NUMBERS], force[TRIAD_STAGGERED_FORCE_SUMS] = {0}, nu = f->setup.viscosity,
                                               power = 0, energy = 0;
  const double *component = &sums[TRIAD_STAGGERED_BUDGET_ENERGY];
  TRIAD_TRY(f->loops->sum_budget(f, sums, force));
  const triad_staggered_forces forces = triad_staggered_forces_of(f->mesh, force);
  if (f->formulas)
    TRIAD_TRY(triad_staggered_formulas_measure(f->formulas, f->mesh, f->at.t, f->u[0], f->pushed, &power));
  for (int i = 0; i < 3; i++) energy += component[i] / f->fluid;
  double dissipation = nu * sums[TRIAD_STAGGERED_BUDGET_GRADIENTS] / f->fluid, speed = sqrt(2 * energy / 3);
  double heat[TRIAD_STAGGERED_HEAT_SUMS] = {0}, closure[3] = {0};
  if (f->closure) TRIAD_TRY(triad_staggered_closure_measure(f->closure, f->mesh, f->u[0], closure));
  dissipation += closure[0] / f->fluid;
  if (f->heat[0]) TRIAD_TRY(f->loops->sum_heat(f, heat));
  for (int i = 0; i < COLUMNS; i++) out[i] = 0;
  if (f->closure) put_closure(f, closure, out);
  out[ENERGY] = energy;
  out[ENSTROPHY] = sums[TRIAD_STAGGERED_BUDGET_ENSTROPHY] / f->fluid;
  out[DISSIPATION] = dissipation;
  out[INJECTION] = (forces.power + power) / f->fluid;
  for (int i = 0; i < 3; i++) {
    out[INJECTION] += f->force[i] * f->look.mean[i];
    out[PRODUCTION] -= 2 * triad_staggered_strain_rate(&f->strain, i, f->at.t) * component[i] / f->fluid;
    out[MEAN + i] = f->look.mean[i];
    out[MOVED + i] = f->moved[i];
  }
  out[INJECTION] += out[PRODUCTION];
  if (f->heat[0]) out[INJECTION] += put_heat(f, heat, out);
  if (energy > 0) out[EXPONENT] = f->at.t * dissipation / energy;
  if (dissipation > 0) out[SCALE] = speed * speed * speed / dissipation;
  if (nu > 0) out[REYNOLDS] = speed * out[SCALE] / nu;
  for (int i = 0; i < 3; i++) out[DRAG + i] = forces.drag[i];
  out[SHEAR] = forces.wall_shear;
  out[DIVERGENCE] = sums[TRIAD_STAGGERED_BUDGET_DIVERGENCE];
  out[ITERATIONS] = f->iterations;
  out[RESIDUAL] = f->residual;
  out[WORK] = triad_staggered_work_of_formulas(f, power);
  out[RESOLUTION] = triad_kmax_eta(f->setup.n, f->setup.length, nu, dissipation);
  return TRIAD_OK;
}
