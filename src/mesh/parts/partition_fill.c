/* Build a rank's part: its own cells and the neighbours that it shares, in the order of their global numbers, with
 * their points; then faces and patches. */
#include "mesh/parts/partition_fill.h"
#include "mesh/parts/partition_internal.h"
#include "mesh/parts/partition_cells.h"
#include "mesh/parts/slice_patches.h"
#include "mesh/join.h"
#include "mesh/point_set.h"

#include <stdlib.h>
#include <string.h>

/* ---- cells that other ranks own ---- */

static int pack_shared(triad_mesh_partition *k, int32_t **items, int64_t *count)
{
  int64_t n = 0;
  memset(k->sent, 0, (size_t)k->context->comm.size * sizeof *k->sent);
  for (int64_t i = 0; i < k->n_shared; i++) {
    k->sent[k->shared[i].rank]++;
    count[k->shared[i].rank] += triad_mesh_packed_size(k->own, k->shared[i].cell);
    n += triad_mesh_packed_size(k->own, k->shared[i].cell);
  }
  TRIAD_TRY(TRIAD_ALLOC(k->context->memory, "the mesh partition", n, items));
  n = 0;
  for (int64_t i = 0; i < k->n_shared; i++)
    n += triad_mesh_pack_cell(k->own, k->shared[i].cell, k->own->number[k->shared[i].cell], *items + n);
  return TRIAD_OK;
}

static int pass_shared(triad_mesh_partition *k, int64_t *count)
{
  triad_memory *memory = k->context->memory;
  int32_t *items = NULL;
  memset(count, 0, 2 * (size_t)k->context->comm.size * sizeof *count);
  triad_mesh_delivery d = {.bytes = sizeof *items, .count = count, .got = count + k->context->comm.size};
  triad_mesh_destroy(&k->others);
  int st = pack_shared(k, &items, count);
  d.items = items;
  st = triad_mesh_exchange_items(k->context, &d, st);
  TRIAD_FREE(memory, &items);
  if (st == TRIAD_OK) st = triad_agree(&k->context->comm, triad_mesh_unpack_cells(&k->others, k->context, &d, k->got));
  triad_memory_free(memory, &d.received);
  return st;
}

/* ---- the part ---- */

typedef struct other {
  int32_t number, place, rank;
} other;

static int other_order(const void *a, const void *b)
{
  const int32_t x = ((const other *)a)->number, y = ((const other *)b)->number;
  return x < y ? -1 : x > y;
}

static void list_others(const triad_mesh_partition *k, other *list)
{
  int64_t n = 0;
  for (int r = 0; r < k->context->comm.size; r++)
    for (int64_t i = 0; i < k->got[r]; i++, n++) list[n] = (other){k->others->number[n], (int32_t)n, r};
  qsort(list, (size_t)n, sizeof *list, other_order);
}

/* Append the sides of a polyhedron after those of earlier cells. */
static void add_sides(triad_mesh *m, int64_t at, const triad_mesh *from, int64_t c, const triad_mesh_point_set *points)
{
  int64_t side = m->first_side[at];
  for (int64_t s = from->first_side ? from->first_side[c] : 0; from->first_side && s < from->first_side[c + 1]; s++) {
    const int64_t n = from->first_loop[s + 1] - from->first_loop[s], loop = m->first_loop[side];
    for (int64_t i = 0; i < n; i++)
      m->loop[loop + i] = triad_mesh_point_set_place(points, from->loop[from->first_loop[s] + i]);
    m->first_loop[++side] = loop + n;
  }
  m->first_side[at + 1] = side;
}

static void add_cell(triad_mesh *m, int64_t at, const triad_mesh *from, int64_t c, int owner,
                     const triad_mesh_point_set *points)
{
  if (m->first_side) add_sides(m, at, from, c, points);
  const int64_t n = from->first[c + 1] - from->first[c];
  m->number[at] = from->number[c];
  m->owner[at] = owner;
  m->shape[at] = from->shape[c];
  m->first[at + 1] = m->first[at] + n;
  for (int64_t i = 0; i < n; i++)
    m->corner[m->first[at] + i] = triad_mesh_point_set_place(points, from->corner[from->first[c] + i]);
}

/* Own cells and others by their numbers. */
static void merge_cells(triad_mesh_partition *k, const other *list, const triad_mesh_point_set *points)
{
  triad_mesh *m = k->mesh;
  int64_t own = 0, others = 0;
  for (int64_t at = 0; at < m->n_cells; at++) {
    const int is_own =
      others == k->others->n_cells || (own < k->own->n_cells && k->own->number[own] < list[others].number);
    if (is_own) {
      add_cell(m, at, k->own, own, k->context->comm.rank, points);
      k->own_at[own++] = (int32_t)at;
    } else {
      add_cell(m, at, k->others, list[others].place, list[others].rank, points);
      k->others_at[list[others++].place] = (int32_t)at;
    }
  }
}

static void add_points(const triad_mesh *m, triad_mesh_point_set *points)
{
  for (int64_t i = 0; i < m->first[m->n_cells]; i++) triad_mesh_point_set_add(points, m->corner[i]);
}

static int64_t sides_of(const triad_mesh *m) { return m->first_side ? m->first_side[m->n_cells] : 0; }

static int take_part(triad_mesh_partition *k, triad_mesh_point_set *points)
{
  triad_memory *memory = k->context->memory;
  const int64_t cells = k->own->n_cells + k->others->n_cells;
  TRIAD_TRY(triad_mesh_point_set_create(points, memory, k->slices.n_points));
  add_points(k->own, points);
  add_points(k->others, points);
  triad_mesh_point_set_count(points);
  triad_mesh_destroy(&k->mesh);
  TRIAD_TRY(triad_mesh_create(&k->mesh, memory, points->n, cells,
                              k->own->first[k->own->n_cells] + k->others->first[k->others->n_cells]));
  const int64_t sides = sides_of(k->own) + sides_of(k->others);
  if (sides > 0)
    TRIAD_TRY(
      triad_mesh_alloc_sides(k->mesh, sides, triad_mesh_loop_points(k->own) + triad_mesh_loop_points(k->others)));
  TRIAD_TRY(TRIAD_ALLOC(memory, "mesh", cells, &k->mesh->number));
  TRIAD_TRY(TRIAD_ALLOC(memory, "mesh", cells, &k->mesh->owner));
  TRIAD_TRY(TRIAD_ALLOC(memory, "mesh", points->n, &k->mesh->point_number));
  TRIAD_FREE(memory, &k->own_at);
  TRIAD_FREE(memory, &k->others_at);
  TRIAD_TRY(TRIAD_ALLOC(memory, "mesh", k->own->n_cells, &k->own_at));
  return TRIAD_ALLOC(memory, "mesh", k->others->n_cells, &k->others_at);
}

static int fill_part(triad_mesh_partition *k, triad_mesh_point_set *points)
{
  other *list = NULL;
  int st = take_part(k, points);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(k->context->memory, "the mesh partition", k->others->n_cells, &list);
  if (st == TRIAD_OK) {
    list_others(k, list);
    merge_cells(k, list, points);
    triad_mesh_point_set_list(points, k->mesh->point_number);
    k->mesh->all_cells = k->slices.n_cells;
    k->mesh->all_points = k->slices.n_points;
    k->mesh->changes = k->slices.changes;
  }
  TRIAD_FREE(k->context->memory, &list);
  return triad_agree(&k->context->comm, st);
}

int triad_mesh_partition_fill(triad_mesh_partition *k, int64_t *count, triad_faults *faults)
{
  triad_mesh_point_set points = {0};
  TRIAD_TRY(pass_shared(k, count));
  int st = fill_part(k, &points);
  triad_mesh_point_set_free(&points, k->context->memory);
  if (st == TRIAD_OK) st = triad_mesh_slices_points(&k->slices, k->mesh->point_number, k->mesh->n_points, k->mesh->x);
  if (st == TRIAD_OK) st = triad_agree(&k->context->comm, triad_mesh_join_with_faults(k->mesh, faults));
  return st == TRIAD_OK ? triad_mesh_slices_patches(&k->slices, k->mesh, faults) : st;
}
