/* Cut polyhedra into tetrahedra and pyramids, for files of fields. */
#include "mesh/pieces.h"
#include "base/status.h"
#include "mesh/polyhedra.h"
#include "mesh/sizes.h"

#include <string.h>

/* While pieces are listed: `out` NULL while they are counted. */
typedef struct cutting {
  const triad_mesh *m;
  triad_mesh *out;
  int32_t *whose;
  int64_t points, cells, corners;
} cutting;

static int32_t add_point(cutting *k, const double x[3])
{
  if (k->out)
    for (int a = 0; a < 3; a++) k->out->x[k->points][a] = x[a];
  return (int32_t)k->points++;
}

static void add_piece(cutting *k, int64_t cell, triad_mesh_shape shape, const int32_t *corner, int n)
{
  if (k->out) {
    k->out->shape[k->cells] = (uint8_t)shape;
    memcpy(k->out->corner + k->corners, corner, (size_t)n * sizeof *corner);
    k->out->first[k->cells + 1] = k->corners + n;
    k->whose[k->cells] = (int32_t)cell;
  }
  k->cells++;
  k->corners += n;
}

/* A side's normal points out of the cell, that of a piece's first three or four corners to its apex. */
static void cut_side(cutting *k, int64_t c, const int32_t *side, int n, int32_t apex)
{
  if (n <= TRIAD_MESH_SIDE_POINTS) {
    const int32_t base[5] = {side[n - 1], side[n - 2], side[n - 3], n == 4 ? side[0] : apex, apex};
    add_piece(k, c, n == 4 ? TRIAD_MESH_PYRAMID : TRIAD_MESH_TET, base, n + 1);
    return;
  }
  double mean[3] = {0, 0, 0};
  for (int i = 0; i < n; i++)
    for (int a = 0; a < 3; a++) mean[a] += k->m->x[side[i]][a] / n;
  const int32_t middle = add_point(k, mean);
  for (int i = 0; i < n; i++) {
    const int32_t tet[4] = {side[(i + 1) % n], side[i], middle, apex};
    add_piece(k, c, TRIAD_MESH_TET, tet, 4);
  }
}

static void cut_cell(cutting *k, int64_t c)
{
  const triad_mesh *m = k->m;
  if (m->shape[c] != TRIAD_MESH_POLYHEDRON) {
    add_piece(k, c, (triad_mesh_shape)m->shape[c], m->corner + m->first[c], (int)(m->first[c + 1] - m->first[c]));
    return;
  }
  double centre[3];
  triad_mesh_middle(m, c, centre);
  const int32_t apex = add_point(k, centre);
  for (int s = 0; s < triad_mesh_sides(m, c); s++) {
    int n;
    const int32_t *side = triad_mesh_side(m, c, s, NULL, &n);
    cut_side(k, c, side, n, apex);
  }
}

static void cut(cutting *k)
{
  k->points = k->m->n_points;
  k->cells = k->corners = 0;
  for (int64_t c = 0; c < k->m->n_cells; c++) cut_cell(k, c);
}

void triad_mesh_pieces_count(const triad_mesh *m, int64_t cell, int64_t *points, int64_t *cells, int64_t *corners)
{
  cutting k = {.m = m, .points = *points, .cells = *cells, .corners = *corners};
  cut_cell(&k, cell);
  *points = k.points;
  *cells = k.cells;
  *corners = k.corners;
}

int triad_mesh_pieces(triad_mesh **out, int32_t **whose, const triad_mesh *m)
{
  cutting k = {.m = m};
  cut(&k);
  TRIAD_TRY(triad_mesh_create(out, m->memory, k.points, k.cells, k.corners));
  TRIAD_TRY(TRIAD_ALLOC(m->memory, "output", k.cells, whose));
  memcpy((*out)->x, m->x, (size_t)m->n_points * sizeof *m->x);
  k.out = *out;
  k.whose = *whose;
  cut(&k);
  return TRIAD_OK;
}
