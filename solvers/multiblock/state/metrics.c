/* Metrics of cells: area vectors, or nodes that they follow from, and volumes. */
#include "solvers/multiblock/state/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is kept ---- */

int triad_multiblock_has_faces(const triad_zones *zones, int axis)
{
  for (int z = 0; z < zones->n; z++)
    if (zones->zone[z].flat != axis) return 1;
  return 0;
}

int triad_multiblock_keeps_nodes(const triad_multiblock_setup *setup, const triad_zones *zones)
{
  for (int z = 0; z < zones->n; z++)
    if (zones->zone[z].flat != TRIAD_ZONE_NOT_FLAT) return 0;
  return sizeof(triad_real) == sizeof(double) && !setup->gas.viscous && !setup->implicit;
}

int triad_multiblock_keeps_areas(const triad_multiblock_setup *setup, const triad_zones *zones, int axis)
{
  return !triad_multiblock_keeps_nodes(setup, zones) && triad_multiblock_has_faces(zones, axis);
}

int triad_multiblock_metric_words(const triad_multiblock_setup *setup, const triad_zones *zones)
{
  int words = 1 + (triad_multiblock_keeps_nodes(setup, zones) ? 3 : 0);
  for (int axis = 0; axis < 3; axis++) words += triad_multiblock_keeps_areas(setup, zones, axis) ? 3 : 0;
  return words;
}

int triad_multiblock_metrics_create(triad_multiblock_flow *f)
{
  triad_memory *memory = f->context->memory;
  const int64_t n = f->space.memory;
  const int nodes = triad_multiblock_keeps_nodes(&f->setup, f->zones);
  TRIAD_TRY(TRIAD_ALLOC(memory, "metrics", n, &f->volume));
  for (int a = 0; a < 3 && nodes; a++) TRIAD_TRY(TRIAD_ALLOC(memory, "metrics", n, &f->node[a]));
  for (int i = 0; i < 9; i++)
    if (triad_multiblock_keeps_areas(&f->setup, f->zones, i / 3))
      TRIAD_TRY(TRIAD_ALLOC(memory, "metrics", n, &f->s[i / 3][i % 3]));
  return TRIAD_OK;
}

void triad_multiblock_metrics_free(triad_multiblock_flow *f)
{
  TRIAD_FREE(f->context->memory, &f->volume);
  for (int a = 0; a < 3; a++) TRIAD_FREE(f->context->memory, &f->node[a]);
  for (int i = 0; i < 9; i++) TRIAD_FREE(f->context->memory, &f->s[i / 3][i % 3]);
}

triad_gas_vector triad_multiblock_area_at(const triad_multiblock_flow *f, const triad_zone_part *part, int axis,
                                          int64_t at)
{
  const triad_real *const node[3] = {f->node[0], f->node[1], f->node[2]};
  if (node[0])
    return triad_multiblock_area_between(node, at, part->stride[(axis + 1) % 3], part->stride[(axis + 2) % 3]);
  return (triad_gas_vector){f->s[axis][0][at], f->s[axis][1][at], f->s[axis][2][at]};
}

/* ---- what it is ---- */

/* Nodes of a part, one layer of cells more around it but along a flat axis, or where nodes are kept; two planes of
 * them at a time, across the axis that has most. */
typedef struct nodes {
  int64_t low[3], n[3]; /* of the zone */
  int across, t[2];     /* axes: across the planes, along them */
  double (*x)[3];       /* [2][second along][first along]: plane k is k % 2 */
} nodes;

static double *node_at(const nodes *p, const int64_t at[3])
{
  const int a = p->across, t = p->t[0], r = p->t[1];
  return p->x[(at[t] - p->low[t]) + p->n[t] * ((at[r] - p->low[r]) + p->n[r] * ((at[a] - p->low[a]) % 2))];
}

static int start_nodes(nodes *p, const triad_multiblock_flow *f, const triad_zone_part *part)
{
  for (int a = 0; a < 3; a++) {
    int64_t more = part->halo[a] > 0 && !f->node[0] ? 1 : 0;
    p->low[a] = part->low[a] - more;
    p->n[a] = part->n[a] + 1 + 2 * more;
  }
  p->across = p->n[2] >= p->n[1] && p->n[2] >= p->n[0] ? 2 : p->n[1] >= p->n[0] ? 1 : 0;
  triad_blocks_tangents(p->across, p->t);
  const int64_t all = 2 * p->n[p->t[0]] * p->n[p->t[1]];
  p->x = calloc((size_t)all, sizeof *p->x);
  return p->x ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%lld nodes", (long long)all);
}

/* Node or cell number l of plane k. */
static void place_in(const nodes *p, int64_t k, int64_t l, int64_t at[3])
{
  const int t = p->t[0], r = p->t[1];
  at[p->across] = k;
  at[t] = p->low[t] + l % p->n[t];
  at[r] = p->low[r] + l / p->n[t];
}

static void fill_plane(const nodes *p, triad_multiblock_flow *f, const triad_zone_part *part, int64_t k)
{
  if (k >= p->low[p->across] + p->n[p->across]) return;
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
  for (int64_t l = 0; l < p->n[p->t[0]] * p->n[p->t[1]]; l++) {
    int64_t at[3];
    place_in(p, k, l, at);
    double *x = node_at(p, at);
    triad_blocks_grid_ghost_node(f->grid, f->zones, part->zone, at, x);
    for (int a = 0; a < 3 && f->node[0]; a++) f->node[a][triad_zone_part_at(part, at)] = (triad_real)x[a];
  }
}

/* Corners of a cell, i fastest; NULL: there is none, beyond the last node. */
static void corners_of(const nodes *p, const int64_t c[3], const double *x[8])
{
  for (int i = 0; i < 8; i++) {
    const int64_t at[3] = {c[0] + (i & 1), c[1] + (i >> 1 & 1), c[2] + (i >> 2)};
    int inside = 1;
    for (int a = 0; a < 3; a++) inside &= at[a] < p->low[a] + p->n[a];
    x[i] = inside ? node_at(p, at) : NULL;
  }
}

/* The cell that has no volume, and which it has instead. */
typedef struct bad_cell {
  int found;
  int64_t c[3];
  double volume;
} bad_cell;

static void put_cell(triad_multiblock_flow *f, const triad_zone_part *part, const nodes *p, const int64_t c[3],
                     bad_cell *bad)
{
  const double *corner[8];
  double s[3][3] = {{0}};
  int inside = 1, memory = 1; /* a flat axis has no place for the upper face */
  for (int a = 0; a < 3; a++) {
    inside &= c[a] >= part->low[a] && c[a] < part->low[a] + part->n[a];
    memory &= c[a] < part->low[a] + part->n[a] + part->halo[a];
  }
  if (!memory) return;
  corners_of(p, c, corner);
  const double volume = triad_blocks_measure_cell(corner, s);
  const int64_t at = triad_zone_part_at(part, c);
  for (int i = 0; i < 9; i++)
    if (f->s[i / 3][0]) f->s[i / 3][i % 3][at] = (triad_real)s[i / 3][i % 3];
  f->volume[at] = (triad_real)(inside ? volume : fabs(volume)); /* beyond a face that is a line cells are turned over */
  if (!inside || volume > 0) return;
#pragma omp critical
  {
    bad->found = 1;
    bad->volume = volume;
    memcpy(bad->c, c, sizeof bad->c);
  }
}

static int part_metrics(triad_multiblock_flow *f, const triad_zone_part *part)
{
  nodes p;
  bad_cell bad = {.found = 0};
  TRIAD_TRY(start_nodes(&p, f, part));
  const int64_t first = p.low[p.across], end = first + p.n[p.across], plane = p.n[p.t[0]] * p.n[p.t[1]];
  fill_plane(&p, f, part, first);
  for (int64_t k = first; k < end; k++) {
    fill_plane(&p, f, part, k + 1);
#pragma omp parallel for schedule(static) num_threads(f->context->threads)
    for (int64_t l = 0; l < plane; l++) {
      int64_t c[3];
      place_in(&p, k, l, c);
      put_cell(f, part, &p, c, &bad);
    }
  }
  free(p.x);
  if (!bad.found) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE,
                    "block %d of the grid is left-handed or folded: cell (%lld, %lld, %lld) has volume %g: exchange "
                    "two of its axes, or correct its nodes",
                    part->zone + 1, (long long)bad.c[0] + 1, (long long)bad.c[1] + 1, (long long)bad.c[2] + 1,
                    bad.volume);
}

int triad_multiblock_metrics(triad_multiblock_flow *f)
{
  for (int i = 0; i < f->n_parts; i++) TRIAD_TRY(part_metrics(f, f->part[i]));
  return TRIAD_OK;
}
