/* Rows of bricks on the CPU (host_bricks.h): values across the zone's sides, and fluxes of the faces on these sides. A
 * side consists of outer faces only or of interface faces (seams) only, since cells on other sides were removed from
 * the zone. */
#if defined(__AVX512F__) && !defined(__clang__)
#pragma GCC target("prefer-vector-width=512") /* else registers of half that */
#endif
#include "solvers/unstructured/host/host_bricks.h"

/* ---- faces of a row on the zone's sides ---- */

/* The faces of a row on one side: n faces from cell x of the row on; across, twin: as in the domain. */
typedef struct edge {
  const int32_t *face, *across, *twin;
  int side, x, n;
} edge;

static int is_seam(const edge *e) { return e->twin[0] >= 0; }

/* An interface face whose other cell is a ghost. */
static int is_joined(const triad_unstructured_going *w, const edge *e)
{
  return is_seam(e) && e->face[0] >= w->flow->domain->n_own;
}

static edge edge_of(const triad_unstructured_going *w, int side, const int x[3])
{
  const triad_unstructured_domain *d = w->flow->domain;
  const int axis = side >> 1;
  const int64_t at = w->box->outer[side] - d->on_side + triad_unstructured_box_on_side(w->zone, axis, x);
  return (edge){d->on_side + at, d->across + at, d->twin + at, side, x[0], axis == 0 ? 1 : w->zone->n[0]};
}

/* Call `work` for each side that the row is on. */
static void each_edge(const triad_unstructured_going *w, int y, int z,
                      void (*work)(const triad_unstructured_going *w, const edge *e, int y, int z))
{
  const int32_t *n = w->zone->n;
  for (int s = 0; s < TRIAD_MESH_ZONE_SIDES; s++) {
    const int a = s >> 1, end = s & 1 ? n[a] - 1 : 0, x[3] = {a == 0 ? end : 0, y, z};
    if (x[a] != end) continue;
    const edge e = edge_of(w, s, x);
    work(w, &e, y, z);
  }
}

/* The fluxes of these faces among those of the zone's faces: stored with the cell below. They are along the axis,
 * while fluxes on the sides point out of the zone. */
static triad_unstructured_numbers place_of(const triad_unstructured_going *w, const triad_unstructured_ring *ring,
                                           const edge *e, int y, int z)
{
  const int a = e->side >> 1, down = !(e->side & 1);
  triad_unstructured_numbers row = triad_unstructured_row_across(
    triad_unstructured_ring_row(w->b, ring, y - (a == 1 && down), z - (a == 2 && down)), a);
  row.at += e->x - (a == 0 && down);
  return row;
}

static triad_real out_of(const edge *e) { return e->side & 1 ? TRIAD_R(1) : TRIAD_R(-1); }

static void place_flux(const triad_unstructured_going *w, const triad_unstructured_ring *ring,
                       const triad_unstructured_numbers *flux, const edge *e, int y, int z)
{
  const triad_unstructured_numbers row = place_of(w, ring, e, y, z);
  const triad_real out = out_of(e);
  for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++) {
    const triad_real *from = flux->at + k * flux->pitch;
    triad_real *to = row.at + k * row.pitch;
#pragma omp simd
    for (int i = 0; i < e->n; i++) to[i] = out * from[e->face[i]];
  }
}

static void place_fluxes(const triad_unstructured_going *w, const edge *e, int y, int z)
{
  place_flux(w, &w->b->low, &w->flow->view.low, e, y, z);
  place_flux(w, &w->b->anti, &w->flow->view.anti, e, y, z);
}

/* Arguments of the limiter: limits of the row; fluxes of faces; factors, which interface faces have from the other
 * cell. */
typedef struct cutting {
  triad_unstructured_view own, lists;
  const triad_real *per_volume; /* of the row's first cell here */
  triad_unstructured_numbers to;
  triad_real dt, out, *parts;
} cutting;

/* seam: 0: an outer face; 1: an interface face whose other cell is listed; 2: one between ranks, where both factors
 * are known (triad_unstructured_host_ghost_parts). */
ALWAYS_INLINE void cut_at(const cutting *c, const edge *e, int i, int of, int seam)
{
  const int64_t face = e->face[i];
  triad_real a[TRIAD_UNSTRUCTURED_FIELDS], turned[TRIAD_UNSTRUCTURED_FIELDS];
  triad_unstructured_load(&c->lists.anti, face, TRIAD_UNSTRUCTURED_FIELDS, a);
  triad_real part = seam == 2 ? *triad_unstructured_part_place(&c->lists, face, 0)
                              : triad_unstructured_part_of(&c->own, of, e->x + i, c->dt * c->per_volume[i], 1, a);
  if (seam == 1) *triad_unstructured_part_place(&c->lists, face, 0) = part;
  if (seam) part = triad_min(part, *triad_unstructured_part_place(&c->lists, face, 1));
  TRIAD_UNSTRUCTURED_UNROLL
  for (int k = 0; k < TRIAD_UNSTRUCTURED_FIELDS; k++) {
    a[k] *= part;
    turned[k] = c->out * a[k];
  }
  if (!seam) triad_unstructured_store(&c->lists.anti, face, TRIAD_UNSTRUCTURED_FIELDS, a);
  triad_unstructured_store(&c->to, i, TRIAD_UNSTRUCTURED_FIELDS, turned);
  c->parts[i] = part;
}

#define CUT(OF, SEAM) \
  { \
    _Pragma("omp simd") for (int i = 0; i < e->n; i++) cut_at(&c, e, i, OF, SEAM); \
  }

/* the pressure is bounded where the density is too */
enum { BOTH = TRIAD_UNSTRUCTURED_LIMIT_DENSITY | TRIAD_UNSTRUCTURED_LIMIT_PRESSURE };

/* Multiply the fluxes by the limiter factor of this cell; on outer faces also the stored flux through the patch; on
 * interface faces use the smaller factor of both cells and store this cell's factor for the listed cell. Of two ranks,
 * the owner of the left cell counts the face. */
static void cut(const triad_unstructured_going *w, const edge *e, int y, int z)
{
  const triad_unstructured_view *v = &w->flow->view;
  cutting c = {.own = *v,
               .lists = *v,
               .per_volume = v->per_volume + triad_unstructured_cell_at(w, y, z) + e->x,
               .to = place_of(w, &w->b->anti, e, y, z),
               .dt = (triad_real)w->dt,
               .out = out_of(e),
               .parts = w->parts};
  c.own.limit = triad_unstructured_ring_row(w->b, &w->b->limit, y, z);
  const int both = v->limited == BOTH, seam = is_seam(e);
  if (is_joined(w, e)) CUT(BOTH, 2)
  else if (both && seam) CUT(BOTH, 1)
  else if (both) CUT(BOTH, 0)
  else if (seam) CUT(TRIAD_UNSTRUCTURED_LIMIT_DENSITY, 1)
  else CUT(TRIAD_UNSTRUCTURED_LIMIT_DENSITY, 0)
  for (int i = 0; i < e->n && seam && w->last; i++) {
    if (triad_unstructured_domain_turned(w->flow->domain, e->face[i])) continue;
    w->t->limited[0] += c.parts[i] < TRIAD_R(0.999999);
    w->t->parts[0] += (int32_t)(c.parts[i] * (triad_real)(1 << 20));
  }
}

/* n numbers of the row, for twins. */
static void copy_numbers(const triad_unstructured_numbers *row, const triad_unstructured_numbers *to, int n,
                         const edge *e)
{
  for (int k = 0; k < n && is_seam(e); k++) {
    const triad_real *from = row->at + k * row->pitch + e->x;
    triad_real *out = to->at + k * to->pitch;
#pragma omp simd
    for (int i = 0; i < e->n; i++) out[e->twin[i]] = from[i];
  }
}

/* To other ranks; lists of this one find parts at seams. */
static void tell_limits(const triad_unstructured_going *w, const edge *e, int y, int z)
{
  const triad_unstructured_numbers row = triad_unstructured_ring_row(w->b, &w->b->limit, y, z);
  if (is_joined(w, e)) copy_numbers(&row, &w->flow->view.limit, TRIAD_UNSTRUCTURED_LIMITS, e);
}

void triad_unstructured_bricks_outer(const triad_unstructured_going *w, int y, int z)
{
  each_edge(w, y, z, place_fluxes);
}

void triad_unstructured_bricks_cut_outer(const triad_unstructured_going *w, int y, int z) { each_edge(w, y, z, cut); }

void triad_unstructured_bricks_tell_twins(const triad_unstructured_going *w, int y, int z)
{
  each_edge(w, y, z, tell_limits);
}

void triad_unstructured_bricks_tell_bounds(const triad_unstructured_going *w, int y)
{
  const triad_unstructured_numbers row = triad_unstructured_ring_row(w->b, &w->b->bound, y, 0);
  const edge e = edge_of(w, TRIAD_UNSTRUCTURED_JOINED_SIDE, (const int[3]){0, y, 0});
  copy_numbers(&row, &w->flow->view.bound, TRIAD_UNSTRUCTURED_BOUNDS, &e);
}

/* ---- values of a row, with what is across the zone's sides ---- */

/* The side that a row is across; -1: it consists of bricks. */
static int side_of(const triad_unstructured_going *w, int y, int z)
{
  const int32_t *n = w->zone->n;
  return z < 0 ? 4 : z == n[2] ? 5 : y < 0 ? 2 : y == n[1] ? 3 : -1;
}

/* Call `work` for the cells across the ends of a row of bricks; for the first or last row of a layer also for the row
 * across the adjacent side of the zone. */
static void each_row(const triad_unstructured_going *w, int y, int z,
                     void (*work)(const triad_unstructured_going *w, const edge *e, int x, int y, int z))
{
  const int32_t *n = w->zone->n;
  const int inside = z >= 0 && z < n[2];
  for (int r = y - (inside && y == 0); r <= y + (inside && y == n[1] - 1); r++) {
    const int side = side_of(w, r, z);
    const edge e = edge_of(w, side < 0 ? 0 : side, (const int[3]){0, r, z});
    work(w, &e, side < 0 ? -1 : 0, r, z);
    if (side >= 0) continue;
    const edge end = edge_of(w, 1, (const int[3]){n[0] - 1, r, z});
    work(w, &end, n[0], r, z);
  }
}

/* Copy the values across faces of a side, from x of the row on. */
static void copy_across(const triad_unstructured_going *w, const edge *e, int x, int y, int z)
{
  const triad_unstructured_numbers *value = &w->flow->view.value,
                                   row = triad_unstructured_ring_row(w->b, &w->b->value, y, z);
  for (int k = 0; k < TRIAD_UNSTRUCTURED_VALUES; k++) {
    const triad_real *from = value->at + k * value->pitch;
    triad_real *to = row.at + k * row.pitch + x;
#pragma omp simd
    for (int i = 0; i < e->n; i++) to[i] = from[e->across[i]];
  }
}

void triad_unstructured_bricks_values(const triad_unstructured_going *w, int y, int z)
{
  const triad_unstructured_numbers *value = &w->flow->view.value,
                                   row = triad_unstructured_ring_row(w->b, &w->b->value, y, z);
  for (int k = 0; k < TRIAD_UNSTRUCTURED_VALUES && side_of(w, y, z) < 0; k++)
    memcpy(row.at + k * row.pitch, value->at + k * value->pitch + triad_unstructured_cell_at(w, y, z),
           (size_t)w->zone->n[0] * sizeof(triad_real));
  each_row(w, y, z, copy_across);
}

/* Bounds across faces: of what is beyond an outer one, as it comes in. */
static void set_bounds(const triad_unstructured_going *w, const edge *e, int x, int y, int z)
{
  const triad_unstructured_numbers value = triad_unstructured_ring_row(w->b, &w->b->value, y, z),
                                   bound = triad_unstructured_ring_row(w->b, &w->b->bound, y, z);
  const triad_unstructured_numbers *across = &w->flow->view.bound;
  for (int k = 0; k < TRIAD_UNSTRUCTURED_BOUNDS; k++) {
    const triad_real *from = across->at + k * across->pitch, *own = value.at + (k < 2 ? 0 : 4) * value.pitch + x,
                     sign = k & 1 ? TRIAD_R(-1) : TRIAD_R(1);
    triad_real *to = bound.at + k * bound.pitch + x;
    if (is_seam(e)) {
#pragma omp simd
      for (int i = 0; i < e->n; i++) to[i] = from[e->across[i]];
    } else {
#pragma omp simd
      for (int i = 0; i < e->n; i++) to[i] = sign * own[i];
    }
  }
}

void triad_unstructured_bricks_bounds(const triad_unstructured_going *w, int y, int z)
{
  each_row(w, y, z, set_bounds);
}
