/* Find structured zones of hexahedra (zones.h): grow boxes from a first cell along three axes. */
#include "mesh/zones.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* Sides of a hexahedron towards lower and upper x, y, z of its own corners, and the one across from each. */
static const uint8_t first_frame[3] = {3, 4, 1}, opposite[TRIAD_MESH_SIDES] = {1, 0, 4, 5, 2, 3};

typedef enum use { NOT_OURS, FREE, TAKEN } use;

typedef struct finding {
  const triad_mesh *m;
  int32_t (*face)[TRIAD_MESH_SIDES]; /* [cells] faces of hexahedra; -1: no face across which a zone could continue */
  uint8_t (*frame)[3];               /* [cells] sides towards upper x, y, z of their zone             */
  uint8_t *use;
  triad_mesh_zones *out;
  int room;
} finding;

/* ---- faces of hexahedra ---- */

static int has(const int32_t *points, int n, int32_t p)
{
  for (int i = 0; i < n; i++)
    if (points[i] == p) return 1;
  return 0;
}

static void side_points(const triad_mesh *m, int32_t c, int s, int32_t out[4])
{
  for (int i = 0; i < 4; i++) out[i] = m->corner[m->first[c] + triad_mesh_shapes[TRIAD_MESH_HEX].side[s][i]];
}

/* Four different points of a side are the face's. */
static void place_face(const finding *w, int32_t c, int64_t f)
{
  int32_t points[4];
  for (int s = 0; s < TRIAD_MESH_SIDES; s++) {
    int same = 1;
    side_points(w->m, c, s, points);
    for (int i = 0; i < 4 && same; i++) same = has(w->m->point[f], 4, points[i]);
    if (same) w->face[c][s] = (int32_t)f;
  }
}

/* Zones end at faces that join periodic patches. */
static void place_faces(finding *w)
{
  const triad_mesh *m = w->m;
  for (int64_t f = 0; f < m->n_inner; f++) {
    const int32_t a = m->cell[f][0], b = m->cell[f][1];
    if (m->points[f] != 4 || m->patch[f] >= 0 || w->use[a] != FREE || w->use[b] != FREE) continue;
    place_face(w, a, f);
    place_face(w, b, f);
  }
}

/* ---- steps from cell to cell ---- */

/* The side of cell b, next to its side t, that has the points which the face shares with side e of cell c. */
static int turned_side(const finding *w, int32_t c, int e, int64_t face, int32_t b, int t)
{
  int32_t along[4], points[4];
  side_points(w->m, c, e, along);
  for (int s = 0; s < TRIAD_MESH_SIDES; s++) {
    if (s == t || s == opposite[t]) continue;
    int shared = 0;
    side_points(w->m, b, s, points);
    for (int i = 0; i < 4; i++) shared += has(w->m->point[face], 4, along[i]) && has(points, 4, along[i]);
    if (shared == 2) return s;
  }
  return -1;
}

/* The cell above (or below) c along an axis of its frame, and the frame of that; -1: none that is free or there. */
static int32_t step(const finding *w, int32_t c, int axis, int up, uint8_t frame[3])
{
  const int s = up ? w->frame[c][axis] : opposite[w->frame[c][axis]];
  const int32_t f = w->face[c][s];
  if (f < 0) return -1;
  const int32_t b = w->m->cell[f][0] == c ? w->m->cell[f][1] : w->m->cell[f][0];
  int t = 0;
  while (t < TRIAD_MESH_SIDES && w->face[b][t] != f) t++;
  if (t == TRIAD_MESH_SIDES || b == c) return -1;
  for (int e = 0; e < 3; e++) {
    const int side = e == axis ? (up ? opposite[t] : t) : turned_side(w, c, w->frame[c][e], f, b, t);
    if (side < 0) return -1;
    frame[e] = (uint8_t)side;
  }
  return b;
}

/* Down the three axes, as far as free cells go. */
static int32_t corner_from(finding *w, int32_t seed)
{
  int32_t at = seed;
  for (int axis = 0; axis < 3; axis++) {
    const int32_t begin = at;
    for (;;) {
      uint8_t frame[3];
      const int32_t b = step(w, at, axis, 0, frame);
      if (b < 0 || w->use[b] != FREE || b == begin) break;
      memcpy(w->frame[b], frame, 3);
      at = b;
    }
  }
  return at;
}

/* ---- boxes ---- */

/* Take the cell above number `from` of the zone along `axis`, where it is also the one above those before it in the
 * layer. */
static int take_above(finding *w, triad_mesh_zone *z, int64_t from, int axis)
{
  int32_t *cells = w->out->cell + z->cell;
  uint8_t frame[3], other[3];
  const int32_t c = step(w, cells[from], axis, 1, frame);
  if (c < 0 || w->use[c] != FREE) return 0;
  for (int e = 0; e < axis; e++) {
    const int64_t i = e == 0 ? z->cells % z->n[0] : z->cells / z->n[0] % z->n[1];
    if (i == 0) continue;
    if (step(w, cells[z->cells - z->stride[e]], e, 1, other) != c || memcmp(other, frame, 3) != 0) return 0;
  }
  memcpy(w->frame[c], frame, 3);
  w->use[c] = TAKEN;
  cells[z->cells++] = c;
  return 1;
}

/* Another layer of `size` cells along the axis, or none. */
static int add_layer(finding *w, triad_mesh_zone *z, int axis, int64_t size)
{
  const int64_t before = z->cells;
  for (int64_t i = 0; i < size; i++)
    if (!take_above(w, z, before - size + i, axis)) {
      while (z->cells > before) w->use[w->out->cell[z->cell + --z->cells]] = FREE;
      return 0;
    }
  z->n[axis]++;
  return 1;
}

static void grow(finding *w, int32_t corner, triad_mesh_zone *z)
{
  *z = (triad_mesh_zone){.cell = w->out->n_cells, .n = {1, 1, 1}, .cells = 1, .stride = {1, 1, 1}};
  w->out->cell[z->cell] = corner;
  w->use[corner] = TAKEN;
  for (int axis = 0; axis < 3; axis++) {
    const int64_t size = z->cells;
    z->stride[axis] = size;
    while (add_layer(w, z, axis, size)) continue;
  }
}

static int is_large(const triad_mesh_zone *z)
{
  return z->n[0] >= TRIAD_MESH_ZONE_MIN_CELLS && z->n[1] >= TRIAD_MESH_ZONE_MIN_CELLS &&
         z->n[2] >= TRIAD_MESH_ZONE_MIN_CELLS;
}

static void list_faces(const finding *w, const triad_mesh_zone *z)
{
  for (int64_t i = 0; i < z->cells; i++) {
    const int64_t at[3] = {i % z->n[0], i / z->n[0] % z->n[1], i / z->n[0] / z->n[1]};
    const int32_t c = w->out->cell[z->cell + i];
    for (int a = 0; a < 3; a++) w->out->face[z->cell + i][a] = at[a] + 1 < z->n[a] ? w->face[c][w->frame[c][a]] : -1;
  }
}

/* A box that is too small is left to the lists with all its cells: each is tried once. */
static int append_zone(finding *w, triad_mesh_zone *z)
{
  triad_mesh_zones *out = w->out;
  if (!is_large(z)) {
    for (int64_t i = 0; i < z->cells; i++) w->use[out->cell[z->cell + i]] = NOT_OURS;
    return TRIAD_OK;
  }
  if (out->n_zones == w->room) {
    const int room = w->room ? 2 * w->room : 16;
    triad_mesh_zone *more = realloc(out->zone, (size_t)room * sizeof *more);
    if (!more) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%d structured zones", room);
    out->zone = more;
    w->room = room;
  }
  z->slot = 3 * out->n_cells;
  list_faces(w, z);
  out->zone[out->n_zones++] = *z;
  out->n_cells += z->cells;
  return TRIAD_OK;
}

static int find(finding *w, const int32_t *list, int64_t n)
{
  for (int64_t i = 0; i < n; i++) {
    if (w->use[list[i]] != FREE) continue;
    triad_mesh_zone z;
    memcpy(w->frame[list[i]], first_frame, 3);
    grow(w, corner_from(w, list[i]), &z);
    TRIAD_TRY(append_zone(w, &z));
  }
  return TRIAD_OK;
}

int triad_mesh_zones_find(triad_mesh_zones *out, const triad_mesh *m, const int32_t *rank_of, int rank,
                          const int32_t *list, int64_t n)
{
  finding w = {.m = m, .out = out};
  int64_t hexes = 0;
  *out = (triad_mesh_zones){0};
  for (int64_t i = 0; i < n; i++) hexes += m->shape[list[i]] == TRIAD_MESH_HEX;
  if (hexes == 0) return TRIAD_OK;
  int st = TRIAD_ALLOC(m->memory, "the search for structured zones", m->n_cells, &w.face);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m->memory, "the search for structured zones", m->n_cells, &w.frame);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m->memory, "the search for structured zones", m->n_cells, &w.use);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m->memory, "zones", hexes, &out->cell);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m->memory, "zones", hexes, &out->face);
  if (st == TRIAD_OK) {
    memset(w.face, -1, (size_t)m->n_cells * sizeof *w.face);
    for (int64_t i = 0; i < n; i++)
      if (m->shape[list[i]] == TRIAD_MESH_HEX && rank_of[list[i]] == rank) w.use[list[i]] = FREE;
    place_faces(&w);
    st = find(&w, list, n);
  }
  TRIAD_FREE(m->memory, &w.face);
  TRIAD_FREE(m->memory, &w.frame);
  TRIAD_FREE(m->memory, &w.use);
  return st;
}

void triad_mesh_zones_free(triad_mesh_zones *zones, triad_memory *memory)
{
  free(zones->zone);
  zones->zone = NULL;
  TRIAD_FREE(memory, &zones->cell);
  TRIAD_FREE(memory, &zones->face);
}
