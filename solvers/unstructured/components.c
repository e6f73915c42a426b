/* Two choices of limiting: prelimiting, and a factor of its own for each component.
 *
 * Zalesak (1979, section 3): an antidiffusive flux that flows down the gradient of the low-order solution smooths it further, and is
 * cancelled. With limited = "components" each conserved variable has bounds and factors of its own: those of Zalesak for a single
 * equation, which keep neither pressure nor velocity within bounds. */
#include "solvers/unstructured/flow.h"

enum { BOUNDS = 2 * TRIAD_FCT_FIELDS };

static void exchange(triad_halo *halo, triad_real *first, int numbers)
{
  triad_real *fields[BOUNDS];
  if (!halo) return;
  for (int i = 0; i < numbers; i++) fields[i] = first + i;
  triad_halo_exchange(halo, fields, numbers);
}

void triad_fct_prelimit(triad_fct_flow *f)
{
  const triad_fct_domain *d = f->domain;
  exchange(f->of_td, &f->td[0][0], TRIAD_FCT_FIELDS);
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t face = 0; face < d->n_inner; face++) {
    const triad_real *l = f->td[d->cell[face][0]], *r = f->td[d->cell[face][1]];
    for (int k = 0; k < TRIAD_FCT_FIELDS; k++)
      if (f->anti[face][k] * (r[k] - l[k]) < 0) f->anti[face][k] = 0;
  }
}

/* The most of each component over state and low-order solution, and of its negative. */
static void own_bounds(triad_fct_flow *f, int64_t c)
{
  for (int k = 0; k < TRIAD_FCT_FIELDS; k++) {
    f->component[c][k] = triad_fct_larger(f->u[k][c], f->td[c][k]);
    f->component[c][TRIAD_FCT_FIELDS + k] = triad_fct_larger(-f->u[k][c], -f->td[c][k]);
  }
}

static void widen(const triad_fct_flow *f, int64_t c, int64_t side, triad_real b[BOUNDS])
{
  const triad_fct_domain *d = f->domain;
  const int64_t face = side >> 1;
  triad_real q[5], u[5];
  if (face < d->n_inner) {
    const triad_real *other = f->component[d->cell[face][!(side & 1)]];
    for (int k = 0; k < BOUNDS; k++) b[k] = triad_fct_larger(b[k], other[k]);
    return;
  }
  triad_fct_beyond(&f->gas, &f->rule[d->patch[face - d->n_inner]], f->q[c], d->face[face].n, q);
  triad_fct_conserved(&f->gas, q, u);
  for (int k = 0; k < TRIAD_FCT_FIELDS; k++) {
    b[k] = triad_fct_larger(b[k], u[k]);
    b[TRIAD_FCT_FIELDS + k] = triad_fct_larger(b[TRIAD_FCT_FIELDS + k], -u[k]);
  }
}

/* Parts of rises, then of falls. */
static void set_parts(triad_fct_flow *f, int64_t c, triad_real dt)
{
  const triad_fct_domain *d = f->domain;
  triad_real b[BOUNDS], rise[TRIAD_FCT_FIELDS] = {0}, fall[TRIAD_FCT_FIELDS] = {0};
  for (int k = 0; k < BOUNDS; k++) b[k] = f->component[c][k];
  for (int64_t i = d->first[c]; i < d->first[c + 1]; i++) {
    const triad_real scale = (d->side[i] & 1 ? dt : -dt) * d->per_volume[c], *a = f->anti[d->side[i] >> 1];
    widen(f, c, d->side[i], b);
    for (int k = 0; k < TRIAD_FCT_FIELDS; k++) {
      rise[k] += triad_fct_larger(scale * a[k], 0);
      fall[k] += triad_fct_larger(-scale * a[k], 0);
    }
  }
  for (int k = 0; k < TRIAD_FCT_FIELDS; k++) {
    f->part[c][k] = triad_fct_room(b[k] - f->td[c][k], rise[k]);
    f->part[c][TRIAD_FCT_FIELDS + k] = triad_fct_room(f->td[c][k] + b[TRIAD_FCT_FIELDS + k], fall[k]);
  }
}

/* What leaves the left cell and comes into the right one. */
static triad_real part_of(const triad_fct_flow *f, int64_t face, int k)
{
  const triad_fct_domain *d = f->domain;
  const triad_real a = f->anti[face][k];
  const int lowers = a > 0, up = k, down = TRIAD_FCT_FIELDS + k;
  triad_real part = f->part[d->cell[face][0]][lowers ? down : up];
  if (face < d->n_inner) part = triad_fct_smaller(part, f->part[d->cell[face][1]][lowers ? up : down]);
  return part;
}

void triad_fct_limit_components(triad_fct_flow *f, double dt)
{
  const triad_fct_domain *d = f->domain;
  int64_t limited = 0, parts = 0;
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t c = 0; c < d->n_cells; c++) own_bounds(f, c);
  exchange(f->of_components, &f->component[0][0], BOUNDS);
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t c = 0; c < d->n_cells; c++) set_parts(f, c, (triad_real)dt);
  exchange(f->of_components, &f->part[0][0], BOUNDS);
#pragma omp parallel for schedule(static) num_threads(f->context->threads) reduction(+ : limited, parts)
  for (int64_t face = 0; face < d->n_faces; face++) {
    triad_real least = 1;
    for (int k = 0; k < TRIAD_FCT_FIELDS; k++) {
      const triad_real part = part_of(f, face, k);
      f->anti[face][k] *= part;
      least = triad_fct_smaller(least, part);
    }
    if (face >= d->n_inner) continue;
    limited += least < TRIAD_R(0.999999);
    parts += (int64_t)((double)least * (1 << 20));
  }
  const double inner = d->n_inner > 0 ? (double)d->n_inner : 1;
  f->faces_limited = (double)limited / inner;
  f->mean_limiter = (double)parts / (1 << 20) / inner;
}
