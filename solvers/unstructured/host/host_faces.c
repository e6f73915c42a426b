/* Loops over faces on the CPU: fluxes, states beyond outer faces, and faces that add to both their cells. */
#include "solvers/unstructured/host/host_faces.h"
#include "solvers/unstructured/host/host_lanes.h"

/* ---- fluxes ---- */

/* m faces: of the list, or the upper ones across an axis of m consecutive cells of a zone. */
typedef struct faces {
  int64_t face, cell, stride;
  int m;
} faces;

ALWAYS_INLINE void fluxes_of(const triad_unstructured_view *v, faces h, int zoned, int low, triad_gas_riemann riemann,
                             int high)
{
  EACH_LANE({
    const int64_t face = h.face + l;
    const int64_t left = zoned ? h.cell + l : v->cell[face][0], right = zoned ? left + h.stride : v->cell[face][1];
    triad_unstructured_face_fluxes(v, face, left, right, low, riemann, high);
  });
}

/* Cells on the right of listed faces come in no order that a processor sees, so what the faces two registers on will
 * want of them is fetched ahead of these. Cells on the left come one after the other. */
enum { AHEAD = 2 * LANES };

ALWAYS_INLINE void ask_ahead(const triad_unstructured_view *v, faces h, int64_t count, int high)
{
  for (int l = 0; l < LANES && AHEAD + l < count; l++) {
    const int64_t r = v->cell[h.face + AHEAD + l][1];
    for (int k = 0; k < TRIAD_UNSTRUCTURED_VALUES; k++) __builtin_prefetch(v->value.at + k * v->value.pitch + r);
    for (int k = 0; k < TRIAD_UNSTRUCTURED_GRADIENT && high == TRIAD_UNSTRUCTURED_LINEAR; k++)
      __builtin_prefetch(v->gradient.at + k * v->gradient.pitch + r);
  }
}

/* Full registers, then the rest. The view is copied so that the compiler keeps its members in registers. */
ALWAYS_INLINE void fluxes_from(const triad_unstructured_view *from, faces h, int64_t count, int zoned, int low,
                               triad_gas_riemann riemann, int high)
{
  const triad_unstructured_view view = *from, *const v = &view;
  for (; count >= LANES; count -= LANES, h.face += LANES, h.cell += LANES) {
    if (!zoned) ask_ahead(v, h, count, high);
    fluxes_of(v, (faces){h.face, h.cell, h.stride, LANES}, zoned, low, riemann, high);
  }
  if (count > 0) fluxes_of(v, (faces){h.face, h.cell, h.stride, (int)count}, zoned, low, riemann, high);
}

/* A function for each choice of fluxes that the compiler knows. Each is a function of its own: in one that holds all of
 * these loops, compilers keep fewer values in registers. */
#define FLUXES(NAME, ZONED, LOW, KIND, HIGH) \
  static __attribute__((noinline)) void NAME(const triad_unstructured_view *v, faces h, int64_t count, \
                                             triad_gas_riemann riemann) \
  { \
    fluxes_from(v, h, count, ZONED, LOW, triad_gas_riemann_of(KIND, riemann), HIGH); \
  }
#define FLUXES_OF(WHERE, ZONED) \
  FLUXES(WHERE##_high_linear, ZONED, 0, TRIAD_GAS_RUSANOV, TRIAD_UNSTRUCTURED_LINEAR) \
  FLUXES(WHERE##_high_central, ZONED, 0, TRIAD_GAS_RUSANOV, TRIAD_UNSTRUCTURED_CENTRAL) \
  FLUXES(WHERE##_hllc_linear, ZONED, 1, TRIAD_GAS_HLLC, TRIAD_UNSTRUCTURED_LINEAR) \
  FLUXES(WHERE##_hllc_central, ZONED, 1, TRIAD_GAS_HLLC, TRIAD_UNSTRUCTURED_CENTRAL) \
  FLUXES(WHERE##_hllc_alone, ZONED, 1, TRIAD_GAS_HLLC, TRIAD_UNSTRUCTURED_NO_HIGH) \
  FLUXES(WHERE##_rusanov_linear, ZONED, 1, TRIAD_GAS_RUSANOV, TRIAD_UNSTRUCTURED_LINEAR) \
  FLUXES(WHERE##_rusanov_central, ZONED, 1, TRIAD_GAS_RUSANOV, TRIAD_UNSTRUCTURED_CENTRAL) \
  FLUXES(WHERE##_rusanov_alone, ZONED, 1, TRIAD_GAS_RUSANOV, TRIAD_UNSTRUCTURED_NO_HIGH) \
  FLUXES(WHERE##_other_linear, ZONED, 1, TRIAD_GAS_AT_RUN_TIME, TRIAD_UNSTRUCTURED_LINEAR) \
  FLUXES(WHERE##_other_central, ZONED, 1, TRIAD_GAS_AT_RUN_TIME, TRIAD_UNSTRUCTURED_CENTRAL) \
  FLUXES(WHERE##_other_alone, ZONED, 1, TRIAD_GAS_AT_RUN_TIME, TRIAD_UNSTRUCTURED_NO_HIGH) \
  static void fluxes_of_##WHERE(const triad_unstructured_view *v, faces h, int64_t count, int low, \
                                triad_gas_riemann riemann, int high) \
  { \
    const int linear = high == TRIAD_UNSTRUCTURED_LINEAR, central = high == TRIAD_UNSTRUCTURED_CENTRAL; \
    const int hllc = riemann == TRIAD_GAS_HLLC, rusanov = riemann == TRIAD_GAS_RUSANOV; \
    if (!low) (linear ? WHERE##_high_linear : WHERE##_high_central)(v, h, count, riemann); \
    else if (linear) \
      (hllc ? WHERE##_hllc_linear : rusanov ? WHERE##_rusanov_linear : WHERE##_other_linear)(v, h, count, riemann); \
    else if (central) \
      (hllc ? WHERE##_hllc_central : rusanov ? WHERE##_rusanov_central : WHERE##_other_central)(v, h, count, riemann); \
    else (hllc ? WHERE##_hllc_alone : rusanov ? WHERE##_rusanov_alone : WHERE##_other_alone)(v, h, count, riemann); \
  }
FLUXES_OF(list, 0)
FLUXES_OF(line, 1)

/* Some for each thread; of many the more, as the last ones of each lot ask for nothing ahead. */
static int64_t faces_at_once(int64_t n, int threads)
{
  const int64_t share = n / (4 * threads);
  return share < 256 ? 256 : share < 2048 ? (share + LANES - 1) / LANES * LANES : 2048;
}
static void listed_fluxes(const triad_unstructured_flow *f, int64_t begin, int64_t end, int low)
{
  const int64_t at_once = faces_at_once(end - begin, f->context->threads);
#pragma omp parallel num_threads(f->context->threads)
  {
    const unsigned as_it_was = flush_begin();
    const triad_unstructured_view view = f->view;
#pragma omp for schedule(static)
    for (int64_t face = begin; face < end; face += at_once)
      fluxes_of_list(&view, (faces){.face = face}, end - face < at_once ? end - face : at_once, low, f->setup.riemann,
                     (int)f->high);
    flush_end(as_it_was);
  }
}

/* Line by line of cells, faces across the three axes. */
static void zone_fluxes(const triad_unstructured_flow *f, const triad_mesh_zone *zone, int low)
{
  const int64_t lines = (int64_t)zone->n[1] * zone->n[2];
#pragma omp parallel num_threads(f->context->threads)
  {
    const unsigned as_it_was = flush_begin();
    const triad_unstructured_view view = f->view;
#pragma omp for schedule(static)
    for (int64_t line = 0; line < lines; line++) {
      const int64_t at = line * zone->n[0], in_line[3] = {0, line % zone->n[1], line / zone->n[1]};
      for (int a = 0; a < 3; a++) {
        if (a > 0 && in_line[a] + 1 == zone->n[a]) continue;
        const faces h = {zone->slot + a * zone->cells + at, zone->cell + at, zone->stride[a], 0};
        fluxes_of_line(&view, h, a == 0 ? zone->n[0] - 1 : zone->n[0], low, f->setup.riemann, (int)f->high);
      }
    }
    flush_end(as_it_was);
  }
}

static const triad_unstructured_rule *rule_of(const triad_unstructured_flow *f, int64_t face)
{
  return &f->rule[f->domain->patch[face - f->domain->n_inner]];
}

void triad_unstructured_host_fluxes(triad_unstructured_flow *f, triad_unstructured_faces which, int low)
{
  const triad_unstructured_domain *d = f->domain;
  if (which == TRIAD_UNSTRUCTURED_OWN_FACES) {
    for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS && f->view.anti.at;
         k++) /* of the face without fluxes: other things lay there */
      f->view.anti.at[k * f->view.anti.pitch + d->n_slots] = 0;
    if (low) f->view.speed[d->n_slots] = 0;
    listed_fluxes(f, 0, d->n_own, low);
    for (int z = d->n_boxes; z < d->n_zones; z++) zone_fluxes(f, &d->zone[z], low);
  } else if (which == TRIAD_UNSTRUCTURED_GHOST_FACES) {
    listed_fluxes(f, d->n_own, d->n_inner, low);
  } else {
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
    for (int64_t face = d->n_inner; face < d->n_faces; face++)
      triad_unstructured_outer_fluxes(&f->view, rule_of(f, face), face, low, f->setup.riemann, (int)f->high,
                                      f->bricks ? d->opposite[face - d->n_inner] : -1,
                                      f->bricks ? d->part[face - d->n_inner] : 0);
  }
}

/* ---- outer faces ---- */

void triad_unstructured_host_beyond(triad_unstructured_flow *f)
{
  const triad_unstructured_domain *d = f->domain;
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t face = d->n_inner; face < d->n_faces; face++)
    triad_unstructured_set_beyond(&f->view, rule_of(f, face), face);
}

/* For bricks the limited antidiffusive fluxes are stored in place. */
void triad_unstructured_host_crossed(triad_unstructured_flow *f, double dt)
{
  const triad_unstructured_domain *d = f->domain;
  triad_unstructured_view v = f->view;
  for (int64_t face = d->n_inner; face < d->n_faces; face++) {
    triad_real passed[TRIAD_UNSTRUCTURED_FIELDS];
    v.bounded = f->view.bounded && !(f->bricks && d->opposite[face - d->n_inner] >= 0);
    triad_unstructured_passed(&v, face, f->high != TRIAD_UNSTRUCTURED_NO_HIGH, passed);
    triad_unstructured_add_passed(passed, f->arm ? f->arm[face - d->n_inner] : NULL, dt,
                                  f->passed[d->patch[face - d->n_inner]]);
  }
}

/* Compute the limiter factors of both cells of faces between ranks. On turned faces fluxes have the sign as if the
 * brick, of which the right cell is the ghost copy, were on the left. */
void triad_unstructured_host_ghost_parts(triad_unstructured_flow *f, double dt)
{
  const triad_unstructured_domain *d = f->domain;
#pragma omp parallel num_threads(f->context->threads)
  {
    const unsigned as_it_was = flush_begin();
#pragma omp for schedule(static)
    for (int64_t face = d->n_own; face < d->n_inner; face++)
      for (int side = 0; side < 2; side++)
        triad_unstructured_set_part(&f->view, face, triad_unstructured_domain_turned(d, face) ? !side : side,
                                    d->cell[face][side], (triad_real)dt);
    flush_end(as_it_was);
  }
}

/* ---- faces that add to their cells ---- */

/* Is it a cell to which faces add? */
ALWAYS_INLINE int is_listed(const triad_unstructured_flow *f, int64_t cell)
{
  return cell >= f->domain->n_zoned && cell < f->view.n_cells;
}

ALWAYS_INLINE void add(const triad_unstructured_flow *f, int64_t cell, triad_real by, const triad_real flux[5],
                       int atomic)
{
  const triad_unstructured_view *v = &f->view;
  if (!is_listed(f, cell)) return;
  const triad_real scale = by * v->per_volume[cell];
  for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++) {
    triad_real *td = &v->td.at[k * v->td.pitch + cell];
    const triad_real change = scale * flux[k];
    if (atomic) {
#pragma omp atomic
      *td -= change;
    } else {
      *td -= change;
    }
  }
}

ALWAYS_INLINE void scatter_face(const triad_unstructured_flow *f, int64_t face, triad_real dt, int limited, int anti,
                                int atomic)
{
  const triad_unstructured_view *v = &f->view;
  const int64_t l = v->cell[face][0], r = face < v->n_inner ? v->cell[face][1] : v->n_seen + face - v->n_inner;
  triad_real flux[TRIAD_UNSTRUCTURED_FIELDS];
  if (!is_listed(f, l) && !is_listed(f, r)) return; /* of bricks not all is kept */
  triad_unstructured_load(anti ? &v->anti : &v->low, face, TRIAD_UNSTRUCTURED_FIELDS, flux);
  if (anti && limited) {
    const triad_real part = triad_unstructured_kept_part(v, face);
    for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++) flux[k] *= part;
  }
  add(f, l, dt, flux, atomic);
  add(f, r, -dt, flux, atomic);
}

/* Colour by colour, or all at once. */
static void scatter(triad_unstructured_flow *f, triad_real dt, int anti)
{
  const triad_unstructured_domain *d = f->domain;
  const int limited = f->view.bounded, atomic = f->setup.loops == TRIAD_UNSTRUCTURED_ATOMICS;
#pragma omp parallel num_threads(f->context->threads)
  {
    const unsigned as_it_was = flush_begin();
    for (int g = 0; g < d->n_groups && !atomic; g++) {
#pragma omp for schedule(static)
      for (int64_t face = d->group[g]; face < d->group[g + 1]; face++) scatter_face(f, face, dt, limited, anti, 0);
    }
    if (atomic) {
#pragma omp for schedule(static)
      for (int64_t face = 0; face < d->n_faces; face++) scatter_face(f, face, dt, limited, anti, 1);
    }
    flush_end(as_it_was);
  }
}

void triad_unstructured_scatter_low(triad_unstructured_flow *f, triad_real dt)
{
  const triad_unstructured_domain *d = f->domain;
  const triad_unstructured_view *v = &f->view;
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t c = d->n_zoned; c < d->n_cells; c++)
    for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++) v->td.at[k * v->td.pitch + c] = v->u.at[k * v->u.pitch + c];
  scatter(f, dt, 0);
  if (!v->bounded) return;
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t c = d->n_zoned; c < d->n_cells; c++) {
    triad_real u[TRIAD_UNSTRUCTURED_FIELDS], t[TRIAD_UNSTRUCTURED_FIELDS];
    triad_unstructured_load(&v->u, c, TRIAD_UNSTRUCTURED_FIELDS, u);
    triad_unstructured_load(&v->td, c, TRIAD_UNSTRUCTURED_FIELDS, t);
    triad_unstructured_own_bounds(v, c, u, t);
  }
}

/* Limited faces are counted here, where a rank's cell is on the left. */
static void count(triad_unstructured_flow *f)
{
  const triad_unstructured_view *v = &f->view;
  int64_t limited = 0, parts = 0;
#pragma omp parallel for schedule(static) num_threads(f->context->threads) reduction(+ : limited, parts)
  for (int64_t face = 0; face < v->n_inner; face++) {
    if (!is_listed(f, v->cell[face][0])) continue;
    const triad_real part = triad_unstructured_kept_part(v, face);
    limited += part < TRIAD_R(0.999999);
    parts += (int64_t)(part * (1 << 20));
  }
  f->limited += limited;
  f->parts += parts;
}

void triad_unstructured_scatter_anti(triad_unstructured_flow *f, triad_real dt)
{
  if (f->view.bounded) count(f);
  scatter(f, dt, 1);
}
