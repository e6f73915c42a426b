/* The graph of cells that share a side, one vertex per cell, for graph partitioners: each rank has the rows of its
 * slice. */
#include "mesh/parts/partition_graph.h"
#include "mesh/parts/partition_internal.h"
#include "mesh/parts/partition_sides.h"

#include <stdlib.h>

typedef struct linking {
  const triad_mesh_partition *partition;
  triad_mesh_delivery pairs;  /* the own cell first              */
  triad_mesh_cell_pair *pair; /* [n_pairs]                       */
  int64_t n_pairs, *count;    /* [3 ranks]                       */
  int64_t *first;             /* [ranks + 1] cells of the slices */
} linking;

/* Slices of a mesh that is made here are of rows of cubes, and may be empty. */
static int slice_of(const linking *w, int32_t cell)
{
  int low = 0, high = w->partition->context->comm.size;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (w->first[middle] <= cell) low = middle;
    else high = middle;
  }
  return low;
}

/* To the ranks of both cells' slices, the own one first. */
static int send_pairs(linking *w)
{
  const triad_context *context = w->partition->context;
  const int size = context->comm.size;
  int64_t *count = w->count, *begin = w->count + 2 * (int64_t)size;
  triad_mesh_cell_pair *going = NULL;
  int st = TRIAD_ALLOC(context->memory, "the mesh partition", 2 * w->n_pairs, &going);
  w->pairs = (triad_mesh_delivery){.items = going, .bytes = sizeof *going, .count = count, .got = w->count + size};
  for (int64_t i = 0; i < w->n_pairs; i++)
    for (int k = 0; k < 2; k++) count[slice_of(w, w->pair[i].cell[k])]++;
  begin[0] = 0;
  for (int r = 1; r < size; r++) begin[r] = begin[r - 1] + count[r - 1];
  for (int64_t i = 0; i < w->n_pairs && st == TRIAD_OK; i++)
    for (int k = 0; k < 2; k++)
      going[begin[slice_of(w, w->pair[i].cell[k])]++] =
        (triad_mesh_cell_pair){{w->pair[i].cell[k], w->pair[i].cell[1 - k]}};
  TRIAD_FREE(context->memory, &w->pair);
  st = triad_mesh_exchange_items(context, &w->pairs, st);
  TRIAD_FREE(context->memory, &going);
  return st;
}

static int number_order(const void *a, const void *b)
{
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return x < y ? -1 : x > y;
}

/* Neighbours of each cell in order, none twice. */
static void tidy(triad_graph *g)
{
  int64_t kept = 0, from = 0;
  for (int64_t v = 0; v < g->n; v++) {
    int32_t *list = g->next + from;
    const int64_t n = g->begin[v + 1] - from;
    from = g->begin[v + 1];
    if (n > 0) qsort(list, (size_t)n, sizeof *list, number_order);
    const int64_t first = kept;
    for (int64_t i = 0; i < n; i++)
      if (kept == first || g->next[kept - 1] != list[i]) g->next[kept++] = list[i];
    g->begin[v + 1] = kept;
  }
}

static int fill_rows(const linking *w, triad_graph *g)
{
  const triad_mesh *m = w->partition->slices.cells;
  triad_memory *memory = w->partition->context->memory;
  const triad_mesh_cell_pair *got = w->pairs.received;
  *g = (triad_graph){.n_all = w->partition->slices.n_cells, .first = w->partition->slices.first, .n = m->n_cells};
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", g->n + 2, &g->begin));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", w->pairs.n, &g->next));
  TRIAD_TRY(TRIAD_ALLOC(memory, "the mesh partition", g->n, &g->weight));
  for (int64_t i = 0; i < w->pairs.n; i++) g->begin[got[i].cell[0] - g->first + 2]++;
  for (int64_t v = 0; v < g->n; v++) g->begin[v + 2] += g->begin[v + 1];
  for (int64_t i = 0; i < w->pairs.n; i++) g->next[g->begin[got[i].cell[0] - g->first + 1]++] = got[i].cell[1];
  for (int64_t v = 0; v < g->n; v++) g->weight[v] = triad_mesh_sides(m, v);
  tidy(g);
  return TRIAD_OK;
}

static int make_rows(linking *w, triad_graph *g)
{
  const triad_context *context = w->partition->context;
  const int64_t size = context->comm.size;
  int st = TRIAD_ALLOC(context->memory, "the mesh partition", 3 * size, &w->count);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(context->memory, "the mesh partition", size + 1, &w->first);
  TRIAD_TRY(triad_agree(&context->comm, st));
  w->first[size] = w->partition->slices.n_cells;
  TRIAD_TRY(
    TRIAD_MPI(MPI_Allgather(&w->partition->slices.first, 1, MPI_INT64_T, w->first, 1, MPI_INT64_T, context->comm.mpi)));
  TRIAD_TRY(triad_mesh_partition_pairs(w->partition, &w->pair, &w->n_pairs));
  TRIAD_TRY(send_pairs(w));
  return triad_agree(&context->comm, fill_rows(w, g));
}

int triad_mesh_partition_graph(const triad_mesh_partition *k, triad_graph *g)
{
  triad_memory *memory = k->context->memory;
  linking w = {.partition = k};
  *g = (triad_graph){0};
  const int st = make_rows(&w, g);
  triad_memory_free(memory, &w.pairs.received);
  TRIAD_FREE(memory, &w.pair);
  TRIAD_FREE(memory, &w.count);
  TRIAD_FREE(memory, &w.first);
  return st;
}
