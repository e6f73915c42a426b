/* Rows of bricks on the CPU (host_bricks.h): values with what is across the zone's sides, and fluxes of the faces there. */
#include "solvers/unstructured/host_bricks.h"

/* ---- faces of a row on the zone's sides ---- */

/* Call `work` for each of them; its side, and x, y, z of its cell. */
static void each_outer(const triad_fct_going *w, int y, int z, void (*work)(const triad_fct_going *w, int64_t face, int side, const int x[3]))
{
  const int32_t *n = w->zone->n;
  for (int s = 0; s < TRIAD_FCT_ZONE_SIDES; s++) {
    const int a = s >> 1, edge = s & 1 ? n[a] - 1 : 0;
    if ((a == 1 && y != edge) || (a == 2 && z != edge)) continue;
    for (int x = a == 0 ? edge : 0; x < (a == 0 ? edge + 1 : n[0]); x++) {
      const int at[3] = {x, y, z};
      work(w, w->box->outer[s][triad_fct_box_on_side(w->zone, a, at)], s, at);
    }
  }
}

/* Their fluxes as those of the zone's faces: along the axis, with the cell below. */
static void place_outer(const triad_fct_going *w, const triad_fct_ring *ring, const triad_real flux[TRIAD_FCT_FIELDS], int side, const int x[3])
{
  const int a = side >> 1, up = side & 1;
  const triad_fct_numbers row = triad_fct_row_across(triad_fct_ring_row(w->b, ring, x[1] - (a == 1 && !up), x[2] - (a == 2 && !up)), a);
  for (int k = 0; k < TRIAD_FCT_FIELDS; k++) row.at[k * row.pitch + x[0] - (a == 0 && !up)] = (up ? 1 : -1) * flux[k];
}

static void place_fluxes(const triad_fct_going *w, int64_t face, int side, const int x[3])
{
  triad_real flux[TRIAD_FCT_FIELDS];
  triad_fct_load(&w->flow->view.low, face, TRIAD_FCT_FIELDS, flux);
  place_outer(w, &w->b->low, flux, side, x);
  triad_fct_load(&w->flow->view.anti, face, TRIAD_FCT_FIELDS, flux);
  place_outer(w, &w->b->anti, flux, side, x);
}

static void count_seam(const triad_fct_going *w, triad_real part)
{
  w->t->limited[0] += part < TRIAD_R(0.999999);
  w->t->parts[0] += (int32_t)(part * (triad_real)(1 << 20));
}

/* What its cell can take is left; of an outer face also for what crosses the patches; of a seam what the cell across can take too, which
 * finds the same by the twin's limits. */
static void cut_outer(const triad_fct_going *w, int64_t face, int side, const int x[3])
{
  const triad_fct_view *flow = &w->flow->view;
  triad_fct_view v = *flow;
  const triad_real dt = (triad_real)w->dt, scale = dt * v.per_volume[triad_fct_cell_at(w, x[1], x[2]) + x[0]];
  triad_real a[TRIAD_FCT_FIELDS];
  v.limit = triad_fct_ring_row(w->b, &w->b->limit, x[1], x[2]);
  triad_fct_load(&v.anti, face, TRIAD_FCT_FIELDS, a);
  triad_real part = triad_fct_part_of(&v, v.limited, x[0], scale, 1, a);
  if (face < v.n_inner) {
    const int64_t near = v.cell[face][1];
    part = triad_fct_smaller(part, triad_fct_part_of(flow, v.limited, near, dt * v.per_volume[near], -1, a));
    if (w->last) count_seam(w, part);
  }
  for (int k = 0; k < TRIAD_FCT_FIELDS; k++) a[k] *= part;
  if (face >= v.n_inner) triad_fct_store(&v.anti, face, TRIAD_FCT_FIELDS, a);
  place_outer(w, &w->b->anti, a, side, x);
}

static void tell_twin(const triad_fct_going *w, int64_t face, int side, const int x[3])
{
  const triad_fct_view *v = &w->flow->view;
  const triad_fct_numbers limit = triad_fct_ring_row(w->b, &w->b->limit, x[1], x[2]);
  triad_real l[TRIAD_FCT_LIMITS];
  (void)side;
  if (face >= v->n_inner) return;
  triad_fct_load(&limit, x[0], TRIAD_FCT_LIMITS, l);
  triad_fct_store(&v->limit, v->cell[face][0], TRIAD_FCT_LIMITS, l);
}

void triad_fct_bricks_outer(const triad_fct_going *w, int y, int z) { each_outer(w, y, z, place_fluxes); }

void triad_fct_bricks_cut_outer(const triad_fct_going *w, int y, int z) { each_outer(w, y, z, cut_outer); }

void triad_fct_bricks_tell_twins(const triad_fct_going *w, int y, int z) { each_outer(w, y, z, tell_twin); }

/* ---- values of a row, with what is across the zone's sides ---- */

static void copy_across(const triad_fct_going *w, const triad_fct_numbers *to, int64_t x, int64_t face)
{
  const triad_fct_view *v = &w->flow->view;
  triad_real q[TRIAD_FCT_VALUES];
  triad_fct_load(&v->value, triad_fct_box_across(v, face), TRIAD_FCT_VALUES, q);
  triad_fct_store(to, x, TRIAD_FCT_VALUES, q);
}

/* The faces of a row that is across; NULL: it is of bricks. */
static const int32_t *faces_of(const triad_fct_going *w, int y, int z)
{
  const int32_t *n = w->zone->n, *const *outer = w->box->outer;
  if (z < 0 || z == n[2]) return outer[z < 0 ? 4 : 5] + (int64_t)n[0] * y;
  return y < 0 || y == n[1] ? outer[y < 0 ? 2 : 3] + (int64_t)n[0] * z : NULL;
}

/* Call `work` for the row; and, in layers of bricks, where it is the first or last one, for that across the zone's side beside it. */
static void each_row(const triad_fct_going *w, int y, int z, void (*work)(const triad_fct_going *w, int y, int z))
{
  const int32_t *n = w->zone->n;
  const int inside = z >= 0 && z < n[2];
  work(w, y, z);
  if (inside && y == 0) work(w, -1, z);
  if (inside && y == n[1] - 1) work(w, n[1], z);
}

static void values_of(const triad_fct_going *w, int y, int z)
{
  const int32_t *n = w->zone->n, *const *outer = w->box->outer, *faces = faces_of(w, y, z);
  const triad_fct_numbers *value = &w->flow->view.value, row = triad_fct_ring_row(w->b, &w->b->value, y, z);
  for (int x = 0; x < n[0] && faces; x++) copy_across(w, &row, x, faces[x]);
  if (faces) return;
  for (int k = 0; k < TRIAD_FCT_VALUES; k++)
    memcpy(row.at + k * row.pitch, value->at + k * value->pitch + triad_fct_cell_at(w, y, z), (size_t)n[0] * sizeof(triad_real));
  copy_across(w, &row, -1, outer[0][y + n[1] * (int64_t)z]);
  copy_across(w, &row, n[0], outer[1][y + n[1] * (int64_t)z]);
}

void triad_fct_bricks_values(const triad_fct_going *w, int y, int z) { each_row(w, y, z, values_of); }

/* Bounds across a face: of what is beyond, as it comes in. */
static void set_bound(const triad_fct_going *w, const triad_fct_numbers *bound, const triad_fct_numbers *value, int64_t x, int64_t face)
{
  const triad_fct_view *v = &w->flow->view;
  const triad_real rho = value->at[x], p = value->at[4 * value->pitch + x];
  triad_real b[TRIAD_FCT_BOUNDS] = {rho, -rho, p, -p};
  if (face < v->n_inner) triad_fct_load(&v->bound, v->cell[face][1], TRIAD_FCT_BOUNDS, b);
  triad_fct_store(bound, x, TRIAD_FCT_BOUNDS, b);
}

static void bounds_of(const triad_fct_going *w, int y, int z)
{
  const int32_t *n = w->zone->n, *const *outer = w->box->outer, *faces = faces_of(w, y, z);
  const triad_fct_numbers value = triad_fct_ring_row(w->b, &w->b->value, y, z), bound = triad_fct_ring_row(w->b, &w->b->bound, y, z);
  for (int x = 0; x < n[0] && faces; x++) set_bound(w, &bound, &value, x, faces[x]);
  if (faces) return;
  set_bound(w, &bound, &value, -1, outer[0][y + n[1] * (int64_t)z]);
  set_bound(w, &bound, &value, n[0], outer[1][y + n[1] * (int64_t)z]);
}

void triad_fct_bricks_bounds(const triad_fct_going *w, int y, int z) { each_row(w, y, z, bounds_of); }
