/* Stress and conduction through the faces of a rank: what they carry is a part of both fluxes, of the low-order one at the start of a
 * step and of the high-order one in its middle, so that limits see but the difference. */
#include "solvers/unstructured/fct_viscous.h"
#include "solvers/unstructured/flow.h"

#include <math.h>

static triad_real temperature(const triad_real q[5]) { return q[4] / q[0]; }

/* The mean of both cells' gradients, made to agree with the difference of their values along the line between them. */
static void inner_gradient(const triad_fct_flow *f, int64_t face, triad_real g[4][3], triad_real u[3])
{
  const triad_fct_domain *d = f->domain;
  const int32_t l = d->cell[face][0], r = d->cell[face][1];
  triad_real other[4][3], way[3];
  triad_fct_warm(f->q[l], (const triad_real(*)[3])f->gradient[l], g);
  triad_fct_warm(f->q[r], (const triad_real(*)[3])f->gradient[r], other);
  triad_fct_across(&d->face[face], 0, 0, way);
  for (int k = 0; k < 4; k++) {
    for (int a = 0; a < 3; a++) g[k][a] = TRIAD_R(0.5) * (g[k][a] + other[k][a]);
    triad_fct_along(g[k], way, k < 3 ? f->q[r][1 + k] - f->q[l][1 + k] : temperature(f->q[r]) - temperature(f->q[l]));
  }
  for (int a = 0; a < 3; a++) u[a] = TRIAD_R(0.5) * (f->q[l][1 + a] + f->q[r][1 + a]);
}

/* At a wall without slip the gas is at rest, and as warm as the wall or not heated; elsewhere as in the cell. Along a plane of
 * symmetry nothing is carried. */
static int outer_gradient(const triad_fct_flow *f, int64_t face, triad_real g[4][3], triad_real u[3])
{
  const triad_fct_domain *d = f->domain;
  const triad_fct_rule *rule = &f->rule[d->patch[face - d->n_inner]];
  const int32_t c = d->cell[face][0];
  const triad_real *way = d->face[face].from[0], *n = d->face[face].n;
  if (rule->kind == TRIAD_FCT_SLIP) return 0;
  triad_fct_warm(f->q[c], (const triad_real(*)[3])f->gradient[c], g);
  for (int a = 0; a < 3; a++) u[a] = f->q[c][1 + a];
  if (rule->kind != TRIAD_FCT_NOSLIP) return 1;
  for (int k = 0; k < 3; k++) {
    triad_fct_along(g[k], way, -u[k]);
    u[k] = 0;
  }
  const triad_real heat = triad_fct_dot(g[3], n);
  if (rule->given[4] > 0)
    triad_fct_along(g[3], way, rule->given[4] - temperature(f->q[c]));
  else
    for (int a = 0; a < 3; a++) g[3][a] -= heat * n[a];
  return 1;
}

void triad_fct_add_viscous(const triad_fct_flow *f, int64_t face, triad_real flux[5])
{
  const triad_fct_fluid fluid = {(triad_real)f->setup.viscosity,
                                 (triad_real)(f->setup.gamma / (f->setup.gamma - 1) * f->setup.viscosity / f->setup.prandtl)};
  triad_real g[4][3], u[3], more[5];
  if (face < f->domain->n_inner)
    inner_gradient(f, face, g, u);
  else if (!outer_gradient(f, face, g, u))
    return;
  triad_fct_stress(&fluid, (const triad_real(*)[3])g, u, f->domain->face[face].n, more);
  for (int k = 0; k < 5; k++) flux[k] += more[k];
}

/* As fast as a wave that allows the same step: 2 nu over the way between the cells' centres along the normal. */
double triad_fct_viscous_speed(const triad_fct_flow *f, int64_t c, int64_t face)
{
  const triad_fct_domain *d = f->domain;
  const triad_fct_face *at = &d->face[face];
  const double nu = f->setup.viscosity * fmax(4.0 / 3, f->setup.gamma / f->setup.prandtl) / (double)f->q[c][0];
  const int outer = face >= d->n_inner;
  triad_real way[3];
  triad_fct_across(at, 0, outer, way);
  return (outer ? 4 : 2) * nu / fabs((double)triad_fct_dot(way, at->n));
}
