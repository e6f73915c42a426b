/* The table of columns, and where those of coefficients begin. */
#include "solvers/staggered/plain/columns.h"
#include "solvers/staggered/measure/column_numbers.h"

#include <math.h>

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
  [WORK] = {"work_done", "U^2", "time integral of injection, without the power of moving walls"}

static const triad_column_info columns[HEAT_AND_NUSSELT] = {
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

static const triad_column_info coefficients[COEFFICIENTS] = {
  [LIFT] = {"cl", "1", "lift coefficient of the solids, lift/(U^2/2 area), [reference]"},
  [DRAGGED] = {"cd", "1", "drag coefficient of the solids, drag/(U^2/2 area)"},
  [TURNED] = {"cm", "1",
              "moment coefficient of the solids about reference.centre, moment/(U^2/2 area length), positive nose up"},
  [STROUHAL] = {"strouhal", "1", "frequency of cl, mean of the last cycles, times reference.length/U"},
};

int triad_staggered_coefficients_at(const triad_staggered_setup *s)
{
  const int between = triad_staggered_heated_axis(s) >= 0;
  if (s->closure) return CLOSURE_COLUMNS;
  return !s->thermal.on ? COLUMNS : !between ? HEAT_COLUMNS : s->solids ? NUSSELT_VOLUME : HEAT_AND_NUSSELT;
}

int triad_staggered_columns(const triad_staggered_setup *s, triad_column_info list[TRIAD_STAGGERED_MAX_COLUMNS])
{
  const int n = triad_staggered_coefficients_at(s), has = triad_staggered_has_coefficients(s);
  _Static_assert(HEAT_AND_NUSSELT + COEFFICIENTS <= TRIAD_STAGGERED_MAX_COLUMNS, "columns of a flow");
  for (int i = 0; list && i < n; i++) list[i] = s->closure ? closure_columns[i] : columns[i];
  for (int i = 0; list && has && i < COEFFICIENTS; i++) list[n + i] = coefficients[i];
  return n + (has ? COEFFICIENTS : 0);
}

int triad_staggered_heated_axis(const triad_staggered_setup *s)
{
  const triad_staggered_thermal *t = &s->thermal;
  int axis = -1, n = 0;
  for (int i = 0; i < 3 && t->diffusivity > 0; i++) {
    const int walls = s->side[i][0] != TRIAD_STAGGERED_INFLOW && s->side[i][1] != TRIAD_STAGGERED_INFLOW;
    if (!walls || !t->held[i][0] || !t->held[i][1] || !(fabs(t->wall[i][0] - t->wall[i][1]) > 0)) continue;
    axis = i;
    n++;
  }
  return n == 1 ? axis : -1;
}

int triad_staggered_has_coefficients(const triad_staggered_setup *s)
{
  return s->solids && triad_body_speed(&s->reference) > 0;
}
