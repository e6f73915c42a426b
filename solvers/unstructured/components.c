/* Two choices of limiting, on the CPU: prelimiting, and a factor of its own for each component.
 *
 * Zalesak (1979, section 3): an antidiffusive flux that flows down the gradient of the low-order solution smooths it further, and is
 * cancelled. With limited = "components" each conserved variable has bounds and factors of its own: those of Zalesak for a single
 * equation, which keep neither pressure nor velocity within bounds. */
#include "solvers/unstructured/flow.h"

enum { BOUNDS = 2 * TRIAD_FCT_FIELDS };

int triad_fct_components_take(triad_fct_flow *f)
{
  triad_memory *memory = f->context->memory;
  if (f->setup.transport != TRIAD_FCT_CORRECTED || !(f->setup.limited & TRIAD_FCT_LIMIT_COMPONENTS)) return TRIAD_OK;
  TRIAD_TRY(triad_fct_take_numbers(memory, "limits", f->domain->n_places, BOUNDS, &f->component));
  return triad_fct_take_numbers(memory, "limits", f->domain->n_places, BOUNDS, &f->part);
}

static void exchange(triad_fct_flow *f, const triad_fct_numbers *numbers, int n)
{
  f->loops->begin(f, numbers, n);
  f->loops->end(f);
}

static triad_real *at(const triad_fct_numbers *numbers, int k, int64_t i) { return &numbers->at[k * numbers->pitch + i]; }

/* ---- faces between cells, in lists and zones ---- */

typedef void on_face(triad_fct_flow *f, int64_t face, int64_t l, int64_t r, int64_t counts[2]);

static void over_faces(triad_fct_flow *f, int64_t end, on_face *work, int64_t counts[2])
{
  const triad_fct_domain *d = f->domain;
  int64_t limited = 0, parts = 0;
#pragma omp parallel for schedule(static) num_threads(f->context->threads) reduction(+ : limited, parts)
  for (int64_t face = 0; face < end; face++) {
    int64_t mine[2] = {0, 0};
    work(f, face, d->cell[face][0], face < d->n_inner ? d->cell[face][1] : -1, mine);
    limited += mine[0];
    parts += mine[1];
  }
  for (int z = 0; z < d->n_zones; z++) {
    const triad_fct_zone *zone = &d->zone[z];
#pragma omp parallel for schedule(static) num_threads(f->context->threads) reduction(+ : limited, parts)
    for (int64_t i = 0; i < zone->cells; i++) {
      const int64_t in[3] = {i % zone->n[0], i / zone->n[0] % zone->n[1], i / zone->n[0] / zone->n[1]};
      int64_t mine[2] = {0, 0};
      for (int a = 0; a < 3; a++)
        if (in[a] + 1 < zone->n[a])
          work(f, zone->slot + a * zone->cells + i, zone->cell + i, zone->cell + i + zone->stride[a], mine);
      limited += mine[0];
      parts += mine[1];
    }
  }
  counts[0] = limited;
  counts[1] = parts;
}

/* ---- prelimiting ---- */

static void cancel(triad_fct_flow *f, int64_t face, int64_t l, int64_t r, int64_t counts[2])
{
  const triad_fct_view *v = &f->view;
  (void)counts;
  for (int k = 0; k < TRIAD_FCT_FIELDS; k++)
    if (*at(&v->anti, k, face) * (*at(&v->td, k, r) - *at(&v->td, k, l)) < 0) *at(&v->anti, k, face) = 0;
}

void triad_fct_prelimit(triad_fct_flow *f)
{
  int64_t counts[2];
  exchange(f, &f->view.td, TRIAD_FCT_FIELDS);
  over_faces(f, f->domain->n_inner, cancel, counts);
}

/* ---- a factor for each component ---- */

/* The most of each component over state and low-order solution, and of its negative; beyond an outer face of what is there. */
static void own_bounds(triad_fct_flow *f, int64_t c)
{
  const triad_fct_view *v = &f->view;
  triad_real q[TRIAD_FCT_VALUES], u[TRIAD_FCT_FIELDS], t[TRIAD_FCT_FIELDS];
  if (c < v->n_cells) {
    triad_fct_load(&v->u, c, TRIAD_FCT_FIELDS, u);
    triad_fct_load(&v->td, c, TRIAD_FCT_FIELDS, t);
  } else {
    triad_fct_values_of(f, c, q);
    triad_fct_conserved(&f->gas, q, u);
    triad_fct_conserved(&f->gas, q, t);
  }
  for (int k = 0; k < TRIAD_FCT_FIELDS; k++) {
    *at(&f->component, k, c) = triad_fct_larger(u[k], t[k]);
    *at(&f->component, TRIAD_FCT_FIELDS + k, c) = triad_fct_larger(-u[k], -t[k]);
  }
}

/* Parts of rises, then of falls. */
static void set_parts(triad_fct_flow *f, int64_t c, triad_real dt)
{
  const triad_fct_view *v = &f->view;
  const triad_fct_zone *zone;
  int sides;
  const int64_t place = triad_fct_domain_place(f->domain, c, &zone, &sides);
  triad_real b[BOUNDS], rise[TRIAD_FCT_FIELDS] = {0}, fall[TRIAD_FCT_FIELDS] = {0};
  triad_fct_load(&f->component, c, BOUNDS, b);
  for (int s = 0; s < sides; s++) {
    triad_real sign;
    const int64_t near = triad_fct_near(v, zone, place, s), face = triad_fct_face_at(v, zone, place, s, &sign);
    const triad_real scale = -sign * dt * v->per_volume[c];
    for (int k = 0; k < BOUNDS; k++) b[k] = triad_fct_larger(b[k], *at(&f->component, k, near));
    for (int k = 0; k < TRIAD_FCT_FIELDS; k++) {
      rise[k] += triad_fct_larger(scale * *at(&v->anti, k, face), 0);
      fall[k] += triad_fct_larger(-scale * *at(&v->anti, k, face), 0);
    }
  }
  for (int k = 0; k < TRIAD_FCT_FIELDS; k++) {
    *at(&f->part, k, c) = triad_fct_room(b[k] - *at(&v->td, k, c), rise[k]);
    *at(&f->part, TRIAD_FCT_FIELDS + k, c) = triad_fct_room(*at(&v->td, k, c) + b[TRIAD_FCT_FIELDS + k], fall[k]);
  }
}

/* What leaves the left cell and comes into the right one. A face is counted where its left cell is. */
static void limit_face(triad_fct_flow *f, int64_t face, int64_t l, int64_t r, int64_t counts[2])
{
  triad_real least = 1;
  for (int k = 0; k < TRIAD_FCT_FIELDS; k++) {
    triad_real *a = at(&f->view.anti, k, face);
    const int up = k, down = TRIAD_FCT_FIELDS + k, lowers = *a > 0;
    triad_real part = *at(&f->part, lowers ? down : up, l);
    if (r >= 0) part = triad_fct_smaller(part, *at(&f->part, lowers ? up : down, r));
    *a *= part;
    least = triad_fct_smaller(least, part);
  }
  if (r < 0 || l >= f->view.n_cells) return;
  counts[0] += least < TRIAD_R(0.999999);
  counts[1] += (int64_t)((double)least * (1 << 20));
}

void triad_fct_limit_components(triad_fct_flow *f, double dt)
{
  const triad_fct_domain *d = f->domain;
  int64_t counts[2] = {0, 0};
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t c = 0; c < d->n_places; c++)
    if (c < d->n_cells || c >= d->n_cells + d->n_ghosts) own_bounds(f, c);
  exchange(f, &f->component, BOUNDS);
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t c = 0; c < d->n_cells; c++) set_parts(f, c, (triad_real)dt);
  exchange(f, &f->part, BOUNDS);
  over_faces(f, d->n_faces, limit_face, counts);
  f->limited = counts[0];
  f->parts = counts[1];
}
