/* A box of polyhedra: hexagonal prisms along z, arranged like bricks. Each row is shifted by half a brick relative to
 * its neighbours; every other row ends with half bricks, which are hexahedra. The lattice is twice as fine along x as
 * the cubes, and a prism spans two of its cells. */
#include "mesh/make/honeycomb.h"
#include "base/status.h"
#include "mesh/make/generate.h"
#include "mesh/make/generate_patches.h"
#include "mesh/polyhedra.h"

enum { RING = 6, SIDES = RING + 2 };

/* While cells begin .. end - 1 of all are made: `m` NULL while they are counted. */
typedef struct laying {
  const triad_mesh_generator *g; /* of the lattice */
  triad_mesh *m;
  int64_t begin, end, all;
  int64_t cells, corners, sides, points;
} laying;

static int32_t point_at(const laying *l, int64_t i, int64_t j, int64_t k)
{
  return (int32_t)((k * (l->g->n[1] + 1) + j) * (l->g->n[0] + 1) + i);
}

static void add_side(laying *l, const int32_t *point, int n)
{
  for (int i = 0; i < n; i++) l->m->loop[l->points + i] = point[i];
  l->points += n;
  l->m->first_loop[++l->sides] = l->points;
}

/* Rings of n points, both anticlockwise seen from above. */
static void add_prism(laying *l, const int32_t *low, const int32_t *high, int n)
{
  int32_t reversed[RING];
  for (int i = 0; i < n; i++) reversed[i] = low[n - 1 - i];
  add_side(l, reversed, n);
  add_side(l, high, n);
  for (int i = 0; i < n; i++) {
    const int next = (i + 1) % n;
    const int32_t quad[4] = {low[i], low[next], high[next], high[i]};
    add_side(l, quad, 4);
  }
}

/* The brick of row j from `begin` to `end` of the lattice, one or two wide. */
static void add_brick(laying *l, int64_t begin, int64_t end, int64_t j, int64_t k)
{
  const int width = (int)(end - begin), n = 2 * width + 2;
  const double at[3] = {(double)(begin + end) / 2, (double)j + 0.5, (double)k + 0.5};
  if (triad_mesh_lattice_is_cut(l->g, at)) return;
  const int64_t number = l->all++;
  if (number < l->begin || number >= l->end) return;
  if (l->m) {
    int32_t ring[2][RING];
    for (int up = 0; up < 2; up++)
      for (int i = 0; i <= width; i++) {
        ring[up][i] = point_at(l, begin + i, j, k + up);
        ring[up][n - 1 - i] = point_at(l, begin + i, j + 1, k + up);
      }
    l->m->shape[l->cells] = width == 2 ? TRIAD_MESH_POLYHEDRON : TRIAD_MESH_HEX;
    for (int i = 0; i < 2 * n; i++) l->m->corner[l->corners + i] = ring[i / n][i % n];
    l->m->first[l->cells + 1] = l->corners + 2 * n;
    if (width == 2) add_prism(l, ring[0], ring[1], n);
    l->m->first_side[l->cells + 1] = l->sides;
  } else if (width == 2) {
    l->sides += SIDES;
    l->points += 6 * RING;
  }
  l->cells++;
  l->corners += 2 * n;
}

static void lay(laying *l)
{
  const int64_t *n = l->g->n;
  l->all = l->cells = l->corners = l->sides = l->points = 0;
  for (int64_t k = 0; k < n[2]; k++)
    for (int64_t j = 0; j < n[1]; j++)
      for (int64_t begin = -(j % 2); begin < n[0]; begin += 2)
        add_brick(l, begin < 0 ? 0 : begin, begin + 2 < n[0] ? begin + 2 : n[0], j, k);
}

void triad_mesh_honeycomb_count(const triad_mesh_generator *lattice, int64_t *cells, int64_t *corners)
{
  laying l = {.g = lattice, .end = INT64_MAX};
  lay(&l);
  *cells = l.cells;
  *corners = l.corners;
}

static int fill_cells(triad_mesh *m, laying *l)
{
  TRIAD_TRY(triad_mesh_alloc_sides(m, l->sides, l->points));
  l->m = m;
  lay(l);
  return TRIAD_OK;
}

int triad_mesh_honeycomb_fill(triad_mesh *m, const triad_mesh_generator *lattice)
{
  laying l = {.g = lattice, .end = INT64_MAX};
  lay(&l);
  return fill_cells(m, &l);
}

int triad_mesh_honeycomb_slice(triad_mesh **out, triad_memory *memory, const triad_mesh_generator *lattice,
                               int64_t begin, int64_t end)
{
  laying l = {.g = lattice, .begin = begin, .end = end};
  lay(&l);
  TRIAD_TRY(triad_mesh_create(out, memory, 0, l.cells, l.corners));
  return fill_cells(*out, &l);
}
