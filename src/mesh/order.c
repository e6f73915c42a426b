/* Numberings of cells: reverse Cuthill-McKee, Morton's and Hilbert's curve; colours of faces (order.h). */
#include "mesh/order.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* ---- curves through the cells' centres ---- */

enum { BITS = TRIAD_MESH_KEY_BITS / 3 };

typedef triad_mesh_curve_place place;

static int place_order(const void *a, const void *b)
{
  const place *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->cell < y->cell ? -1 : x->cell > y->cell;
}

/* The index along Morton's curve: the bits of x, y and z are interleaved. */
static uint64_t interleaved(const uint32_t x[3])
{
  uint64_t key = 0;
  for (int b = BITS - 1; b >= 0; b--)
    for (int i = 0; i < 3; i++) key = key << 1 | (x[i] >> b & 1);
  return key;
}

/* Skilling's transform of coordinates of BITS bits into the place along the curve. */
static uint64_t along_curve(uint32_t x[3])
{
  uint32_t top = 1u << (BITS - 1), t;
  for (uint32_t q = top; q > 1; q >>= 1)
    for (int i = 0; i < 3; i++)
      if (x[i] & q) {
        x[0] ^= q - 1;
      } else {
        t = (x[0] ^ x[i]) & (q - 1);
        x[0] ^= t;
        x[i] ^= t;
      }
  for (int i = 1; i < 3; i++) x[i] ^= x[i - 1];
  t = 0;
  for (uint32_t q = top; q > 1; q >>= 1)
    if (x[2] & q) t ^= q - 1;
  for (int i = 0; i < 3; i++) x[i] ^= t;
  return interleaved(x);
}

void triad_mesh_bounding_cube(const triad_mesh *m, double cube[4])
{
  double high[3];
  memcpy(cube, m->box, sizeof m->box);
  if (cube[3] > 0) return;
  for (int a = 0; a < 3; a++) cube[a] = high[a] = m->n_cells > 0 ? m->centre[0][a] : 0;
  for (int64_t c = 0; c < m->n_cells; c++)
    for (int a = 0; a < 3; a++) {
      if (m->centre[c][a] < cube[a]) cube[a] = m->centre[c][a];
      if (m->centre[c][a] > high[a]) high[a] = m->centre[c][a];
    }
  for (int a = 0; a < 3; a++)
    if (high[a] - cube[a] > cube[3]) cube[3] = high[a] - cube[a];
  if (!(cube[3] > 0)) cube[3] = 1;
}

/* A cell's centre on the lattice of 2^BITS places along each side of the cube. */
static void lattice_of(const triad_mesh *m, int64_t c, const double cube[4], uint32_t x[3])
{
  for (int a = 0; a < 3; a++) x[a] = (uint32_t)((m->centre[c][a] - cube[a]) / cube[3] * ((1 << BITS) - 1));
}

void triad_mesh_sort_along_curve(const triad_mesh *m, const int32_t *list, int64_t n, place *places)
{
  double cube[4];
  triad_mesh_bounding_cube(m, cube);
  for (int64_t i = 0; i < n; i++) {
    uint32_t x[3];
    const int32_t c = list ? list[i] : (int32_t)i;
    lattice_of(m, c, cube, x);
    places[i] = (place){along_curve(x), c};
  }
  qsort(places, (size_t)n, sizeof *places, place_order);
}

/* ---- reverse Cuthill-McKee ---- */

typedef struct graph {
  int64_t n, *first;
  int32_t *next, *local; /* neighbours; local numbers of all cells, -1: of another rank */
} graph;

static void add_edges(const triad_mesh *m, graph *g, int place_them)
{
  for (int64_t f = 0; f < m->n_inner; f++) {
    int32_t a = g->local[m->cell[f][0]], b = g->local[m->cell[f][1]];
    if (a < 0 || b < 0 || a == b) continue;
    if (place_them) {
      g->next[g->first[a]++] = b;
      g->next[g->first[b]++] = a;
    } else {
      g->first[a + 1]++;
      g->first[b + 1]++;
    }
  }
}

static int make_graph(const triad_mesh *m, graph *g, const int32_t *list, int64_t n)
{
  g->n = n;
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "the numbering of cells", n + 2, &g->first));
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "the numbering of cells", m->n_cells, &g->local));
  for (int64_t c = 0; c < m->n_cells; c++) g->local[c] = -1;
  for (int64_t i = 0; i < n; i++) g->local[list[i]] = (int32_t)i;
  add_edges(m, g, 0);
  for (int64_t i = 0; i < n; i++) g->first[i + 1] += g->first[i];
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "the numbering of cells", g->first[n], &g->next));
  add_edges(m, g, 1);
  for (int64_t i = n; i > 0; i--) g->first[i] = g->first[i - 1];
  g->first[0] = 0;
  return TRIAD_OK;
}

static int64_t degree(const graph *g, int32_t i) { return g->first[i + 1] - g->first[i]; }

/* Neighbours of i that have no number yet, those of the lowest degree first. */
static int64_t visit(const graph *g, int32_t i, uint8_t *seen, int32_t *out)
{
  int64_t n = 0;
  for (int64_t e = g->first[i]; e < g->first[i + 1]; e++) {
    int32_t j = g->next[e];
    if (seen[j]) continue;
    seen[j] = 1;
    int64_t at = n++;
    for (; at > 0 && degree(g, out[at - 1]) > degree(g, j); at--) out[at] = out[at - 1];
    out[at] = j;
  }
  return n;
}

/* order[n]: widths of the graph, from an end of each of its parts; then turned round. */
static void number_graph(const graph *g, uint8_t *seen, int32_t *order)
{
  int64_t n = 0, done = 0;
  for (int64_t start = 0; start < g->n; start++) {
    if (seen[start]) continue;
    seen[start] = 1;
    order[n++] = (int32_t)start;
    while (done < n) {
      n += visit(g, order[done], seen, order + n);
      done++;
    }
  }
  for (int64_t i = 0; i < g->n / 2; i++) {
    int32_t swapped = order[i];
    order[i] = order[g->n - 1 - i];
    order[g->n - 1 - i] = swapped;
  }
}

static void apply(const int32_t *order, int32_t *list, int32_t *room, int64_t n)
{
  for (int64_t i = 0; i < n; i++) room[i] = list[order[i]];
  memcpy(list, room, (size_t)n * sizeof *list);
}

static int by_width(const triad_mesh *m, int32_t *list, int64_t n)
{
  graph g = {.n = 0};
  int32_t *order = NULL, *room = NULL;
  uint8_t *seen = NULL;
  int st = TRIAD_ALLOC(m->memory, "the numbering of cells", n, &order);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m->memory, "the numbering of cells", n, &room);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m->memory, "the numbering of cells", n, &seen);
  if (st == TRIAD_OK) st = make_graph(m, &g, list, n);
  if (st == TRIAD_OK) number_graph(&g, seen, order);
  if (st == TRIAD_OK) apply(order, list, room, n);
  TRIAD_FREE(m->memory, &g.first);
  TRIAD_FREE(m->memory, &g.next);
  TRIAD_FREE(m->memory, &g.local);
  TRIAD_FREE(m->memory, &order);
  TRIAD_FREE(m->memory, &room);
  TRIAD_FREE(m->memory, &seen);
  return st;
}

static int by_morton(const triad_mesh *m, int32_t *list, int64_t n)
{
  place *places = NULL;
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "the numbering of cells", n, &places));
  double cube[4];
  triad_mesh_bounding_cube(m, cube);
  for (int64_t i = 0; i < n; i++) {
    uint32_t x[3];
    lattice_of(m, list[i], cube, x);
    places[i] = (place){interleaved(x), list[i]};
  }
  qsort(places, (size_t)n, sizeof *places, place_order);
  for (int64_t i = 0; i < n; i++) list[i] = places[i].cell;
  TRIAD_FREE(m->memory, &places);
  return TRIAD_OK;
}

int triad_mesh_order_cells(const triad_mesh *m, triad_mesh_numbering numbering, int32_t *list, int64_t n)
{
  return numbering == TRIAD_MESH_MORTON ? by_morton(m, list, n) : by_width(m, list, n);
}

/* ---- colours ---- */

int triad_mesh_colour_faces(const int32_t (*cell)[2], int64_t n, uint64_t *taken, uint8_t *colour)
{
  int most = 0;
  for (int64_t f = 0; f < n; f++) {
    int32_t a = cell[f][0], b = cell[f][1] < 0 ? a : cell[f][1];
    uint64_t used = taken[a] | taken[b];
    int c = 0;
    while (c < TRIAD_MESH_COLOURS - 1 && used >> c & 1) c++;
    if (used >> c & 1) most = TRIAD_MESH_COLOURS + 1;
    taken[a] |= UINT64_C(1) << c;
    taken[b] |= UINT64_C(1) << c;
    colour[f] = (uint8_t)c;
    if (c + 1 > most) most = c + 1;
  }
  return most;
}

static int number_order(const void *a, const void *b)
{
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return x < y ? -1 : x > y;
}

double triad_mesh_count_sectors(const int32_t (*cell)[2], int64_t n, int side)
{
  enum { WARP = 32, VALUES = 4 /* of 8 bytes in a sector */ };
  int64_t sectors = 0, warps = n / WARP;
  for (int64_t w = 0; w < warps; w++) {
    int32_t asked[WARP];
    for (int i = 0; i < WARP; i++) asked[i] = cell[w * WARP + i][side] / VALUES;
    qsort(asked, WARP, sizeof *asked, number_order);
    for (int i = 0; i < WARP; i++) sectors += i == 0 || asked[i] != asked[i - 1];
  }
  return warps > 0 ? (double)sectors / (double)warps : 0;
}
