/* A stage (docs/numerics.md eq. 55 to 59): low-order transport of the state, then as much of the antidiffusive fluxes
 * as the bounds of density and pressure allow. */
#include "solvers/unstructured/flow.h"

#include <string.h>

/* ---- values ---- */

static void set_value(const triad_fct_gas *g, const triad_real u[5], triad_real q[TRIAD_FCT_VALUES])
{
  triad_fct_primitive(g, u, q);
  q[5] = q[4] > 0 && q[0] > 0 ? triad_fct_sound(g, q) : 0;
}

static void exchange(triad_halo *halo, triad_real *first, int numbers, int begin, int end)
{
  triad_real *fields[TRIAD_HALO_MOST_FIELDS];
  if (!halo) return;
  for (int i = 0; i < numbers; i++) fields[i] = first + i;
  if (begin) triad_halo_begin(halo, fields, numbers);
  if (end) triad_halo_end(halo);
}

void triad_fct_set_values(triad_fct_flow *f)
{
  const int64_t n = f->domain->n_cells;
  int64_t bad = -1;
#pragma omp parallel for schedule(static) num_threads(f->context->threads) reduction(max : bad)
  for (int64_t c = 0; c < n; c++) {
    set_value(&f->gas, f->td[c], f->q[c]);
    if (!triad_fct_is_gas(f->q[c]) && c > bad) bad = c;
  }
  f->bad = bad;
  exchange(f->of_q, &f->q[0][0], TRIAD_FCT_VALUES, 1, 1);
}

/* The state on the other side of a cell's face; room: for one beyond an outer face. */
static const triad_real *other_value(const triad_fct_flow *f, int64_t face, int side, triad_real room[TRIAD_FCT_VALUES])
{
  const triad_fct_domain *d = f->domain;
  if (face < d->n_inner) return f->q[d->cell[face][!side]];
  const triad_fct_rule *rule = &f->rule[d->patch[face - d->n_inner]];
  triad_fct_beyond(&f->gas, rule, f->q[d->cell[face][0]], d->face[face].n, room);
  return room;
}

/* ---- gradients ---- */

/* By least squares over the cells across faces, each weighed with one over the square of its distance. */
void triad_fct_gradient(const triad_fct_flow *f, int64_t c, triad_real gradient[5][3])
{
  const triad_fct_domain *d = f->domain;
  const triad_real *m = d->inverse[c];
  triad_real sum[5][3] = {{0}}, room[TRIAD_FCT_VALUES], x[3];
  for (int64_t i = d->first[c]; i < d->first[c + 1]; i++) {
    const int64_t face = d->side[i] >> 1;
    const int side = d->side[i] & 1;
    const triad_real *q = other_value(f, face, side, room);
    triad_fct_across(&d->face[face], side, face >= d->n_inner, x);
    const triad_real weight = 1 / triad_fct_dot(x, x);
    for (int k = 0; k < 5; k++) {
      const triad_real change = weight * (q[k] - f->q[c][k]);
      for (int a = 0; a < 3; a++) sum[k][a] += change * x[a];
    }
  }
  for (int k = 0; k < 5; k++) {
    const triad_real *s = sum[k];
    gradient[k][0] = m[0] * s[0] + m[1] * s[1] + m[2] * s[2];
    gradient[k][1] = m[1] * s[0] + m[3] * s[1] + m[4] * s[2];
    gradient[k][2] = m[2] * s[0] + m[4] * s[1] + m[5] * s[2];
  }
}

static void set_gradients(triad_fct_flow *f, int64_t begin, int64_t end)
{
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t c = begin; c < end; c++) triad_fct_gradient(f, c, f->near ? f->near[c] : f->gradient[c]);
}

/* Of a cell with few faces the mean of its own gradients and its neighbours'; they are exact for linear fields all the
 * same, and fluxes by them are stable. */
static void widen_gradients(triad_fct_flow *f, int64_t begin, int64_t end)
{
  const triad_fct_domain *d = f->domain;
  enum { ENOUGH = 6, NUMBERS = 15 };
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t c = begin; c < end; c++) {
    triad_real *wide = &f->gradient[c][0][0], n = 1;
    memcpy(wide, f->near[c], sizeof f->near[c]);
    if (d->first[c + 1] - d->first[c] >= ENOUGH) continue;
    for (int64_t i = d->first[c]; i < d->first[c + 1]; i++) {
      const int64_t face = d->side[i] >> 1;
      if (face >= d->n_inner) continue;
      const triad_real *other = &f->near[d->cell[face][!(d->side[i] & 1)]][0][0];
      for (int k = 0; k < NUMBERS; k++) wide[k] += other[k];
      n++;
    }
    for (int k = 0; k < NUMBERS; k++) wide[k] /= n;
  }
}

/* ---- fluxes ---- */

static void low_flux(const triad_fct_flow *f, const triad_fct_rule *rule, const triad_real *l, const triad_real *r,
                     const triad_real n[3], triad_real flux[5])
{
  if (rule && triad_fct_is_wall(rule->kind))
    triad_fct_wall(&f->gas, l, n, flux);
  else if (f->setup.hllc)
    triad_fct_hllc(&f->gas, l, r, n, flux);
  else
    triad_fct_rusanov(&f->gas, l, r, n, flux);
}

/* The mean of both cells' fluxes; at an outer face the low-order flux, but for the pressure of a wall. */
static void central_flux(const triad_fct_flow *f, const triad_fct_rule *rule, const triad_real *l, const triad_real *r,
                         const triad_real n[3], triad_real flux[5])
{
  triad_real other[5];
  if (rule && triad_fct_is_wall(rule->kind)) {
    flux[0] = flux[4] = 0;
    for (int a = 0; a < 3; a++) flux[1 + a] = l[4] * n[a];
  } else if (rule) {
    low_flux(f, rule, l, r, n, flux);
  } else {
    triad_fct_flux(&f->gas, l, n, flux);
    triad_fct_flux(&f->gas, r, n, other);
    for (int k = 0; k < 5; k++) flux[k] = TRIAD_R(0.5) * (flux[k] + other[k]);
  }
}

/* Values at the face from the left (side 0) or the right. */
static void at_face(const triad_fct_flow *f, int64_t face, int side, triad_real out[5])
{
  const triad_fct_domain *d = f->domain;
  const int32_t c = d->cell[face][side];
  triad_fct_reconstruct(f->q[c], (const triad_real(*)[3])f->gradient[c], d->face[face].from[side], out);
}

static void linear_flux(const triad_fct_flow *f, int64_t face, const triad_fct_rule *rule, triad_real flux[5])
{
  const triad_real *n = f->domain->face[face].n;
  triad_real l[5], r[5];
  at_face(f, face, 0, l);
  if (rule)
    triad_fct_beyond(&f->gas, rule, l, n, r);
  else
    at_face(f, face, 1, r);
  if (rule && triad_fct_is_wall(rule->kind))
    triad_fct_wall(&f->gas, l, n, flux);
  else
    triad_fct_hllc(&f->gas, l, r, n, flux);
}

static void set_flux(triad_fct_flow *f, int64_t face, int low)
{
  const triad_fct_domain *d = f->domain;
  const triad_fct_rule *rule = face < d->n_inner ? NULL : &f->rule[d->patch[face - d->n_inner]];
  const triad_real *n = d->face[face].n, area = d->face[face].area, *l = f->q[d->cell[face][0]];
  triad_real room[TRIAD_FCT_VALUES], flux[5];
  const triad_real *r = other_value(f, face, 0, room);
  if (low) {
    low_flux(f, rule, l, r, n, flux);
    if (f->setup.viscosity > 0) triad_fct_add_viscous(f, face, flux);
    for (int k = 0; k < 5; k++) f->low[face][k] = area * flux[k];
  }
  if (f->setup.transport == TRIAD_FCT_LOW) return;
  if (f->setup.linear)
    linear_flux(f, face, rule, flux);
  else
    central_flux(f, rule, l, r, n, flux);
  if (f->setup.viscosity > 0) triad_fct_add_viscous(f, face, flux);
  for (int k = 0; k < 5; k++) f->anti[face][k] = area * flux[k] - f->low[face][k];
}

static void set_fluxes(triad_fct_flow *f, int64_t begin, int64_t end, int low)
{
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t face = begin; face < end; face++) set_flux(f, face, low);
}

/* Gradients of cells that others see first; fluxes between own cells while those of ghosts are on their way. */
static void find_fluxes(triad_fct_flow *f, int low)
{
  const triad_fct_domain *d = f->domain;
  if (!f->gradient) {
    set_fluxes(f, 0, d->n_faces, low);
    return;
  }
  set_gradients(f, d->n_inside, d->n_cells);
  exchange(f->of_gradient, f->near ? &f->near[0][0][0] : &f->gradient[0][0][0], 15, 1, 0);
  set_gradients(f, 0, d->n_inside);
  if (f->near) {
    exchange(f->of_gradient, &f->near[0][0][0], 15, 0, 1);
    widen_gradients(f, d->n_inside, d->n_cells);
    exchange(f->of_gradient, &f->gradient[0][0][0], 15, 1, 0);
    widen_gradients(f, 0, d->n_inside);
  }
  set_fluxes(f, 0, d->n_own, low);
  exchange(f->of_gradient, &f->gradient[0][0][0], 15, 0, 1);
  set_fluxes(f, d->n_own, d->n_faces, low);
}

/* ---- fluxes to cells ---- */

static void add_flux(triad_real u[5], triad_real scale, const triad_real flux[5])
{
  for (int k = 0; k < 5; k++) u[k] -= scale * flux[k];
}

static void gather(triad_fct_flow *f, triad_real dt, const triad_real (*flux)[5])
{
  const triad_fct_domain *d = f->domain;
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t c = 0; c < d->n_cells; c++) {
    const triad_real scale = dt * d->per_volume[c];
    for (int64_t i = d->first[c]; i < d->first[c + 1]; i++)
      add_flux(f->td[c], d->side[i] & 1 ? -scale : scale, flux[d->side[i] >> 1]);
  }
}

static void scatter(triad_fct_flow *f, triad_real dt, const triad_real (*flux)[5])
{
  const triad_fct_domain *d = f->domain;
#pragma omp parallel num_threads(f->context->threads)
  for (int g = 0; g < d->n_groups; g++) {
#pragma omp for schedule(static)
    for (int64_t face = d->group[g]; face < d->group[g + 1]; face++) {
      const int32_t l = d->cell[face][0], r = d->cell[face][1];
      if (l < d->n_cells) add_flux(f->td[l], dt * d->per_volume[l], flux[face]);
      if (r >= 0 && r < d->n_cells) add_flux(f->td[r], -(dt * d->per_volume[r]), flux[face]);
    }
  }
}

/* td <- td - dt/V sum of what leaves. */
static void add_fluxes(triad_fct_flow *f, double dt, const triad_real (*flux)[5])
{
  if (f->setup.coloured)
    scatter(f, (triad_real)dt, flux);
  else
    gather(f, (triad_real)dt, flux);
}

/* ---- limits ---- */

/* Of density and pressure at a cell: those of the state, and transported and diffused, the latter with slack: what overshoots is
 * diffused by more than that, so that steps do not add it up. */
static void own_bounds(const triad_fct_flow *f, int64_t c, triad_real bounds[4])
{
  triad_real u[5], q[5], t[5];
  for (int k = 0; k < 5; k++) u[k] = f->u[k][c];
  triad_fct_primitive(&f->gas, u, q);
  triad_fct_primitive(&f->gas, f->td[c], t);
  const triad_real more = 1 + (triad_real)f->setup.slack, less = 1 - (triad_real)f->setup.slack;
  bounds[0] = triad_fct_larger(q[0], t[0] * more);
  bounds[1] = triad_fct_larger(-q[0], -t[0] * less);
  bounds[2] = triad_fct_larger(q[4], t[4] * more);
  bounds[3] = triad_fct_larger(-q[4], -t[4] * less);
}

/* And over the cells across faces; what comes in from outside counts too. */
static void all_bounds(const triad_fct_flow *f, int64_t c, triad_real b[4])
{
  const triad_fct_domain *d = f->domain;
  triad_real room[TRIAD_FCT_VALUES];
  memcpy(b, f->bounds[c], 4 * sizeof *b);
  for (int64_t i = d->first[c]; i < d->first[c + 1]; i++) {
    const int64_t face = d->side[i] >> 1;
    if (face < d->n_inner) {
      const triad_real *other = f->bounds[d->cell[face][!(d->side[i] & 1)]];
      for (int k = 0; k < 4; k++) b[k] = triad_fct_larger(b[k], other[k]);
    } else {
      const triad_real *q = other_value(f, face, 0, room);
      const triad_real other[4] = {q[0], -q[0], q[4], -q[4]};
      for (int k = 0; k < 4; k++) b[k] = triad_fct_larger(b[k], other[k]);
    }
  }
}

/* Zalesak's: sums of what would raise and lower a cell's density and pressure, over the room that there is. */
static void set_limits(triad_fct_flow *f, int64_t c, triad_real dt)
{
  const triad_fct_domain *d = f->domain;
  triad_fct_limits *l = &f->limits[c];
  triad_real b[4], t[5], change[5], rise[2] = {0, 0}, fall[2] = {0, 0}, first, second;
  all_bounds(f, c, b);
  triad_fct_primitive(&f->gas, f->td[c], t);
  const triad_real n = (triad_real)(d->first[c + 1] - d->first[c]), least = triad_fct_smaller(-b[1], t[0]);
  for (int a = 0; a < 3; a++) l->v[a] = t[1 + a];
  l->scale = dt * d->per_volume[c];
  l->n_per_rho = n / least;
  l->still = TRIAD_FCT_ROUNDING * t[4] / n;
  for (int64_t i = d->first[c]; i < d->first[c + 1]; i++) {
    const triad_real scale = d->side[i] & 1 ? l->scale : -l->scale, *a = f->anti[d->side[i] >> 1];
    for (int k = 0; k < 5; k++) change[k] = scale * a[k];
    rise[0] += triad_fct_larger(change[0], 0);
    fall[0] += triad_fct_larger(-change[0], 0);
    triad_fct_pressure_change(&f->gas, l->v, change, l->n_per_rho, &first, &second);
    rise[1] += triad_fct_larger(first, 0);
    fall[1] += triad_fct_larger(second - first, 0);
  }
  l->rise[0] = triad_fct_room(b[0] - t[0], rise[0]);
  l->fall[0] = triad_fct_room(t[0] + b[1], fall[0]);
  l->rise[1] = triad_fct_room(b[2] - t[4], rise[1]);
  l->fall[1] = triad_fct_room(t[4] + b[3], fall[1]);
}

static void set_limits_of(triad_fct_flow *f, int64_t begin, int64_t end, triad_real dt)
{
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t c = begin; c < end; c++) set_limits(f, c, dt);
}

/* What both cells of a face can take; it is then 1 or less. */
static triad_real part_of(const triad_fct_flow *f, int64_t face)
{
  const triad_fct_domain *d = f->domain;
  const triad_real *a = f->anti[face];
  const triad_real out[5] = {-a[0], -a[1], -a[2], -a[3], -a[4]};
  triad_real part = triad_fct_part(&f->gas, &f->limits[d->cell[face][0]], out, f->setup.limited);
  if (face >= d->n_inner) return part;
  return triad_fct_smaller(part, triad_fct_part(&f->gas, &f->limits[d->cell[face][1]], a, f->setup.limited));
}

/* Counted: faces with less than all, and the parts in units of 2^-20, whole numbers that add up the same in any
 * order. */
static void limit_faces(triad_fct_flow *f, int64_t begin, int64_t end, int64_t counts[2])
{
  int64_t limited = 0, parts = 0;
#pragma omp parallel for schedule(static) num_threads(f->context->threads) reduction(+ : limited, parts)
  for (int64_t face = begin; face < end; face++) {
    const triad_real part = part_of(f, face);
    for (int k = 0; k < 5; k++) f->anti[face][k] *= part;
    limited += part < TRIAD_R(0.999999);
    parts += (int64_t)((double)part * (1 << 20));
  }
  counts[0] += limited;
  counts[1] += parts;
}

static void limit(triad_fct_flow *f, double dt)
{
  const triad_fct_domain *d = f->domain;
  int64_t counts[2] = {0, 0}, outer[2] = {0, 0};
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t c = 0; c < d->n_cells; c++) own_bounds(f, c, f->bounds[c]);
  exchange(f->of_bounds, &f->bounds[0][0], 4, 1, 0);
  set_limits_of(f, 0, d->n_inside, (triad_real)dt);
  exchange(f->of_bounds, &f->bounds[0][0], 4, 0, 1);
  set_limits_of(f, d->n_inside, d->n_cells, (triad_real)dt);
  enum { NUMBERS = sizeof(triad_fct_limits) / sizeof(triad_real) };
  exchange(f->of_limits, f->limits[0].rise, NUMBERS, 1, 0);
  limit_faces(f, 0, d->n_own, counts);
  limit_faces(f, d->n_inner, d->n_faces, outer);
  exchange(f->of_limits, f->limits[0].rise, NUMBERS, 0, 1);
  limit_faces(f, d->n_own, d->n_inner, counts);
  double inner = d->n_inner > 0 ? (double)d->n_inner : 1;
  f->faces_limited = (double)counts[0] / inner;
  f->mean_limiter = (double)counts[1] / (1 << 20) / inner;
}

/* ---- a stage ---- */

void triad_fct_stage(triad_fct_flow *f, double dt, int low)
{
  const triad_fct_domain *d = f->domain;
  double since = triad_now();
  find_fluxes(f, low);
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t c = 0; c < d->n_cells; c++)
    for (int k = 0; k < 5; k++) f->td[c][k] = f->u[k][c];
  add_fluxes(f, dt, (const triad_real(*)[5])f->low);
  if (f->setup.transport != TRIAD_FCT_LOW) {
    if (f->setup.transport == TRIAD_FCT_CORRECTED && f->setup.prelimit) triad_fct_prelimit(f);
    if (f->setup.transport == TRIAD_FCT_CORRECTED && f->setup.limited & TRIAD_FCT_LIMIT_COMPONENTS)
      triad_fct_limit_components(f, dt);
    else if (f->setup.transport == TRIAD_FCT_CORRECTED && f->setup.limited)
      limit(f, dt);
    add_fluxes(f, dt, (const triad_real(*)[5])f->anti);
  }
  f->phases.s[TRIAD_PHASE_POINTWISE] += triad_now() - since;
}
