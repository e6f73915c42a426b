/* Stress and conduction through the faces of a rank, on the CPU: what they carry is a part of both fluxes, of the low-order one at the
 * start of a step and of the high-order one in its middle, so that limits see but the difference. */
#include "solvers/unstructured/fct_viscous.h"
#include "solvers/unstructured/flow.h"

#include <math.h>

static triad_real temperature(const triad_real q[5]) { return q[4] / q[0]; }

static void load(const triad_fct_flow *f, int64_t cell, triad_real q[5], triad_real g[4][3])
{
  triad_real gradient[5][3];
  triad_fct_load(&f->view.value, cell, TRIAD_FCT_FIELDS, q);
  triad_fct_load(&f->view.gradient, cell, TRIAD_FCT_GRADIENT, &gradient[0][0]);
  triad_fct_warm(q, (const triad_real(*)[3])gradient, g);
}

/* The mean of both cells' gradients, made to agree with the difference of their values along the line between them. */
static void inner_gradient(const triad_fct_flow *f, const triad_fct_face *at, int64_t l, int64_t r, triad_real g[4][3],
                           triad_real u[3])
{
  triad_real other[4][3], way[3], ql[5], qr[5];
  load(f, l, ql, g);
  load(f, r, qr, other);
  triad_fct_across(at, 0, 0, way);
  for (int k = 0; k < 4; k++) {
    for (int a = 0; a < 3; a++) g[k][a] = TRIAD_R(0.5) * (g[k][a] + other[k][a]);
    triad_fct_along(g[k], way, k < 3 ? qr[1 + k] - ql[1 + k] : temperature(qr) - temperature(ql));
  }
  for (int a = 0; a < 3; a++) u[a] = TRIAD_R(0.5) * (ql[1 + a] + qr[1 + a]);
}

/* At a wall without slip the gas is at rest, and as warm as the wall or not heated; elsewhere as in the cell. Along a plane of
 * symmetry nothing is carried. */
static int outer_gradient(const triad_fct_flow *f, const triad_fct_face *at, const triad_fct_rule *rule, int64_t c, triad_real g[4][3],
                          triad_real u[3])
{
  const triad_real *way = at->from[0], *n = at->n;
  triad_real q[5];
  if (rule->kind == TRIAD_FCT_SLIP) return 0;
  load(f, c, q, g);
  for (int a = 0; a < 3; a++) u[a] = q[1 + a];
  if (rule->kind != TRIAD_FCT_NOSLIP) return 1;
  for (int k = 0; k < 3; k++) {
    triad_fct_along(g[k], way, -u[k]);
    u[k] = 0;
  }
  const triad_real heat = triad_fct_dot(g[3], n);
  if (rule->given[4] > 0)
    triad_fct_along(g[3], way, rule->given[4] - temperature(q));
  else
    for (int a = 0; a < 3; a++) g[3][a] -= heat * n[a];
  return 1;
}

/* As fast as a wave that allows the same step: 2 nu over the way between the cells' centres along the normal. */
static double speed_of(const triad_fct_flow *f, const triad_fct_face *at, int outer, double density)
{
  const double nu = f->setup.viscosity * fmax(4.0 / 3, f->setup.gamma / f->setup.prandtl) / density;
  triad_real way[3];
  triad_fct_across(at, 0, outer, way);
  return (outer ? 4 : 2) * nu / fabs((double)triad_fct_dot(way, at->n));
}

/* Of a face with cells l and r, r < 0: an outer one. */
static void add_to_face(triad_fct_flow *f, int64_t face, int64_t l, int64_t r, int low)
{
  const triad_fct_fluid fluid = {(triad_real)f->setup.viscosity,
                                 (triad_real)(f->setup.gamma / (f->setup.gamma - 1) * f->setup.viscosity / f->setup.prandtl)};
  const triad_fct_view *v = &f->view;
  const triad_fct_face at = triad_fct_domain_face(f->domain, face);
  triad_real g[4][3], u[3], more[5];
  if (low) {
    const double rho = (double)v->value.at[l], other = r < 0 ? rho : (double)v->value.at[r];
    v->speed[face] += at.area * (triad_real)speed_of(f, &at, r < 0, fmin(rho, other));
  }
  if (r >= 0)
    inner_gradient(f, &at, l, r, g, u);
  else if (!outer_gradient(f, &at, &f->rule[f->domain->patch[face - f->domain->n_inner]], l, g, u))
    return;
  triad_fct_stress(&fluid, (const triad_real(*)[3])g, u, at.n, more);
  const triad_fct_numbers *to = low ? &v->low : &v->anti; /* of the same values both fluxes have it, and their difference has not */
  for (int k = 0; k < TRIAD_FCT_FIELDS; k++) to->at[k * to->pitch + face] += at.area * more[k];
}

void triad_fct_add_viscous(triad_fct_flow *f, int low)
{
  const triad_fct_domain *d = f->domain;
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t face = 0; face < d->n_faces; face++) add_to_face(f, face, d->cell[face][0], d->cell[face][1], low);
  for (int z = 0; z < d->n_zones; z++) {
    const triad_fct_zone *zone = &d->zone[z];
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
    for (int64_t i = 0; i < zone->cells; i++) {
      const int64_t at[3] = {i % zone->n[0], i / zone->n[0] % zone->n[1], i / zone->n[0] / zone->n[1]};
      for (int a = 0; a < 3; a++)
        if (at[a] + 1 < zone->n[a])
          add_to_face(f, zone->slot + a * zone->cells + i, zone->cell + i, zone->cell + i + zone->stride[a], low);
    }
  }
}
