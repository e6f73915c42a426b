#include "solvers/multiblock/flow.h"

#include <stdlib.h>
#include <string.h>

void triad_mb_middle(const triad_mb_grid *g, const triad_zones *zones, int zone, const int64_t cell[3], double x[3])
{
  x[0] = x[1] = x[2] = 0;
  for (int i = 0; i < 8; i++) {
    const int64_t node[3] = {cell[0] + (i & 1), cell[1] + (i >> 1 & 1), cell[2] + (i >> 2)};
    double corner[3];
    triad_mb_grid_ghost_node(g, zones, zone, node, corner);
    for (int a = 0; a < 3; a++) x[a] += corner[a] / 8;
  }
}

/* Nodes of a part, one layer of cells more around it but along a flat axis. */
typedef struct nodes {
  int64_t low[3], n[3]; /* of the zone */
  double (*x)[3];
} nodes;

static const double *node_at(const nodes *p, int64_t i, int64_t j, int64_t k)
{
  return p->x[(i - p->low[0]) + p->n[0] * ((j - p->low[1]) + p->n[1] * (k - p->low[2]))];
}

static int fill_nodes(nodes *p, const triad_mb_flow *f, const triad_zone_part *part)
{
  for (int a = 0; a < 3; a++) {
    int64_t more = part->halo[a] > 0 ? 1 : 0;
    p->low[a] = part->low[a] - more;
    p->n[a] = part->n[a] + 1 + 2 * more;
  }
  int64_t all = p->n[0] * p->n[1] * p->n[2];
  p->x = calloc((size_t)all, sizeof *p->x);
  if (!p->x) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld nodes", (long long)all);
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t i = 0; i < all; i++) {
    const int64_t node[3] = {p->low[0] + i % p->n[0], p->low[1] + i / p->n[0] % p->n[1], p->low[2] + i / p->n[0] / p->n[1]};
    triad_mb_grid_ghost_node(f->grid, f->zones, part->zone, node, p->x[i]);
  }
  return TRIAD_OK;
}

/* Corners of the face of a cell, lower or upper along an axis, in the order that turns its area vector along the axis. */
static void corners_of(const nodes *p, const int64_t c[3], int axis, int upper, const double *x[4])
{
  int t = (axis + 1) % 3, r = (axis + 2) % 3;
  static const int order[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  for (int i = 0; i < 4; i++) {
    int64_t at[3] = {c[0], c[1], c[2]};
    at[axis] += upper;
    at[t] += order[i][0];
    at[r] += order[i][1];
    x[i] = node_at(p, at[0], at[1], at[2]);
  }
}

/* A third of the sum over faces of centre times area vector: neighbours take the same from a face they share, so that the
 * volumes of all cells make that of the whole. */
static double cell_of(const nodes *p, const int64_t c[3], double s[3][3])
{
  const double *origin = node_at(p, c[0], c[1], c[2]);
  double volume = 0;
  for (int axis = 0; axis < 3; axis++)
    for (int upper = 0; upper < 2; upper++) {
      const double *x[4];
      double area[3], centre;
      corners_of(p, c, axis, upper, x);
      triad_mb_quad(x[0], x[1], x[2], x[3], area);
      for (int a = 0; a < 3; a++) {
        centre = (x[0][a] + x[1][a] + x[2][a] + x[3][a]) / 4 - origin[a];
        volume += (upper ? 1 : -1) * centre * area[a] / 3;
        if (!upper) s[axis][a] = area[a];
      }
    }
  return volume;
}

static int part_metrics(triad_mb_flow *f, const triad_zone_part *part)
{
  nodes p = {.x = NULL};
  int st = fill_nodes(&p, f, part);
  int64_t bad[3] = {0, 0, 0};
  double worst = 0;
  int found = 0;
#pragma omp parallel for collapse(2) schedule(static) num_threads(f->context->threads)
  for (int64_t k = p.low[2]; k < p.low[2] + p.n[2]; k++)
    for (int64_t j = p.low[1]; j < p.low[1] + p.n[1]; j++)
      for (int64_t i = p.low[0]; i < p.low[0] + p.n[0] && st == TRIAD_OK; i++) {
        const int64_t c[3] = {i, j, k};
        int64_t at = triad_zone_part_at(part, c);
        int inside = 1, whole = 1;
        double s[3][3] = {{0}}, volume = 0;
        for (int a = 0; a < 3; a++) {
          inside &= c[a] >= part->low[a] && c[a] < part->low[a] + part->n[a];
          whole &= c[a] < p.low[a] + p.n[a] - 1;
        }
        if (whole) volume = cell_of(&p, c, s);
        else { /* the last layer of nodes has faces only */
          for (int axis = 0; axis < 3; axis++) {
            const double *x[4];
            int t = (axis + 1) % 3, r = (axis + 2) % 3;
            if (c[t] >= p.low[t] + p.n[t] - 1 || c[r] >= p.low[r] + p.n[r] - 1) continue;
            corners_of(&p, c, axis, 0, x);
            triad_mb_quad(x[0], x[1], x[2], x[3], s[axis]);
          }
        }
        int memory = 1; /* a flat axis has no place for the upper face */
        for (int a = 0; a < 3; a++) memory &= c[a] < part->low[a] + part->n[a] + part->halo[a];
        if (!memory) continue;
        for (int axis = 0; axis < 3; axis++)
          for (int a = 0; a < 3; a++) f->s[axis][a][at] = (triad_real)s[axis][a];
        f->volume[at] = (triad_real)volume;
        if (inside && !(volume > 0)) {
#pragma omp critical
          {
            found = 1;
            worst = volume;
            memcpy(bad, c, sizeof bad);
          }
        }
      }
  free(p.x);
  if (found)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "the grid's block %d is left-handed or folded: cell (%lld, %lld, %lld) has the volume %g",
                      part->zone + 1, (long long)bad[0] + 1, (long long)bad[1] + 1, (long long)bad[2] + 1, worst);
  return st;
}

int triad_mb_metrics(triad_mb_flow *f)
{
  for (int i = 0; i < f->n_parts; i++) TRIAD_TRY(part_metrics(f, f->part[i]));
  return TRIAD_OK;
}
