/* Layers of bricks on the CPU (host_bricks.h): values with what is beyond outer faces, and fluxes of these faces. */
#include "solvers/unstructured/host_bricks.h"

/* ---- outer faces of a layer ---- */

/* Call `work` for each of them; its side, and x, y, z of its cell. */
static void each_outer(const triad_fct_going *w, int z, void (*work)(const triad_fct_going *w, int64_t face, int side, const int x[3]))
{
  const int32_t *n = w->zone->n;
  for (int s = 0; s < TRIAD_FCT_ZONE_SIDES; s++) {
    const int a = s >> 1, edge = s & 1 ? n[a] - 1 : 0;
    if (a == 2 && z != edge) continue;
    const int from[2] = {a == 0 ? edge : 0, a == 1 ? edge : 0}, to[2] = {a == 0 ? edge + 1 : n[0], a == 1 ? edge + 1 : n[1]};
#pragma omp for schedule(static)
    for (int y = from[1]; y < to[1]; y++)
      for (int x = from[0]; x < to[0]; x++) {
        const int at[3] = {x, y, z};
        work(w, w->box->outer[s][triad_fct_box_on_side(w->zone, a, at)], s, at);
      }
  }
}

/* Fluxes of an outer face as those of the zone's faces: along the axis, with the cell below. */
static void place_outer(const triad_fct_going *w, const triad_fct_ring *ring, const triad_fct_numbers *from, int64_t face, int side, const int x[3])
{
  const int a = side >> 1, up = side & 1;
  const triad_fct_numbers row = triad_fct_row_across(triad_fct_ring_row(w->b, ring, x[1] - (a == 1 && !up), x[2] - (a == 2 && !up)), a);
  for (int k = 0; k < TRIAD_FCT_FIELDS; k++)
    row.at[k * row.pitch + x[0] - (a == 0 && !up)] = (up ? 1 : -1) * from->at[k * from->pitch + face];
}

static void place_fluxes(const triad_fct_going *w, int64_t face, int side, const int x[3])
{
  place_outer(w, &w->b->low, &w->flow->view.low, face, side, x);
  place_outer(w, &w->b->anti, &w->flow->view.anti, face, side, x);
}

/* What its cell can take is left, also for what crosses the patches. */
static void cut_outer(const triad_fct_going *w, int64_t face, int side, const int x[3])
{
  triad_fct_view v = w->flow->view;
  const triad_real scale = (triad_real)w->dt * v.per_volume[triad_fct_cell_at(w, x[1], x[2]) + x[0]];
  triad_real a[TRIAD_FCT_FIELDS];
  v.limit = triad_fct_ring_row(w->b, &w->b->limit, x[1], x[2]);
  triad_fct_load(&v.anti, face, TRIAD_FCT_FIELDS, a);
  const triad_real part = triad_fct_part_of(&v, v.limited, x[0], scale, 1, a);
  for (int k = 0; k < TRIAD_FCT_FIELDS; k++) a[k] *= part;
  triad_fct_store(&v.anti, face, TRIAD_FCT_FIELDS, a);
  place_outer(w, &w->b->anti, &v.anti, face, side, x);
}

void triad_fct_bricks_outer(const triad_fct_going *w, int z) { each_outer(w, z, place_fluxes); }

void triad_fct_bricks_cut_outer(const triad_fct_going *w, int z) { each_outer(w, z, cut_outer); }

/* ---- values of a layer, with what is beyond outer faces ---- */

static void copy_beyond(const triad_fct_going *w, const triad_fct_numbers *to, int64_t x, int64_t face)
{
  const triad_fct_view *v = &w->flow->view;
  triad_real q[TRIAD_FCT_VALUES];
  triad_fct_load(&v->value, triad_fct_beyond_face(v, face), TRIAD_FCT_VALUES, q);
  triad_fct_store(to, x, TRIAD_FCT_VALUES, q);
}

void triad_fct_bricks_values(const triad_fct_going *w, int z)
{
  const int32_t *n = w->zone->n;
  const triad_fct_numbers *value = &w->flow->view.value;
  const int32_t *const *outer = w->box->outer;
  const int layer = z < 0 || z == n[2]; /* which is beyond */
#pragma omp for schedule(static)
  for (int y = layer ? 0 : -1; y < (layer ? n[1] : n[1] + 1); y++) {
    const triad_fct_numbers row = triad_fct_ring_row(w->b, &w->b->value, y, z);
    const int32_t *faces = layer ? outer[z < 0 ? 4 : 5] + (int64_t)n[0] * y : y < 0 || y == n[1] ? outer[y < 0 ? 2 : 3] + (int64_t)n[0] * z : NULL;
    for (int x = 0; x < n[0] && faces; x++) copy_beyond(w, &row, x, faces[x]);
    if (faces) continue;
    for (int k = 0; k < TRIAD_FCT_VALUES; k++)
      memcpy(row.at + k * row.pitch, value->at + k * value->pitch + triad_fct_cell_at(w, y, z), (size_t)n[0] * sizeof(triad_real));
    copy_beyond(w, &row, -1, outer[0][y + n[1] * (int64_t)z]);
    copy_beyond(w, &row, n[0], outer[1][y + n[1] * (int64_t)z]);
  }
}

/* Of the state. */
void triad_fct_bricks_before(const triad_fct_going *w, int z)
{
  const triad_fct_view *v = &w->flow->view;
#pragma omp for schedule(static)
  for (int y = 0; y < w->zone->n[1]; y++)
    triad_fct_row_values(v, triad_fct_cell_at(w, y, z), w->zone->n[0], triad_fct_ring_row(w->b, &w->b->before, y, z));
}

/* Bounds beyond the surface. */
static void set_bound(const triad_fct_numbers *bound, const triad_fct_numbers *value, int64_t x)
{
  const triad_real rho = value->at[x], p = value->at[4 * value->pitch + x], b[TRIAD_FCT_BOUNDS] = {rho, -rho, p, -p};
  triad_fct_store(bound, x, TRIAD_FCT_BOUNDS, b);
}

void triad_fct_bricks_bounds(const triad_fct_going *w, int z)
{
  const int32_t *n = w->zone->n;
  const int layer = z < 0 || z == n[2];
#pragma omp for schedule(static)
  for (int y = layer ? 0 : -1; y < (layer ? n[1] : n[1] + 1); y++) {
    const triad_fct_numbers value = triad_fct_ring_row(w->b, &w->b->value, y, z), bound = triad_fct_ring_row(w->b, &w->b->bound, y, z);
    const int all = layer || y < 0 || y == n[1];
    for (int x = 0; x < n[0] && all; x++) set_bound(&bound, &value, x);
    if (all) continue;
    set_bound(&bound, &value, -1);
    set_bound(&bound, &value, n[0]);
  }
}
