/* Find the own cells that other ranks need: those with three points in common with their cells. The rank in whose
 * share of all numbers a point falls knows all ranks that have this point. */
#include "mesh/parts/partition_shared.h"
#include "mesh/parts/partition_internal.h"
#include "mesh/point_set.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST = 3 /* points of a side */ };

/* A point that this rank and another have. */
typedef struct holder {
  int32_t point, rank;
} holder;

typedef struct finding {
  triad_mesh_partition *partition;
  triad_mesh_point_set points; /* of own cells */
  int32_t *list;
  holder *holder;            /* [n_holders] by points */
  int64_t n_holders, *first; /* of each own point, [points + 1] */
  int64_t *count;            /* [6 ranks] */
} finding;

static int share_order(const void *a, const void *b)
{
  const triad_mesh_shared_cell *x = a, *y = b;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  return x->cell < y->cell ? -1 : x->cell > y->cell;
}

/* ---- who has which points ---- */

/* Ranks of each point of this rank's share of numbers, from the lists of all ranks: rank[first[i]] .. */
static int invert(const finding *w, const triad_mesh_delivery *lists, int64_t begin, int64_t n, int64_t **first,
                  int32_t **rank)
{
  triad_memory *memory = w->partition->context->memory;
  const int32_t *number = lists->received;
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", n + 2, first));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", lists->n, rank));
  for (int64_t i = 0; i < lists->n; i++) (*first)[number[i] - begin + 2]++;
  for (int64_t p = 0; p < n; p++) (*first)[p + 2] += (*first)[p + 1];
  for (int64_t i = 0, r = 0, left = lists->got[0]; i < lists->n; i++, left--) {
    while (left == 0) left = lists->got[++r];
    (*rank)[(*first)[number[i] - begin + 1]++] = (int32_t)r;
  }
  return TRIAD_OK;
}

/* Points of this rank's share of numbers that no cell has, for files. */
static int list_loose(const finding *w, const int64_t *first, int64_t begin, int64_t n)
{
  triad_mesh_partition *k = w->partition;
  for (int pass = 0; pass < 2; pass++) {
    k->n_loose = 0;
    for (int64_t p = 0; p < n; p++) {
      if (first[p + 1] > first[p]) continue;
      if (pass) k->loose[k->n_loose] = (int32_t)(begin + p);
      k->n_loose++;
    }
    if (!pass) TRIAD_TRY(TRIAD_ALLOC(k->context->memory, "mesh", k->n_loose, &k->loose));
  }
  return TRIAD_ALLOC(k->context->memory, "mesh", k->n_loose, &k->loose_x);
}

/* To each rank, of each of its points that others have too, who they are. */
static int answer(const finding *w, const triad_mesh_delivery *lists, const int64_t *first, const int32_t *rank,
                  int64_t begin, holder **out, int64_t *count)
{
  const int32_t *number = lists->received;
  for (int pass = 0; pass < 2; pass++) {
    int64_t n = 0;
    for (int64_t i = 0, r = 0, left = lists->got[0]; i < lists->n; i++, left--) {
      while (left == 0) left = lists->got[++r];
      const int64_t p = number[i] - begin;
      for (int64_t k = first[p]; k < first[p + 1]; k++) {
        if (rank[k] == r) continue;
        if (pass) (*out)[n] = (holder){number[i], rank[k]};
        else count[r]++;
        n++;
      }
    }
    if (!pass) TRIAD_TRY(TRIAD_ALLOC(w->partition->context->memory, "the mesh partition", n, out));
  }
  return TRIAD_OK;
}

static int find_holders(finding *w)
{
  const triad_comm *comm = &w->partition->context->comm;
  triad_memory *memory = w->partition->context->memory;
  const int64_t all = w->partition->slices.n_points, begin = triad_mesh_share_begin(all, comm->rank, comm->size),
                n = triad_mesh_share_begin(all, comm->rank + 1, comm->size) - begin;
  triad_mesh_delivery lists = {
    .items = w->list, .bytes = sizeof *w->list, .count = w->count, .got = w->count + comm->size};
  triad_mesh_delivery answers = {
    .bytes = sizeof(holder), .count = w->count + 2 * (int64_t)comm->size, .got = w->count + 3 * (int64_t)comm->size};
  int64_t *first = NULL;
  int32_t *rank = NULL;
  holder *out = NULL;
  for (int64_t i = 0; i < w->points.n; i++) w->count[triad_mesh_share_owner(all, w->list[i], comm->size)]++;
  TRIAD_TRY(triad_mesh_exchange_items(w->partition->context, &lists, TRIAD_OK));
  int st = invert(w, &lists, begin, n, &first, &rank);
  if (st == TRIAD_OK) st = answer(w, &lists, first, rank, begin, &out, w->count + 2 * (int64_t)comm->size);
  if (st == TRIAD_OK) st = list_loose(w, first, begin, n);
  TRIAD_FREE(memory, &first);
  TRIAD_FREE(memory, &rank);
  triad_memory_free(memory, &lists.received);
  answers.items = out;
  st = triad_mesh_exchange_items(w->partition->context, &answers, st);
  TRIAD_FREE(memory, &out);
  w->holder = answers.received;
  w->n_holders = answers.n;
  return st;
}

/* ---- which cells ---- */

/* Where each own point's holders begin. */
static int index_holders(finding *w)
{
  TRIAD_TRY(TRIAD_ALLOC(w->partition->context->memory, "the mesh partition", w->points.n + 1, &w->first));
  for (int64_t i = 0; i < w->n_holders; i++) w->first[triad_mesh_point_set_place(&w->points, w->holder[i].point) + 1]++;
  for (int64_t p = 0; p < w->points.n; p++) w->first[p + 1] += w->first[p];
  return TRIAD_OK;
}

/* Ranks that have three points or more of a cell, into out; common[ranks] is 0 before and after. */
static int ranks_of(const finding *w, int64_t c, int64_t *common, int32_t *met, int32_t *out)
{
  const triad_mesh *m = w->partition->own;
  int n_met = 0, n = 0;
  for (int64_t i = m->first[c]; i < m->first[c + 1]; i++) {
    const int32_t p = triad_mesh_point_set_place(&w->points, m->corner[i]);
    for (int64_t k = w->first[p]; k < w->first[p + 1]; k++)
      if (common[w->holder[k].rank]++ == 0) met[n_met++] = w->holder[k].rank;
  }
  for (int i = 0; i < n_met; i++) {
    if (common[met[i]] >= LEAST) out[n++] = met[i];
    common[met[i]] = 0;
  }
  return n;
}

static int list_shared(finding *w, int32_t *room)
{
  triad_mesh_partition *k = w->partition;
  const int size = k->context->comm.size;
  int64_t *common = w->count + 4 * (int64_t)size;
  for (int pass = 0; pass < 2; pass++) {
    k->n_shared = 0;
    for (int64_t c = 0; c < k->own->n_cells; c++) {
      const int n = ranks_of(w, c, common, room, room + size);
      for (int i = 0; i < n && pass; i++)
        k->shared[k->n_shared + i] = (triad_mesh_shared_cell){room[size + i], (int32_t)c};
      k->n_shared += n;
    }
    if (!pass) TRIAD_TRY(TRIAD_ALLOC(k->context->memory, "the mesh partition", k->n_shared, &k->shared));
  }
  qsort(k->shared, (size_t)k->n_shared, sizeof *k->shared, share_order);
  return TRIAD_OK;
}

static int allocate_lists(finding *w, int32_t **room)
{
  triad_memory *memory = w->partition->context->memory;
  const triad_mesh *m = w->partition->own;
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", 6 * (int64_t)w->partition->context->comm.size, &w->count));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", 2 * (int64_t)w->partition->context->comm.size, room));
  TRIAD_TRY(triad_mesh_point_set_create(&w->points, memory, w->partition->slices.n_points));
  for (int64_t i = 0; i < m->first[m->n_cells]; i++) triad_mesh_point_set_add(&w->points, m->corner[i]);
  triad_mesh_point_set_count(&w->points);
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", w->points.n, &w->list));
  triad_mesh_point_set_list(&w->points, w->list);
  return TRIAD_OK;
}

int triad_mesh_partition_find_shared(triad_mesh_partition *k)
{
  triad_memory *memory = k->context->memory;
  finding w = {.partition = k};
  int32_t *room = NULL;
  int st = triad_agree(&k->context->comm, allocate_lists(&w, &room));
  if (st == TRIAD_OK) st = find_holders(&w);
  if (st == TRIAD_OK) {
    st = index_holders(&w);
    if (st == TRIAD_OK) st = list_shared(&w, room);
    st = triad_agree(&k->context->comm, st);
  }
  triad_mesh_point_set_free(&w.points, memory);
  TRIAD_FREE(memory, &w.list);
  TRIAD_FREE(memory, &w.holder);
  TRIAD_FREE(memory, &w.first);
  TRIAD_FREE(memory, &w.count);
  TRIAD_FREE(memory, &room);
  return st;
}

int triad_mesh_partition_share(triad_mesh_partition *k, const triad_mesh_shared_cell *more, int64_t n)
{
  triad_mesh_shared_cell *list = NULL;
  int64_t kept = 0;
  TRIAD_TRY(TRIAD_ALLOC(k->context->memory, "the mesh partition", k->n_shared + n, &list));
  if (k->n_shared > 0) memcpy(list, k->shared, (size_t)k->n_shared * sizeof *list);
  if (n > 0) memcpy(list + k->n_shared, more, (size_t)n * sizeof *list);
  n += k->n_shared;
  qsort(list, (size_t)n, sizeof *list, share_order);
  for (int64_t i = 0; i < n; i++)
    if (i == 0 || share_order(&list[i], &list[kept - 1]) != 0) list[kept++] = list[i];
  TRIAD_FREE(k->context->memory, &k->shared);
  k->shared = list;
  k->n_shared = kept;
  return TRIAD_OK;
}
