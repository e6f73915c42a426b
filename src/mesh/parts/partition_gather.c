/* Gather a partitioned mesh on rank 0, for files: sizes of all cells, then cells, then points, rank by rank, so that
 * memory is little more than that of the whole mesh. */
#include "mesh/parts/partition_gather.h"
#include "mesh/parts/partition_internal.h"
#include "mesh/parts/partition_cells.h"

#include <string.h>

/* A point, by its number. */
typedef struct point {
  double x[3];
  int64_t number;
} point;

typedef struct coming {
  const triad_context *context;
  const triad_mesh_partition *partition;
  const triad_mesh *part;
  triad_mesh *whole; /* on rank 0 */
  int64_t *count;    /* [2 ranks] */
  /* [cells + 1] of a mesh with polyhedra, on rank 0: where sides of each cell begin, and their points */
  int64_t *side, *loop;
} coming;

static int is_own(const coming *w, int64_t c) { return w->part->owner[c] == w->context->comm.rank; }

/* Send n items of rank r to rank 0. */
static int bring(const coming *w, int r, triad_mesh_delivery *d, int64_t n, int status)
{
  d->count = w->count;
  d->got = w->count + w->context->comm.size;
  w->count[0] = w->context->comm.rank == r ? n : 0;
  return triad_mesh_exchange_items(w->context, d, status);
}

/* The number of entries of a cell in the lists of the whole mesh. */
typedef struct cell_size {
  int32_t number, corners, sides, points;
} cell_size;

/* Get the sizes of all cells before their lists are allocated; they are stored where the offsets of
 * the lists will be. */
static int bring_sizes(const coming *w, int r)
{
  const triad_mesh *m = w->part;
  cell_size *mine = NULL;
  int64_t n = 0;
  const int turn = w->context->comm.rank == r;
  int st = turn ? TRIAD_ALLOC(w->context->memory, "output", m->n_cells, &mine) : TRIAD_OK;
  for (int64_t c = 0; turn && st == TRIAD_OK && c < m->n_cells; c++) {
    if (!is_own(w, c)) continue;
    const int64_t first = m->first_side ? m->first_side[c] : 0, end = m->first_side ? m->first_side[c + 1] : 0;
    mine[n++] = (cell_size){m->number[c], (int32_t)(m->first[c + 1] - m->first[c]), (int32_t)(end - first),
                            (int32_t)(end > first ? m->first_loop[end] - m->first_loop[first] : 0)};
  }
  triad_mesh_delivery d = {.items = mine, .bytes = sizeof *mine};
  st = bring(w, r, &d, n, st);
  const cell_size *got = d.received;
  for (int64_t i = 0; st == TRIAD_OK && i < d.n; i++) {
    w->whole->first[got[i].number + 1] = got[i].corners;
    if (!w->side) continue;
    w->side[got[i].number + 1] = got[i].sides;
    w->loop[got[i].number + 1] = got[i].points;
  }
  triad_memory_free(w->context->memory, &d.received);
  TRIAD_FREE(w->context->memory, &mine);
  return st;
}

static int bring_cells(const coming *w, int r)
{
  const triad_mesh *m = w->part;
  int32_t *mine = NULL;
  int64_t n = 0;
  const int turn = w->context->comm.rank == r;
  for (int64_t c = 0; turn && c < m->n_cells; c++) n += is_own(w, c) ? triad_mesh_packed_size(m, c) : 0;
  int st = turn ? TRIAD_ALLOC(w->context->memory, "output", n, &mine) : TRIAD_OK;
  n = 0;
  for (int64_t c = 0; turn && st == TRIAD_OK && c < m->n_cells; c++)
    if (is_own(w, c)) n += triad_mesh_pack_cell(m, c, m->number[c], mine + n);
  if (turn && st == TRIAD_OK) triad_mesh_packed_renumber(mine, n, m->point_number);
  triad_mesh_delivery d = {.items = mine, .bytes = sizeof *mine};
  st = bring(w, r, &d, n, st);
  const int32_t *got = d.received;
  for (int64_t at = 0; st == TRIAD_OK && at < d.n;) {
    triad_mesh_packed p;
    triad_mesh_packed_read(got + at, &p);
    triad_mesh_packed_put(&p, w->whole, p.number, w->whole->first[p.number], w->side ? w->side[p.number] : 0,
                          w->loop ? w->loop[p.number] : 0);
    at += p.size;
  }
  triad_memory_free(w->context->memory, &d.received);
  TRIAD_FREE(w->context->memory, &mine);
  return st;
}

static int bring_points(const coming *w, int r)
{
  const triad_mesh *m = w->part;
  point *mine = NULL;
  const int turn = w->context->comm.rank == r;
  const triad_mesh_partition *k = w->partition;
  const int64_t n = m->n_points + k->n_loose;
  int st = turn ? TRIAD_ALLOC(w->context->memory, "output", n, &mine) : TRIAD_OK;
  for (int64_t p = 0; turn && st == TRIAD_OK && p < n; p++) {
    const int64_t loose = p - m->n_points;
    memcpy(mine[p].x, loose < 0 ? m->x[p] : k->loose_x[loose], sizeof mine[p].x);
    mine[p].number = loose < 0 ? m->point_number[p] : k->loose[loose];
  }
  triad_mesh_delivery d = {.items = mine, .bytes = sizeof *mine};
  st = bring(w, r, &d, n, st);
  const point *got = d.received;
  for (int64_t i = 0; st == TRIAD_OK && i < d.n; i++) memcpy(w->whole->x[got[i].number], got[i].x, sizeof got[i].x);
  triad_memory_free(w->context->memory, &d.received);
  TRIAD_FREE(w->context->memory, &mine);
  return st;
}

static int allocate_whole(coming *w, triad_mesh **whole, const int64_t all[3])
{
  const int root = w->context->comm.rank == 0;
  const int64_t cells = w->part->all_cells;
  TRIAD_TRY(TRIAD_ALLOC(w->context->memory, "output", 2 * (int64_t)w->context->comm.size, &w->count));
  if (!root) return TRIAD_OK;
  TRIAD_TRY(triad_mesh_create(whole, w->context->memory, w->part->all_points, cells, all[0]));
  if (all[1] == 0) return TRIAD_OK;
  TRIAD_TRY(triad_mesh_alloc_sides(*whole, all[1], all[2]));
  TRIAD_TRY(TRIAD_ALLOC(w->context->memory, "output", cells + 1, &w->loop));
  w->side = (*whole)->first_side;
  return TRIAD_OK;
}

static void add_up(int64_t *list, int64_t n)
{
  for (int64_t i = 0; list && i < n; i++) list[i + 1] += list[i];
}

static int gather(coming *w, triad_mesh **whole)
{
  const triad_comm *comm = &w->context->comm;
  const triad_mesh *m = w->part;
  int64_t all[3] = {0}; /* corners, sides, points of sides */
  for (int64_t c = 0; c < m->n_cells; c++) {
    if (!is_own(w, c)) continue;
    all[0] += m->first[c + 1] - m->first[c];
    if (!m->first_side) continue;
    all[1] += m->first_side[c + 1] - m->first_side[c];
    all[2] += m->first_loop[m->first_side[c + 1]] - m->first_loop[m->first_side[c]];
  }
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, all, 3, MPI_INT64_T, MPI_SUM, comm->mpi)));
  TRIAD_TRY(triad_agree(comm, allocate_whole(w, whole, all)));
  w->whole = *whole;
  for (int r = 0; r < comm->size; r++) TRIAD_TRY(bring_sizes(w, r));
  if (w->whole) {
    add_up(w->whole->first, w->whole->n_cells);
    add_up(w->side, w->whole->n_cells);
    add_up(w->loop, w->whole->n_cells);
  }
  for (int r = 0; r < comm->size; r++) TRIAD_TRY(bring_cells(w, r));
  for (int r = 0; r < comm->size; r++) TRIAD_TRY(bring_points(w, r));
  return TRIAD_OK;
}

int triad_mesh_partition_gather(triad_mesh **whole, const triad_mesh_partition *k, const triad_mesh *part)
{
  coming w = {.context = k->context, .partition = k, .part = part};
  *whole = NULL;
  int st = gather(&w, whole);
  TRIAD_FREE(k->context->memory, &w.count);
  TRIAD_FREE(k->context->memory, &w.loop);
  return st;
}
