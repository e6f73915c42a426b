/* Assign cells to ranks along Hilbert's curve, so that each rank gets the same number of sides. */
#include "mesh/parts/partition_curve.h"
#include "mesh/parts/partition_internal.h"
#include "mesh/order.h"

typedef struct dealing {
  triad_mesh_partition *partition;
  triad_mesh *m;                 /* the slice */
  triad_mesh_curve_place *place; /* its cells along the curve */
  int64_t *before;               /* [n_cells + 1] sides of those before each */
  int64_t *wanted;               /* [ranks] sides of all cells that come before a rank's first one, at least */
  uint64_t *key[2], *middle;     /* [ranks] of a bisection */
  int64_t *sum;                  /* [ranks] */
} dealing;

/* Sides of this slice's cells that come before a place of the curve; of one key those of lower numbers. */
static int64_t sides_before(const dealing *w, uint64_t key, uint64_t number)
{
  int64_t low = 0, high = w->m->n_cells;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    const triad_mesh_curve_place *p = &w->place[middle];
    if (p->key < key || (p->key == key && (uint64_t)(w->partition->slices.first + p->cell) < number)) low = middle + 1;
    else high = middle;
  }
  return w->before[low];
}

/* For all ranks at once, find the lowest value up to 2^bits below which the cells have the required number of sides.
 * Values are keys or, if keys are given, global numbers among cells of equal key. */
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

/* Rank r gets cells before which lie r/ranks of all sides or more. */
static int part_curve(dealing *w, int32_t *rank_of)
{
  const triad_comm *comm = &w->partition->context->comm;
  const int size = comm->size;
  int64_t all = w->before[w->m->n_cells];
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT64_T, MPI_SUM, comm->mpi)));
  for (int r = 0; r < size; r++) w->wanted[r] = (all * r + size - 1) / size;
  TRIAD_TRY(bisect(w, TRIAD_MESH_KEY_BITS, NULL, w->key[0]));
  for (int r = 0; r < size; r++) w->key[0][r] -= w->key[0][r] > 0; /* with all cells of this key there are enough */
  TRIAD_TRY(bisect(w, 32, w->key[0], w->key[1]));
  int rank = 0;
  for (int64_t i = 0; i < w->m->n_cells; i++) {
    const triad_mesh_curve_place *p = &w->place[i];
    const uint64_t number = (uint64_t)(w->partition->slices.first + p->cell);
    while (rank + 1 < size &&
           (p->key > w->key[0][rank + 1] || (p->key == w->key[0][rank + 1] && number >= w->key[1][rank + 1])))
      rank++;
    rank_of[p->cell] = rank;
  }
  return TRIAD_OK;
}

static int allocate_keys(dealing *w)
{
  triad_memory *memory = w->partition->context->memory;
  const int size = w->partition->context->comm.size;
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", w->m->n_cells, &w->place));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", w->m->n_cells + 1, &w->before));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", size, &w->wanted));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", size, &w->key[0]));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", size, &w->key[1]));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", size, &w->middle));
  return TRIAD_ALLOC(memory, "the mesh partition", size, &w->sum);
}

static int deal(dealing *w, int32_t *rank_of)
{
  TRIAD_TRY(triad_agree(&w->partition->context->comm, allocate_keys(w)));
  triad_mesh_sort_along_curve(w->m, NULL, w->m->n_cells, w->place);
  for (int64_t i = 0; i < w->m->n_cells; i++)
    w->before[i + 1] = w->before[i] + triad_mesh_sides(w->m, w->place[i].cell);
  return part_curve(w, rank_of);
}

int triad_mesh_partition_assign_along_curve(triad_mesh_partition *k, int32_t *rank_of)
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
  return st;
}
