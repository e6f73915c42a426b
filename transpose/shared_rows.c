/* Exchange rows and lines of planes within a group of ranks on one node through shared memory. */
#include "transpose/shared_rows.h"
#include "parallel/wait.h"

#include <stdlib.h>

enum { SLOTS = 3, LINE = 64 };

struct triad_shared_rows {
  const triad_context *context;
  const triad_comm *group;
  const triad_split *split;
  int member, most[2];
  int64_t stride, chunk_planes;
  MPI_Win window;
  triad_cplx **rows;     /* [group] where the memory of a member begins */
  MPI_Request *requests; /* [2][SLOTS][2 group]                         */
};

static int64_t slot_size(const triad_shared_rows *x, int way, int q)
{
  return x->chunk_planes * x->most[way] * triad_split_rows(x->split, q) * x->stride;
}

/* Are all ranks of the group on one node? */
static int on_a_node(const triad_comm *group, int *yes)
{
  MPI_Comm node = MPI_COMM_NULL;
  int size = 0, mine;
  TRIAD_TRY(TRIAD_MPI(MPI_Comm_split_type(group->mpi, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node)));
  int st = TRIAD_MPI(MPI_Comm_size(node, &size));
  (void)MPI_Comm_free(&node);
  TRIAD_TRY(st);
  mine = size == group->size;
  return TRIAD_MPI(MPI_Allreduce(&mine, yes, 1, MPI_INT, MPI_MIN, group->mpi));
}

static triad_cplx *aligned(void *p) { return (triad_cplx *)(((uintptr_t)p + LINE - 1) / LINE * LINE); }

/* *shared: all ranks have their memory. */
static int allocate_rows(triad_shared_rows *x, int *shared)
{
  MPI_Info apart = MPI_INFO_NULL;
  void *mine = NULL;
  const int64_t numbers = SLOTS * (slot_size(x, TRIAD_ROWS_IN, x->member) + slot_size(x, TRIAD_ROWS_OUT, x->member));
  TRIAD_TRY(TRIAD_MPI(MPI_Info_create(&apart)));
  (void)MPI_Info_set(apart, "alloc_shared_noncontig", "true"); /* each member's in its own part of the node's memory */
  int good = MPI_Win_allocate_shared((MPI_Aint)(numbers * (int64_t)sizeof(triad_cplx) + LINE), 1, apart, x->group->mpi,
                                     &mine, &x->window) == MPI_SUCCESS;
  (void)MPI_Info_free(&apart);
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&good, shared, 1, MPI_INT, MPI_MIN, x->group->mpi)));
  if (!*shared) return TRIAD_OK;
  TRIAD_TRY(TRIAD_MPI(MPI_Win_lock_all(MPI_MODE_NOCHECK, x->window)));
  for (int q = 0; q < x->split->group; q++) {
    MPI_Aint bytes;
    int unit;
    void *begin;
    TRIAD_TRY(TRIAD_MPI(MPI_Win_shared_query(x->window, q, &bytes, &unit, &begin)));
    x->rows[q] = aligned(begin);
  }
  return TRIAD_OK;
}

int triad_shared_rows_create(triad_shared_rows **out, const triad_context *context, const triad_comm *group,
                             const triad_layout *layout, int64_t stride, int64_t chunk_planes, int n_in, int n_out)
{
  int shared = 0;
  const int requests = 2 * SLOTS * 2 * layout->group;
  *out = NULL;
  TRIAD_TRY(triad_agree(group, on_a_node(group, &shared)));
  if (!shared) return TRIAD_OK;
  triad_shared_rows *x = *out = calloc(1, sizeof *x);
  if (x) {
    *x = (triad_shared_rows){.context = context,
                             .group = group,
                             .split = layout->split,
                             .member = layout->member,
                             .most = {n_in, n_out},
                             .stride = stride,
                             .chunk_planes = chunk_planes,
                             .window = MPI_WIN_NULL};
    x->rows = calloc((size_t)layout->group, sizeof *x->rows);
    x->requests = calloc((size_t)requests, sizeof *x->requests);
    for (int i = 0; x->requests && i < requests; i++) x->requests[i] = MPI_REQUEST_NULL;
  }
  int st = x && x->rows && x->requests ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "rows of planes");
  st = triad_agree(group, st);
  if (st == TRIAD_OK) st = triad_agree(group, allocate_rows(x, &shared));
  if (st != TRIAD_OK || !shared) triad_shared_rows_destroy(out);
  return st;
}

void triad_shared_rows_destroy(triad_shared_rows **rows)
{
  if (!rows || !*rows) return;
  triad_shared_rows *x = *rows;
  if (x->window != MPI_WIN_NULL) {
    if (x->rows && x->rows[0]) (void)MPI_Win_unlock_all(x->window);
    (void)MPI_Win_free(&x->window);
  }
  free(x->rows);
  free(x->requests);
  free(x);
  *rows = NULL;
}

static triad_cplx *address_of(const triad_shared_rows *x, int way, int64_t chunk, int64_t at, int f, int q)
{
  const int64_t before = way == TRIAD_ROWS_OUT ? SLOTS * slot_size(x, TRIAD_ROWS_IN, q) : 0;
  return x->rows[q] + before + chunk % SLOTS * slot_size(x, way, q) +
         (at * x->most[way] + f) * triad_split_rows(x->split, q) * x->stride;
}

triad_cplx *triad_shared_rows_in(const triad_shared_rows *x, int64_t chunk, int64_t at, int f, int q)
{
  return address_of(x, TRIAD_ROWS_IN, chunk, at, f, q);
}

triad_cplx *triad_shared_rows_out(const triad_shared_rows *x, int64_t chunk, int64_t at, int f, int q)
{
  return address_of(x, TRIAD_ROWS_OUT, chunk, at, f, q);
}

static void must(const triad_shared_rows *x, int status) { triad_must(&x->context->comm, status); }

static MPI_Request *requests_of(const triad_shared_rows *x, int64_t chunk, int way)
{
  return x->requests + (way * SLOTS + chunk % SLOTS) * 2 * x->split->group;
}

void triad_shared_rows_done(triad_shared_rows *x, int64_t chunk, int way)
{
  MPI_Request *r = requests_of(x, chunk, way);
  must(x, TRIAD_MPI(MPI_Win_sync(x->window)));
  for (int step = 1; step < x->split->group; step++) {
    const int to = (x->member + step) % x->split->group, from = (x->member - step + x->split->group) % x->split->group;
    must(x, TRIAD_MPI(MPI_Irecv(NULL, 0, MPI_BYTE, from, way, x->group->mpi, &r[2 * from])));
    must(x, TRIAD_MPI(MPI_Isend(NULL, 0, MPI_BYTE, to, way, x->group->mpi, &r[2 * to + 1])));
  }
}

void triad_shared_rows_wait(triad_shared_rows *x, int64_t chunk, int way)
{
  must(x, TRIAD_MPI(triad_wait_all(2 * x->split->group, requests_of(x, chunk, way))));
  must(x, TRIAD_MPI(MPI_Win_sync(x->window)));
}
