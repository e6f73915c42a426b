/* Whose each cell is: cells stand along Hilbert's curve, and ranks part it where equally many sides lie between. */
#include "solvers/unstructured/partition_own.h"
#include "solvers/unstructured/order.h"
#include "solvers/unstructured/point_set.h"

#include <math.h>
#include <string.h>

typedef struct dealing {
  triad_fct_partition *partition;
  triad_fct_mesh *m;        /* the slice */
  triad_fct_place *place;   /* its cells along the curve */
  int64_t *before;          /* [n_cells + 1] sides of those before each */
  int64_t *wanted;          /* [ranks] sides of all cells that come before a rank's first one, at least */
  uint64_t *key[2], *middle; /* [ranks] of a bisection */
  int64_t *sum;             /* [ranks] */
} dealing;

/* ---- centres of the slice's cells ---- */

/* The slice with points of its own, for as long as centres are found. */
static int place_points(const triad_fct_partition *k, triad_fct_mesh *m, const triad_fct_point_set *points, int32_t **list)
{
  triad_memory *memory = k->context->memory;
  int st = TRIAD_ALLOC(memory, "mesh being cut", points->n, list);
  if (st == TRIAD_OK) {
    TRIAD_FREE(memory, &m->x);
    st = TRIAD_ALLOC(memory, "mesh being cut", points->n, &m->x);
  }
  if (st == TRIAD_OK) st = TRIAD_ALLOC(memory, "mesh being cut", m->n_cells, &m->centre);
  TRIAD_TRY(triad_agree(&k->context->comm, st));
  triad_fct_point_set_list(points, *list);
  return triad_fct_slices_points(&k->slices, *list, points->n, m->x);
}

static int find_centres(const triad_fct_partition *k, triad_fct_mesh *m)
{
  triad_memory *memory = k->context->memory;
  triad_fct_point_set points;
  int32_t *list = NULL;
  int st = triad_agree(&k->context->comm, triad_fct_point_set_create(&points, memory, k->slices.n_points));
  if (st == TRIAD_OK) {
    const int64_t n = m->first[m->n_cells], n_loop = triad_fct_mesh_loop_points(m);
    for (int64_t i = 0; i < n; i++) triad_fct_point_set_add(&points, m->corner[i]);
    triad_fct_point_set_count(&points);
    st = place_points(k, m, &points, &list);
    for (int64_t i = 0; i < n && st == TRIAD_OK; i++) m->corner[i] = triad_fct_point_set_place(&points, m->corner[i]);
    for (int64_t i = 0; i < n_loop && st == TRIAD_OK; i++) m->loop[i] = triad_fct_point_set_place(&points, m->loop[i]);
    for (int64_t c = 0; c < m->n_cells && st == TRIAD_OK; c++) triad_fct_mesh_middle(m, c, m->centre[c]);
    for (int64_t i = 0; i < n && st == TRIAD_OK; i++) m->corner[i] = list[m->corner[i]];
    for (int64_t i = 0; i < n_loop && st == TRIAD_OK; i++) m->loop[i] = list[m->loop[i]];
  }
  TRIAD_FREE(memory, &m->x);
  TRIAD_FREE(memory, &list);
  triad_fct_point_set_free(&points, memory);
  return st;
}

/* ---- where the curve is parted ---- */

/* The box of all centres, as a cube. */
static int find_box(const triad_comm *comm, triad_fct_mesh *m)
{
  double most[6] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY};
  for (int64_t c = 0; c < m->n_cells; c++)
    for (int a = 0; a < 3; a++) {
      most[a] = fmax(most[a], m->centre[c][a]);
      most[3 + a] = fmax(most[3 + a], -m->centre[c][a]);
    }
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, most, 6, MPI_DOUBLE, MPI_MAX, comm->mpi)));
  m->box[3] = 0;
  for (int a = 0; a < 3; a++) {
    m->box[a] = -most[3 + a];
    m->box[3] = fmax(m->box[3], most[a] - m->box[a]);
  }
  if (!(m->box[3] > 0)) m->box[3] = 1;
  return TRIAD_OK;
}

/* Sides of this slice's cells that come before a place of the curve; of one key those of lower numbers. */
static int64_t sides_before(const dealing *w, uint64_t key, uint64_t number)
{
  int64_t low = 0, high = w->m->n_cells;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    const triad_fct_place *p = &w->place[middle];
    if (p->key < key || (p->key == key && (uint64_t)(w->partition->slices.first + p->cell) < number))
      low = middle + 1;
    else
      high = middle;
  }
  return w->before[low];
}

/* For all ranks at once the lowest value up to 2^bits before which the sides of all cells are as many as are wanted: of keys, or, with
 * keys given, of numbers within a key. */
static int bisect(dealing *w, int bits, const uint64_t *keys, uint64_t *out)
{
  const triad_comm *comm = &w->partition->context->comm;
  for (int r = 0; r < comm->size; r++) out[r] = UINT64_C(1) << bits;
  for (int b = bits - 1; b >= 0; b--) {
    for (int r = 0; r < comm->size; r++) {
      w->middle[r] = out[r] - (UINT64_C(1) << b);
      w->sum[r] = keys ? sides_before(w, keys[r], w->middle[r]) : sides_before(w, w->middle[r], 0);
    }
    TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, w->sum, comm->size, MPI_INT64_T, MPI_SUM, comm->mpi)));
    for (int r = 0; r < comm->size; r++)
      if (w->sum[r] >= w->wanted[r]) out[r] = w->middle[r];
  }
  return TRIAD_OK;
}

/* Rank r gets cells before which lie r/ranks of all sides or more, as triad_fct_deal has it. */
static int part_curve(dealing *w, int32_t *rank_of)
{
  const triad_comm *comm = &w->partition->context->comm;
  const int size = comm->size;
  int64_t all = w->before[w->m->n_cells];
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT64_T, MPI_SUM, comm->mpi)));
  for (int r = 0; r < size; r++) w->wanted[r] = (all * r + size - 1) / size;
  TRIAD_TRY(bisect(w, TRIAD_FCT_KEY_BITS, NULL, w->key[0]));
  for (int r = 0; r < size; r++) w->key[0][r] -= w->key[0][r] > 0; /* with all cells of this key there are enough */
  TRIAD_TRY(bisect(w, 32, w->key[0], w->key[1]));
  int rank = 0;
  for (int64_t i = 0; i < w->m->n_cells; i++) {
    const triad_fct_place *p = &w->place[i];
    const uint64_t number = (uint64_t)(w->partition->slices.first + p->cell);
    while (rank + 1 < size && (p->key > w->key[0][rank + 1] || (p->key == w->key[0][rank + 1] && number >= w->key[1][rank + 1]))) rank++;
    rank_of[p->cell] = rank;
  }
  return TRIAD_OK;
}

static int take(dealing *w)
{
  triad_memory *memory = w->partition->context->memory;
  const int size = w->partition->context->comm.size;
  TRIAD_TRY(TRIAD_ALLOC(memory, "mesh being cut", w->m->n_cells, &w->place));
  TRIAD_TRY(TRIAD_ALLOC(memory, "mesh being cut", w->m->n_cells + 1, &w->before));
  TRIAD_TRY(TRIAD_ALLOC(memory, "mesh being cut", size, &w->wanted));
  TRIAD_TRY(TRIAD_ALLOC(memory, "mesh being cut", size, &w->key[0]));
  TRIAD_TRY(TRIAD_ALLOC(memory, "mesh being cut", size, &w->key[1]));
  TRIAD_TRY(TRIAD_ALLOC(memory, "mesh being cut", size, &w->middle));
  return TRIAD_ALLOC(memory, "mesh being cut", size, &w->sum);
}

static int deal(dealing *w, int32_t *rank_of)
{
  const triad_comm *comm = &w->partition->context->comm;
  TRIAD_TRY(find_centres(w->partition, w->m));
  TRIAD_TRY(find_box(comm, w->m));
  TRIAD_TRY(triad_agree(comm, take(w)));
  triad_fct_sort_along(w->m, NULL, w->m->n_cells, w->place);
  for (int64_t i = 0; i < w->m->n_cells; i++) w->before[i + 1] = w->before[i] + triad_fct_mesh_sides(w->m, w->place[i].cell);
  return part_curve(w, rank_of);
}

int triad_fct_partition_deal(triad_fct_partition *k, int32_t *rank_of)
{
  triad_memory *memory = k->context->memory;
  dealing w = {.partition = k, .m = k->slices.cells};
  int st = deal(&w, rank_of);
  TRIAD_FREE(memory, &w.place);
  TRIAD_FREE(memory, &w.before);
  TRIAD_FREE(memory, &w.wanted);
  TRIAD_FREE(memory, &w.key[0]);
  TRIAD_FREE(memory, &w.key[1]);
  TRIAD_FREE(memory, &w.middle);
  TRIAD_FREE(memory, &w.sum);
  TRIAD_FREE(memory, &w.m->centre);
  return st;
}
