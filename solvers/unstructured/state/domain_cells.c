/* A rank's cells: those of zones, then the others in the order of a numbering, those that see ghosts last; ghosts. */
#include "solvers/unstructured/state/domain_cells.h"
#include "solvers/unstructured/state/domain_internal.h"
#include "mesh/parts/bisect.h"
#include "mesh/parts/bisect_spots.h"

#include <stdlib.h>
#include <string.h>

/* Own cells in the order of the curve. */
static int sort_own(triad_unstructured_making *k, const int32_t *own)
{
  triad_memory *memory = k->d->context->memory;
  triad_mesh_curve_place *places = NULL;
  TRIAD_TRY(TRIAD_ALLOC(memory, "the domain of a rank", k->n, &places));
  triad_mesh_sort_along_curve(k->m, own, k->n, places);
  for (int64_t i = 0; i < k->n; i++) k->list[i] = places[i].cell;
  TRIAD_FREE(memory, &places);
  return TRIAD_OK;
}

/* Cells of a part have been dealt; of a whole mesh they are now. */
static int list_cells(triad_unstructured_making *k)
{
  triad_memory *memory = k->d->context->memory;
  const int rank = k->d->context->comm.rank, size = k->d->context->comm.size;
  int32_t *rank_of;
  TRIAD_TRY(TRIAD_ALLOC(memory, "domain", k->m->n_cells, &k->d->rank_of));
  rank_of = k->d->rank_of;
  if (k->m->owner) memcpy(rank_of, k->m->owner, (size_t)k->m->n_cells * sizeof *rank_of);
  else TRIAD_TRY(triad_mesh_bisect_whole(k->m, size, rank_of));
  for (int64_t c = 0; c < k->m->n_cells; c++) k->n += rank_of[c] == rank;
  if (k->n == 0)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "rank %d has no cell: the mesh has %lld cells: use fewer ranks", rank,
                      (long long)k->m->all_cells);
  TRIAD_TRY(TRIAD_ALLOC(memory, "the domain of a rank", k->n, &k->list));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the domain of a rank", k->n, &k->room));
  int64_t n = 0;
  for (int64_t c = 0; c < k->m->n_cells; c++)
    if (rank_of[c] == rank) k->room[n++] = (int32_t)c;
  return sort_own(k, k->room);
}

/* Zones first; the faces within them are listed nowhere. */
static int place_zones(triad_unstructured_making *k)
{
  triad_memory *memory = k->d->context->memory;
  TRIAD_TRY(TRIAD_ALLOC(memory, "the domain of a rank", k->m->n_cells, &k->zoned));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the domain of a rank", k->m->n_faces, &k->within));
  if (k->layout.structured)
    TRIAD_TRY(triad_mesh_zones_find(&k->zones, k->m, k->d->rank_of, k->d->context->comm.rank, k->list, k->n));
  if (k->layout.bricks && k->zones.n_zones > 0) {
    TRIAD_TRY(triad_unstructured_find_boxes(k));
    TRIAD_TRY(triad_unstructured_peel_boxes(k));
  }
  const triad_mesh_zones *z = &k->zones;
  for (int64_t i = 0; i < z->n_cells; i++) {
    k->zoned[z->cell[i]] = 1;
    for (int a = 0; a < 3; a++)
      if (z->face[i][a] >= 0) k->within[z->face[i][a]] = 1;
  }
  int64_t n = z->n_cells;
  for (int64_t i = 0; i < k->n; i++)
    if (!k->zoned[k->list[i]]) k->room[n++] = k->list[i];
  if (z->n_cells > 0) memcpy(k->room, z->cell, (size_t)z->n_cells * sizeof *k->room);
  memcpy(k->list, k->room, (size_t)k->n * sizeof *k->list);
  k->d->n_zoned = z->n_cells;
  k->d->n_zones = z->n_zones;
  return triad_mesh_order_cells(k->m, k->layout.numbering, k->list + z->n_cells, k->n - z->n_cells);
}

/* Listed cells that see a ghost come last, else in the order that they have. */
static void put_edge_last(triad_unstructured_making *k)
{
  triad_unstructured_domain *d = k->d;
  int64_t n = d->n_zoned, last = 0;
  for (int64_t i = n; i < k->n; i++) {
    if (k->at_edge[k->list[i]]) k->room[last++] = k->list[i];
    else k->list[n++] = k->list[i];
  }
  d->rows[TRIAD_UNSTRUCTURED_INSIDE] = (triad_unstructured_rows){.cell = d->n_zoned, .n = n - d->n_zoned};
  d->rows[TRIAD_UNSTRUCTURED_EDGE] = (triad_unstructured_rows){.cell = n, .n = last};
  memcpy(k->list + n, k->room, (size_t)last * sizeof *k->list);
  for (int64_t i = 0; i < k->n; i++) k->local[k->list[i]] = (int32_t)i;
}

/* ---- ghosts ---- */

static int ghost_order(const void *a, const void *b)
{
  const triad_unstructured_ghost *x = a, *y = b;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  return x->cell < y->cell ? -1 : x->cell > y->cell;
}

static int64_t unique(triad_unstructured_ghost *list, int64_t n)
{
  int64_t kept = 0;
  qsort(list, (size_t)n, sizeof *list, ghost_order);
  for (int64_t i = 0; i < n; i++)
    if (i == 0 || ghost_order(&list[i], &list[i - 1]) != 0) list[kept++] = list[i];
  return kept;
}

int triad_unstructured_ghosts(const triad_unstructured_domain *d, int own_side, triad_unstructured_ghost **list,
                              int64_t *n)
{
  const triad_mesh *m = d->mesh;
  int rank = d->context->comm.rank;
  *n = 0;
  for (int pass = 0; pass < 2; pass++) {
    int64_t count = 0;
    for (int64_t f = 0; f < m->n_inner; f++) {
      int32_t a = m->cell[f][0], b = m->cell[f][1];
      if ((d->rank_of[a] == rank) == (d->rank_of[b] == rank)) continue;
      int32_t mine = d->rank_of[a] == rank ? a : b, other = d->rank_of[a] == rank ? b : a;
      if (pass) (*list)[count] = (triad_unstructured_ghost){d->rank_of[other], own_side ? mine : other};
      count++;
    }
    if (!pass) TRIAD_TRY(TRIAD_ALLOC(d->context->memory, "the domain of a rank", count, list));
    *n = count;
  }
  *n = unique(*list, *n);
  return TRIAD_OK;
}

int triad_unstructured_place_cells(triad_unstructured_making *k)
{
  triad_unstructured_domain *d = k->d;
  triad_memory *memory = d->context->memory;
  triad_unstructured_ghost *ghosts = NULL;
  TRIAD_TRY(list_cells(k));
  TRIAD_TRY(place_zones(k));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the domain of a rank", k->m->n_cells, &k->local));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the domain of a rank", k->m->n_cells, &k->at_edge));
  for (int64_t c = 0; c < k->m->n_cells; c++) k->local[c] = -1;
  for (int64_t f = 0; f < k->m->n_inner; f++) {
    int32_t a = k->m->cell[f][0], b = k->m->cell[f][1];
    if (d->rank_of[a] != d->rank_of[b]) k->at_edge[a] = k->at_edge[b] = 1;
  }
  put_edge_last(k);
  for (int64_t i = 0; i < k->n; i++) d->n_inside += !k->at_edge[k->list[i]];
  int st = triad_unstructured_ghosts(d, 0, &ghosts, &d->n_ghosts);
  d->n_cells = k->n;
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "domain", k->n + d->n_ghosts, &d->in_mesh);
  if (st == TRIAD_OK && k->m->number) st = TRIAD_ALLOC(memory, "domain", k->n + d->n_ghosts, &d->global);
  if (!k->m->number) d->global = d->in_mesh;
  for (int64_t g = 0; g < d->n_ghosts && st == TRIAD_OK; g++) {
    d->in_mesh[k->n + g] = ghosts[g].cell;
    d->global[k->n + g] = (int32_t)triad_mesh_number(k->m, ghosts[g].cell);
    k->local[ghosts[g].cell] = (int32_t)(k->n + g);
  }
  TRIAD_FREE(memory, &ghosts);
  return st;
}

/* Sort listed cells again: those on the left of the faces of the first colour, those on their right, the others. A
 * cell on both sides of its face (in a periodic mesh one cell thick) counts as left only. */
void triad_unstructured_coalesce(triad_unstructured_making *k)
{
  const int64_t zoned = k->d->n_zoned;
  int64_t n = zoned;
  uint8_t *seen = k->at_edge; /* put back below */
  memset(seen, 0, (size_t)k->m->n_cells);
  for (int side = 0; side < 2; side++)
    for (int64_t i = 0; i < k->n_faces; i++) {
      const triad_unstructured_entry *e = &k->faces[i];
      if (e->group != 0 || e->colour != 0) continue;
      const int32_t c = side ? e->right : e->left;
      if (c < zoned || seen[k->list[c]]) continue;
      seen[k->list[c]] = 1;
      k->room[n++] = k->list[c];
    }
  for (int64_t i = zoned; i < k->n; i++)
    if (!seen[k->list[i]]) k->room[n++] = k->list[i];
  memcpy(k->list + zoned, k->room + zoned, (size_t)(k->n - zoned) * sizeof *k->list);
  memset(seen, 0, (size_t)k->m->n_cells);
  for (int64_t f = 0; f < k->m->n_inner; f++) {
    const int32_t a = k->m->cell[f][0], b = k->m->cell[f][1];
    if (k->d->rank_of[a] != k->d->rank_of[b]) seen[a] = seen[b] = 1;
  }
  put_edge_last(k);
}
