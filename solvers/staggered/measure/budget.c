/* The columns of the series (docs/methods/staggered.md eq. 49). */
#include "solvers/staggered/measure/budget.h"
#include "solvers/staggered/plain/columns.h"
#include "solvers/staggered/measure/column_numbers.h"

#include "solvers/staggered/step/step.h"
#include "solvers/staggered/points/budget_points.h"
#include "solvers/staggered/points/heat_points.h"
#include "solvers/staggered/plain/forces.h"
#include "solvers/staggered/step/loops.h"

static void put_coefficients(triad_staggered_flow *f, const triad_staggered_forces *forces, double *out)
{
  triad_body_coefficients(&f->reference, forces->drag, &out[LIFT], &out[DRAGGED]);
  out[TURNED] = triad_body_moment(&f->reference, forces->moment);
  triad_strouhal_add(&f->strouhal, &f->reference, f->at.t, out[LIFT]);
  out[STROUHAL] = triad_strouhal_number(&f->strouhal, &f->reference);
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
  if (triad_staggered_has_coefficients(&f->setup))
    put_coefficients(f, &forces, out + triad_staggered_coefficients_at(&f->setup));
  out[SHEAR] = forces.wall_shear;
  out[DIVERGENCE] = sums[TRIAD_STAGGERED_BUDGET_DIVERGENCE];
  out[ITERATIONS] = f->iterations;
  out[RESIDUAL] = f->residual;
  out[WORK] = triad_staggered_work_of_formulas(f, power);
  out[RESOLUTION] = triad_kmax_eta(f->setup.n, f->setup.length, nu, dissipation);
  return TRIAD_OK;
}
