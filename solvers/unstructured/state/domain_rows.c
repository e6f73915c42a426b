/* Write the sides of cells to lists in slices of 32 rows, so that one instruction or warp reads those of 32 cells. */
#include "solvers/unstructured/state/domain_rows.h"
#include "solvers/unstructured/state/domain_internal.h"

#include <string.h>

enum { MOST_SIDES = 2 * TRIAD_MESH_COLOURS };

/* Sides of all own cells at listed faces, in the order of faces, which is that of colours where loops go by them. */
typedef struct listing {
  int64_t *first;
  int32_t *side;
} listing;

/* A cell's sides. */
typedef struct sides {
  int n;
  int32_t side[MOST_SIDES];
  int64_t near[MOST_SIDES];
} sides;

static int list_sides(const triad_unstructured_domain *d, listing *l)
{
  triad_memory *memory = d->context->memory;
  TRIAD_TRY(TRIAD_ALLOC(memory, "the domain of a rank", d->n_cells + 1, &l->first));
  for (int64_t f = 0; f < d->n_faces; f++)
    for (int s = 0; s < 2; s++)
      if (d->cell[f][s] >= 0 && d->cell[f][s] < d->n_cells) l->first[d->cell[f][s] + 1]++;
  for (int64_t c = 0; c < d->n_cells; c++) l->first[c + 1] += l->first[c];
  TRIAD_TRY(TRIAD_ALLOC(memory, "the domain of a rank", l->first[d->n_cells], &l->side));
  for (int64_t f = 0; f < d->n_faces; f++)
    for (int s = 0; s < 2; s++) {
      int32_t c = d->cell[f][s];
      if (c >= 0 && c < d->n_cells) l->side[l->first[c]++] = (int32_t)(2 * f + s);
    }
  for (int64_t c = d->n_cells; c > 0; c--) l->first[c] = l->first[c - 1];
  l->first[0] = 0;
  return TRIAD_OK;
}

/* NULL: of none. */
static const triad_mesh_zone *zone_of(const triad_unstructured_domain *d, int64_t c)
{
  return c < d->n_zoned ? &d->zone[triad_unstructured_domain_zone(d, c)] : NULL;
}

static void add_side(sides *out, int64_t side, int64_t near)
{
  if (out->n == MOST_SIDES) return;
  out->side[out->n] = (int32_t)side;
  out->near[out->n++] = near;
}

/* List the sides of a cell. In a zone: those within it, lower and upper x, y, z; for bricks also those on sides of the
 * zone. Then the listed sides. */
static void sides_of(const triad_unstructured_domain *d, const listing *l, int64_t c, sides *out)
{
  out->n = 0;
  const triad_mesh_zone *zone = zone_of(d, c);
  for (int s = 0; s < TRIAD_MESH_ZONE_SIDES && zone; s++) {
    const int64_t i = c - zone->cell;
    const int at[3] = {(int)(i % zone->n[0]), (int)(i / zone->n[0] % zone->n[1]), (int)(i / zone->n[0] / zone->n[1])};
    const int a = s >> 1, up = s & 1;
    if (up ? at[a] + 1 < zone->n[a] : at[a] > 0) {
      add_side(out, 2 * (c + zone->face[s]) + !up, c + zone->near[s]);
    } else if (c < d->n_bricks) {
      const int64_t i_side = d->box[zone - d->zone].outer[s] - d->on_side + triad_unstructured_box_on_side(zone, a, at),
                    f = d->on_side[i_side];
      add_side(out, 2 * f + triad_unstructured_domain_turned(d, f), d->across[i_side]);
    }
  }
  for (int64_t i = l->first[c]; i < l->first[c + 1] && c >= d->n_bricks; i++) {
    const int64_t f = l->side[i] >> 1;
    add_side(out, l->side[i],
             f < d->n_inner ? d->cell[f][!(l->side[i] & 1)] : triad_unstructured_domain_seen(d) + f - d->n_inner);
  }
}

/* ---- rows ---- */

static int64_t row_cell(const triad_unstructured_rows *rows, int64_t i)
{
  return rows->list ? rows->list[i] : rows->cell + i;
}

/* List the surface cells, those of boxes first. */
static int list_rim(triad_unstructured_domain *d)
{
  int64_t n = 0, shell = 0;
  for (int pass = 0; pass < 2; pass++) {
    n = 0;
    for (int z = 0; z < d->n_zones; z++) {
      if (z == d->n_boxes) shell = n;
      const triad_mesh_zone *zone = &d->zone[z];
      for (int64_t i = 0; i < zone->cells; i++) {
        const int64_t at[3] = {i % zone->n[0], i / zone->n[0] % zone->n[1], i / zone->n[0] / zone->n[1]};
        int inside = 1;
        for (int a = 0; a < 3; a++) inside = inside && at[a] > 0 && at[a] + 1 < zone->n[a];
        if (inside) continue;
        if (pass) d->rim[n] = (int32_t)(zone->cell + i);
        n++;
      }
    }
    if (d->n_boxes == d->n_zones) shell = n;
    if (!pass) TRIAD_TRY(TRIAD_ALLOC(d->context->memory, "domain", n, &d->rim));
  }
  d->rows[TRIAD_UNSTRUCTURED_SHELL] = (triad_unstructured_rows){.n = shell, .list = d->rim};
  d->rows[TRIAD_UNSTRUCTURED_RIM] = (triad_unstructured_rows){.n = n - shell, .list = d->rim + shell};
  return TRIAD_OK;
}

/* Room for each slice's longest row. */
static int size_rows(triad_unstructured_domain *d, const listing *l)
{
  triad_memory *memory = d->context->memory;
  for (int p = 0; p < TRIAD_UNSTRUCTURED_ROWS; p++) {
    d->rows[p].first = d->n_slices * TRIAD_UNSTRUCTURED_SLICE;
    d->n_slices += (d->rows[p].n + TRIAD_UNSTRUCTURED_SLICE - 1) / TRIAD_UNSTRUCTURED_SLICE;
  }
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", d->n_slices + 1, &d->start));
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", d->n_slices * TRIAD_UNSTRUCTURED_SLICE, &d->sides));
  for (int p = 0; p < TRIAD_UNSTRUCTURED_ROWS; p++)
    for (int64_t i = 0; i < d->rows[p].n; i++) {
      const int64_t row = d->rows[p].first + i;
      sides list;
      sides_of(d, l, row_cell(&d->rows[p], i), &list);
      if (list.n == MOST_SIDES)
        return TRIAD_FAIL(TRIAD_ERR_CASE, "a cell of the mesh has %d faces or more", MOST_SIDES);
      d->sides[row] = (uint8_t)list.n;
      if (list.n * TRIAD_UNSTRUCTURED_SLICE > d->start[row / TRIAD_UNSTRUCTURED_SLICE + 1])
        d->start[row / TRIAD_UNSTRUCTURED_SLICE + 1] = list.n * TRIAD_UNSTRUCTURED_SLICE;
    }
  for (int64_t s = 0; s < d->n_slices; s++) d->start[s + 1] += d->start[s];
  d->n_entries = d->start[d->n_slices];
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", d->n_entries, &d->near));
  return TRIAD_ALLOC(memory, "domain", d->n_entries, &d->side);
}

static void fill_row(triad_unstructured_domain *d, const listing *l, int64_t row, int64_t cell)
{
  const int64_t slice = row / TRIAD_UNSTRUCTURED_SLICE, first = d->start[slice] + row % TRIAD_UNSTRUCTURED_SLICE;
  const int most = (int)((d->start[slice + 1] - d->start[slice]) / TRIAD_UNSTRUCTURED_SLICE);
  sides list;
  sides_of(d, l, cell, &list);
  for (int s = 0; s < most; s++) {
    const int64_t at = first + s * TRIAD_UNSTRUCTURED_SLICE;
    d->near[at] = (int32_t)(s < list.n ? list.near[s] : cell);
    d->side[at] = s < list.n ? list.side[s] : (int32_t)(2 * d->n_slots);
  }
}

static int make_lists(triad_unstructured_domain *d, listing *l)
{
  TRIAD_TRY(list_sides(d, l));
  TRIAD_TRY(list_rim(d));
  TRIAD_TRY(size_rows(d, l));
  for (int p = 0; p < TRIAD_UNSTRUCTURED_ROWS; p++) {
    const triad_unstructured_rows rows = d->rows[p];
#pragma omp parallel for schedule(static) num_threads(d->context->threads)
    for (int64_t i = 0; i < rows.n; i++) fill_row(d, l, rows.first + i, row_cell(&rows, i));
  }
  return TRIAD_OK;
}

static int measure_cells(triad_unstructured_domain *d)
{
  triad_memory *memory = d->context->memory;
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", d->n_places, &d->per_volume));
  for (int64_t c = 0; c < d->n_cells + d->n_ghosts; c++)
    d->per_volume[c] = (triad_real)(1 / d->mesh->volume[d->in_mesh[c]]);
  for (int64_t i = 0; i < d->n_seams; i++)
    d->per_volume[triad_unstructured_domain_twins(d) + i] = d->per_volume[d->seam[i].cell];
  d->entries =
    (triad_mesh_entries){.all = d->mesh->all_cells, .here = d->n_cells, .memory = d->n_cells, .global = d->global};
  return TRIAD_OK;
}

int triad_unstructured_make_rows(triad_unstructured_domain *d)
{
  triad_memory *memory = d->context->memory;
  listing l = {NULL, NULL};
  int st = make_lists(d, &l);
  TRIAD_FREE(memory, &l.first);
  TRIAD_FREE(memory, &l.side);
  return st == TRIAD_OK ? measure_cells(d) : st;
}

/* ---- a cell's place ---- */

/* The zone whose core a cell is in. */
static const triad_mesh_zone *core_of(const triad_unstructured_domain *d, int64_t c)
{
  const triad_mesh_zone *zone = zone_of(d, c);
  if (!zone) return NULL;
  const int64_t i = c - zone->cell, at[3] = {i % zone->n[0], i / zone->n[0] % zone->n[1], i / zone->n[0] / zone->n[1]};
  for (int a = 0; a < 3; a++)
    if (at[a] == 0 || at[a] + 1 == zone->n[a]) return NULL;
  return zone;
}

static int64_t row_of(const triad_unstructured_domain *d, int64_t c)
{
  const triad_unstructured_rows *rim = &d->rows[c < d->n_bricks ? TRIAD_UNSTRUCTURED_SHELL : TRIAD_UNSTRUCTURED_RIM],
                                *edge = &d->rows[TRIAD_UNSTRUCTURED_EDGE], *inside = d->rows;
  if (c >= edge->cell && edge->n > 0) return edge->first + c - edge->cell;
  if (c >= d->n_zoned) return inside->first + c - inside->cell;
  int64_t low = 0, high = rim->n;
  while (high - low > 1) {
    const int64_t middle = (low + high) / 2;
    if (rim->list[middle] <= c) low = middle;
    else high = middle;
  }
  return rim->first + low;
}

int64_t triad_unstructured_domain_place(const triad_unstructured_domain *d, int64_t c, const triad_mesh_zone **zone,
                                        int *n)
{
  *zone = core_of(d, c);
  *n = TRIAD_MESH_ZONE_SIDES;
  if (*zone) return c;
  const int64_t row = row_of(d, c);
  *n = d->sides[row];
  return d->start[row / TRIAD_UNSTRUCTURED_SLICE] + row % TRIAD_UNSTRUCTURED_SLICE;
}
