/* The columns of the series (docs/numerics.md eq. 49). */
#include "solvers/staggered/flow.h"

enum { ENERGY, ENSTROPHY, DISSIPATION, INJECTION, PRODUCTION, EXPONENT, SCALE, REYNOLDS, MEAN, MOVED = MEAN + 3,
       DRAG = MOVED + 3, SHEAR = DRAG + 3, DIVERGENCE, ITERATIONS, RESIDUAL, COLUMNS };

static const triad_column_info columns[COLUMNS] = {
    [ENERGY] = {"energy", "U^2", "mean(|u|^2)/2 over the fluid, of faces"},
    [ENSTROPHY] = {"enstrophy", "1/T^2", "mean(|curl u|^2)/2 over the fluid, of edges"},
    [DISSIPATION] = {"dissipation", "U^2/T", "nu mean(|grad u|^2): dE/dt = injection - dissipation"},
    [INJECTION] = {"injection", "U^2/T",
                   "mean(u) . acceleration of the last step, or mean(u . f) of formulas, the power of moving walls, and production"},
    [PRODUCTION] = {"production", "U^2/T", "-sum_i S_i mean(u_i^2): what a strain of rates S adds to dE/dt"},
    [EXPONENT] = {"decay_exponent", "1", "t dissipation/energy: n of a free decay as t^-n"},
    [SCALE] = {"large_eddy_scale", "L", "u'^3/dissipation, u'^2 = 2/3 energy"},
    [REYNOLDS] = {"large_eddy_reynolds", "1", "u' large_eddy_scale/viscosity"},
    [MEAN] = {"mean_u", "U", "mean(u) over the fluid"},
    [MEAN + 1] = {"mean_v", "U", "mean(v)"},
    [MEAN + 2] = {"mean_w", "U", "mean(w)"},
    [MOVED] = {"displacement_x", "L", "integral of mean_u over time"},
    [MOVED + 1] = {"displacement_y", "L", "integral of mean_v"},
    [MOVED + 2] = {"displacement_z", "L", "integral of mean_w"},
    [DRAG] = {"drag_x", "U^2 L^2", "force on the solids along x over the density"},
    [DRAG + 1] = {"drag_y", "U^2 L^2", "the same along y"},
    [DRAG + 2] = {"drag_z", "U^2 L^2", "the same along z"},
    [SHEAR] = {"wall_shear", "U^2",
               "stress along walls over the density: the size of each one's mean, its mean over them"},
    [DIVERGENCE] = {"divergence", "1/T", "largest |div u| of a cell"},
    [ITERATIONS] = {"iterations", "1", "of the pressure in the last step"},
    [RESIDUAL] = {"pressure_residual", "1",
                  "largest residual of the pressure in the last step, over its right-hand side"},
};

const triad_column_info *triad_staggered_columns(int *n)
{
  *n = COLUMNS;
  return columns;
}

/* Half the square of the vorticity: means over the four edges of a cell along each axis. */
static double enstrophy(const triad_staggered_sizes *s, const triad_real *const u[3], int64_t at, const int64_t c[3])
{
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    int64_t near[3], place[3];
    for (int a = 0; a < 3; a++) {
      int up[3] = {0, 0, 0};
      up[(a + 1) % 3] = i & 1;
      up[(a + 2) % 3] = i >> 1;
      place[a] = at;
      for (int b = 0; b < 3; b++) place[a] += up[b] * s->step[b];
      for (int b = 0; b < 3; b++) near[b] = c[b] + (s->step[b] ? up[b] : 0);
      double w = (double)(a == 0   ? triad_staggered_vorticity(0, s, u, place[a], near)
                          : a == 1 ? triad_staggered_vorticity(1, s, u, place[a], near)
                                   : triad_staggered_vorticity(2, s, u, place[a], near));
      sum += w * w / 8;
    }
  }
  return sum;
}

static void budget_row(void *self, int64_t y, int64_t z, double *results)
{
  const triad_staggered_flow *f = self;
  const triad_staggered_sizes *s = &f->mesh->sizes;
  const triad_real *const u[3] = {f->u[0][0], f->u[0][1], f->u[0][2]};
  for (int64_t x = 0; x < f->blocks.local[0]; x++) {
    const int64_t c[3] = {x, y, z}, at = triad_partition_at(&f->blocks, x, y, z);
    double gradients[3] = {(double)triad_staggered_gradients(0, s, u[0], at, c),
                           (double)triad_staggered_gradients(1, s, u[1], at, c),
                           (double)triad_staggered_gradients(2, s, u[2], at, c)};
    if (s->open[at] & TRIAD_STAGGERED_SOLID) continue;
    results[1] += triad_staggered_volume(s, 3, c) * enstrophy(s, u, at, c);
    for (int a = 0; a < 3; a++) {
      double volume = s->open[at] & TRIAD_STAGGERED_LOWER(a) ? triad_staggered_volume(s, a, c) : 0;
      double energy = volume * (double)u[a][at] * (double)u[a][at] / 2;
      results[0] += energy;
      results[2] += volume * gradients[a];
      results[3 + a] += energy;
    }
    results[6] = fmax(results[6], fabs((double)triad_staggered_divergence(s, u, at, c)));
  }
}

int triad_staggered_measure(void *flow, double *out)
{
  triad_staggered_flow *f = flow;
  double results[7], nu = f->setup.viscosity, power = 0;
  triad_staggered_forces forces;
  TRIAD_TRY(triad_staggered_to_host(f));
  TRIAD_TRY(triad_staggered_forces_of(f->mesh, f->u[0], f->p, nu, &forces));
  TRIAD_TRY(triad_staggered_rows(f->mesh, budget_row, f, 6, 1, results));
  if (f->formulas) TRIAD_TRY(triad_staggered_formulas_measure(f->formulas, f->mesh, f->at.t, f->u[0], f->pushed, &power));
  double energy = results[0] / f->fluid, dissipation = nu * results[2] / f->fluid, speed = sqrt(2 * energy / 3);
  for (int i = 0; i < COLUMNS; i++) out[i] = 0;
  out[ENERGY] = energy;
  out[ENSTROPHY] = results[1] / f->fluid;
  out[DISSIPATION] = dissipation;
  out[INJECTION] = (forces.power + power) / f->fluid;
  for (int i = 0; i < 3; i++) {
    out[INJECTION] += f->force[i] * f->look.mean[i];
    out[PRODUCTION] -= 2 * triad_staggered_strain_rate(&f->strain, i, f->at.t) * results[3 + i] / f->fluid;
    out[MEAN + i] = f->look.mean[i];
    out[MOVED + i] = f->moved[i];
  }
  out[INJECTION] += out[PRODUCTION];
  if (energy > 0) out[EXPONENT] = f->at.t * dissipation / energy;
  if (dissipation > 0) out[SCALE] = speed * speed * speed / dissipation;
  if (nu > 0) out[REYNOLDS] = speed * out[SCALE] / nu;
  for (int i = 0; i < 3; i++) out[DRAG + i] = forces.drag[i];
  out[SHEAR] = forces.wall_shear;
  out[DIVERGENCE] = results[6];
  out[ITERATIONS] = f->iterations;
  out[RESIDUAL] = f->residual;
  return TRIAD_OK;
}
