/* The nodes of a grid from those of a file's blocks. */
#include "blocks/read/plot3d.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <xxhash.h>

/* Is there one layer of cells along an axis, x and y the same on both sides of it? */
static int is_flat(const double *x, const int64_t n[3], int axis)
{
  const int64_t all = n[0] * n[1] * n[2], stride = axis == 0 ? 1 : axis == 1 ? n[0] : n[0] * n[1];
  if (n[axis] != 2) return 0;
  for (int64_t i = 0; i < all; i++) {
    const int64_t node = i / stride % 2;
    if (node == 0 && (fabs(x[i] - x[i + stride]) > 0 || fabs(x[all + i] - x[all + i + stride]) > 0)) return 0;
  }
  return 1;
}

/* Is the area of a plane of cells negative? Its layer of cells is then below it, not above. */
static int is_left_handed(const double *x, const double *y, const int64_t n[3])
{
  double sum = 0;
  for (int64_t j = 0; j + 1 < n[1]; j++)
    for (int64_t i = 0; i + 1 < n[0]; i++) {
      const int64_t a = i + n[0] * j, b = a + 1, c = b + n[0], d = a + n[0];
      sum += (x[c] - x[a]) * (y[d] - y[b]) - (x[d] - x[b]) * (y[c] - y[a]);
    }
  return sum < 0;
}

/* Two planes of nodes where there is one; a layer of cells that is the same on both is flat. */
static int take_block(triad_blocks_grid *g, int z, const triad_blocks_layout *l, const double *from)
{
  const int64_t *n = l->size[z], plane = n[0] * n[1], planes = n[2] > 1 ? n[2] : 2, all = plane * planes;
  double *x = g->x[z] = calloc((size_t)(3 * all), sizeof *x);
  if (!x) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "nodes of block %d", z + 1);
  if (n[0] < 2 || n[1] < 2) return TRIAD_FAIL(TRIAD_ERR_CASE, "block %d has no cells along an axis", z + 1);
  for (int64_t i = 0; i < plane && l->dims == 3 && n[2] == 1; i++)
    if (fabs(from[2 * plane + i] - from[2 * plane]) > 0)
      return TRIAD_FAIL(TRIAD_ERR_CASE,
                        "block %d is a curved or tilted surface, one node across: it must have cells along k, or be a "
                        "plane of constant z",
                        z + 1);
  const int down = n[2] == 1 && is_left_handed(from, from + plane, n);
  g->reversed += down;
  for (int a = 0; a < 3; a++)
    for (int64_t i = 0; i < all; i++) {
      int given = n[2] > 1 ? 1 : a < 2;
      x[a * all + i] = given ? from[a * plane * n[2] + (n[2] > 1 ? i : i % plane)] : (i < plane) == down;
    }
  const int64_t nodes[3] = {n[0], n[1], planes};
  g->flat[z] = TRIAD_ZONE_NOT_FLAT;
  for (int a = 2; a >= 0; a--) {
    g->cells[z][a] = nodes[a] - 1;
    if (g->flat[z] == TRIAD_ZONE_NOT_FLAT && is_flat(x, nodes, a)) g->flat[z] = a;
  }
  return TRIAD_OK;
}

int triad_blocks_set_nodes(triad_blocks_grid *g, const triad_blocks_layout *l, const double *x)
{
  g->n = l->n;
  g->cells = calloc((size_t)g->n + 1, sizeof *g->cells);
  g->flat = calloc((size_t)g->n + 1, sizeof *g->flat);
  g->x = calloc((size_t)g->n + 1, sizeof *g->x);
  if (!g->cells || !g->flat || !g->x) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld nodes", (long long)l->nodes);
  for (int z = 0; z < g->n; z++) {
    TRIAD_TRY(take_block(g, z, l, x));
    const size_t nodes = (size_t)((g->cells[z][0] + 1) * (g->cells[z][1] + 1) * (g->cells[z][2] + 1));
    g->checksum = XXH3_64bits_withSeed(g->x[z], 3 * nodes * sizeof *x, g->checksum + 1);
    x += l->dims * l->size[z][0] * l->size[z][1] * l->size[z][2];
  }
  return TRIAD_OK;
}
