/* A mesh that was cut comes together on rank 0, for files: shapes of all cells, then their corners, then points; rank after rank, so that
 * little more than the whole is held. */
#include "solvers/unstructured/partition_own.h"

#include <string.h>

/* A point, by its number. */
typedef struct point {
  double x[3];
  int64_t number;
} point;

typedef struct coming {
  const triad_context *context;
  const triad_fct_partition *partition;
  const triad_fct_mesh *part;
  triad_fct_mesh *whole; /* on rank 0 */
  int64_t *count;        /* [2 ranks] */
} coming;

static int is_own(const coming *w, int64_t c) { return w->part->owner[c] == w->context->comm.rank; }

/* What rank r has comes to rank 0. */
static int bring(const coming *w, int r, triad_fct_delivery *d, int64_t n, int status)
{
  d->count = w->count;
  d->got = w->count + w->context->comm.size;
  w->count[0] = w->context->comm.rank == r ? n : 0;
  return triad_fct_deliver(w->context, d, status);
}

static int bring_shapes(const coming *w, int r)
{
  int32_t(*mine)[2] = NULL;
  int64_t n = 0;
  const int turn = w->context->comm.rank == r;
  int st = turn ? TRIAD_ALLOC(w->context->memory, "output", w->part->n_cells, &mine) : TRIAD_OK;
  for (int64_t c = 0; turn && st == TRIAD_OK && c < w->part->n_cells; c++)
    if (is_own(w, c)) {
      mine[n][0] = w->part->number[c];
      mine[n++][1] = w->part->shape[c];
    }
  triad_fct_delivery d = {.items = mine, .bytes = sizeof *mine};
  st = bring(w, r, &d, n, st);
  const int32_t(*got)[2] = d.received;
  for (int64_t i = 0; st == TRIAD_OK && i < d.n; i++) w->whole->shape[got[i][0]] = (uint8_t)got[i][1];
  triad_memory_free(w->context->memory, &d.received);
  TRIAD_FREE(w->context->memory, &mine);
  return st;
}

static int bring_corners(const coming *w, int r)
{
  const triad_fct_mesh *m = w->part;
  int32_t *mine = NULL;
  int64_t n = 0;
  const int turn = w->context->comm.rank == r;
  int st = turn ? TRIAD_ALLOC(w->context->memory, "output", m->first[m->n_cells] + 2 * m->n_cells, &mine) : TRIAD_OK;
  for (int64_t c = 0; turn && st == TRIAD_OK && c < m->n_cells; c++) {
    if (!is_own(w, c)) continue;
    const int64_t begin = n;
    n += triad_fct_pack_cell(m, c, m->number[c], mine + n);
    for (int64_t i = begin + 2; i < n; i++) mine[i] = m->point_number[mine[i]];
  }
  triad_fct_delivery d = {.items = mine, .bytes = sizeof *mine};
  st = bring(w, r, &d, n, st);
  const int32_t *got = d.received;
  for (int64_t at = 0; st == TRIAD_OK && at < d.n;) {
    const int corners = triad_fct_shapes[got[at + 1]].corners;
    memcpy(w->whole->corner + w->whole->first[got[at]], got + at + 2, (size_t)corners * sizeof *got);
    at += 2 + corners;
  }
  triad_memory_free(w->context->memory, &d.received);
  TRIAD_FREE(w->context->memory, &mine);
  return st;
}

static int bring_points(const coming *w, int r)
{
  const triad_fct_mesh *m = w->part;
  point *mine = NULL;
  const int turn = w->context->comm.rank == r;
  const triad_fct_partition *k = w->partition;
  const int64_t n = m->n_points + k->n_loose;
  int st = turn ? TRIAD_ALLOC(w->context->memory, "output", n, &mine) : TRIAD_OK;
  for (int64_t p = 0; turn && st == TRIAD_OK && p < n; p++) {
    const int64_t loose = p - m->n_points;
    memcpy(mine[p].x, loose < 0 ? m->x[p] : k->loose_x[loose], sizeof mine[p].x);
    mine[p].number = loose < 0 ? m->point_number[p] : k->loose[loose];
  }
  triad_fct_delivery d = {.items = mine, .bytes = sizeof *mine};
  st = bring(w, r, &d, n, st);
  const point *got = d.received;
  for (int64_t i = 0; st == TRIAD_OK && i < d.n; i++) memcpy(w->whole->x[got[i].number], got[i].x, sizeof got[i].x);
  triad_memory_free(w->context->memory, &d.received);
  TRIAD_FREE(w->context->memory, &mine);
  return st;
}

static int take(coming *w, triad_fct_mesh **whole, int64_t corners)
{
  TRIAD_TRY(TRIAD_ALLOC(w->context->memory, "output", 2 * (int64_t)w->context->comm.size, &w->count));
  return w->context->comm.rank == 0 ? triad_fct_mesh_create(whole, w->context->memory, w->part->all_points, w->part->all_cells, corners)
                                    : TRIAD_OK;
}

static int gather(coming *w, triad_fct_mesh **whole)
{
  const triad_comm *comm = &w->context->comm;
  int64_t mine = 0, corners;
  for (int64_t c = 0; c < w->part->n_cells; c++) mine += is_own(w, c) ? w->part->first[c + 1] - w->part->first[c] : 0;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&mine, &corners, 1, MPI_INT64_T, MPI_SUM, comm->mpi)));
  TRIAD_TRY(triad_agree(comm, take(w, whole, corners)));
  w->whole = *whole;
  for (int r = 0; r < comm->size; r++) TRIAD_TRY(bring_shapes(w, r));
  for (int64_t c = 0; w->whole && c < w->whole->n_cells; c++)
    w->whole->first[c + 1] = w->whole->first[c] + triad_fct_shapes[w->whole->shape[c]].corners;
  for (int r = 0; r < comm->size; r++) TRIAD_TRY(bring_corners(w, r));
  for (int r = 0; r < comm->size; r++) TRIAD_TRY(bring_points(w, r));
  return TRIAD_OK;
}

int triad_fct_partition_gather(triad_fct_mesh **whole, const triad_fct_partition *k, const triad_fct_mesh *part)
{
  coming w = {.context = k->context, .partition = k, .part = part};
  *whole = NULL;
  int st = gather(&w, whole);
  TRIAD_FREE(k->context->memory, &w.count);
  return st;
}
