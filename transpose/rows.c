/* Exchange rows and lines of planes within a group of ranks, by one message for each pair of members. */
#include "transpose/rows.h"
#include "parallel/wait.h"

#include <stdlib.h>

#ifdef TRIAD_SINGLE
#define MPI_CPLX MPI_C_FLOAT_COMPLEX
#else
#define MPI_CPLX MPI_C_DOUBLE_COMPLEX
#endif

enum { SLOTS = 2, IN = 0, OUT = 1, CACHED = 512 << 10 };

/* A direction: a member's shares are rows x lines, of which the one side is the sender's and the other the
 * receiver's. */
typedef struct way {
  int most, n;            /* fields; at most, now             */
  triad_cplx *sent, *got; /* [SLOTS][the shares of a chunk]   */
  MPI_Request *requests;  /* [SLOTS][2 group]                 */
} way;

struct triad_rows {
  const triad_context *context;
  const triad_comm *group;
  const triad_layout *layout;
  const triad_split *split;
  int64_t chunk_planes, rows, lines; /* rows and lines of this member */
  way way[2];
};

/* Numbers of a plane of a field that a member has, as lines and as rows. */
static int64_t as_lines(const triad_layout *l) { return l->grid.n[1] * triad_split_lines(l->split, l->member); }
static int64_t as_rows(const triad_layout *l) { return l->n_y * (l->grid.kmax[0] + 1); }

int64_t triad_rows_buffer_size(const triad_layout *l, int64_t chunk_planes, int n_in, int n_out)
{
  return SLOTS * chunk_planes * (as_lines(l) + as_rows(l)) * (n_in + n_out);
}

int64_t triad_rows_at_once(const triad_layout *l, int threads, int64_t chunk_planes, int n_in, int n_out)
{
  /* group planes: a plane's worth of lines for each member */
  const int64_t group = l->group, n = n_in > n_out ? n_in : n_out;
  const int64_t bytes = (n_in + n_out) * l->grid.n[1] * (l->grid.kmax[0] + 1) * (int64_t)sizeof(triad_cplx) + 1;
  int64_t planes = group * (CACHED / bytes > 1 ? CACHED / bytes : 1);
  if (planes * n < group * threads) planes = group * ((threads + n - 1) / n);
  return planes < chunk_planes ? planes : chunk_planes;
}

static int take_way(triad_rows *x, way *w, int direction, int most)
{
  triad_memory *m = x->context->memory;
  const int64_t lines = SLOTS * x->chunk_planes * as_lines(x->layout),
                rows = SLOTS * x->chunk_planes * as_rows(x->layout);
  w->most = w->n = most;
  TRIAD_TRY(TRIAD_ALLOC(m, "exchange buffers", most * (direction == IN ? lines : rows), &w->sent));
  TRIAD_TRY(TRIAD_ALLOC(m, "exchange buffers", most * (direction == IN ? rows : lines), &w->got));
  TRIAD_TRY(TRIAD_ALLOC(m, "exchange requests", SLOTS * 2 * x->split->group, &w->requests));
  for (int i = 0; i < SLOTS * 2 * x->split->group; i++) w->requests[i] = MPI_REQUEST_NULL;
  return TRIAD_OK;
}

int triad_rows_create(triad_rows **out, const triad_context *context, const triad_comm *group,
                      const triad_layout *layout, int64_t chunk_planes, int n_in, int n_out)
{
  triad_rows *x = *out = calloc(1, sizeof *x);
  if (x) x->context = context; /* so that it can be destroyed */
  TRIAD_TRY(triad_agree(group, x ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the exchange of rows")));
  x->group = group;
  x->layout = layout;
  x->split = layout->split;
  x->chunk_planes = chunk_planes;
  x->rows = layout->n_y;
  x->lines = triad_split_lines(x->split, layout->member);
  int st = take_way(x, &x->way[IN], IN, n_in);
  if (st == TRIAD_OK) st = take_way(x, &x->way[OUT], OUT, n_out);
  st = triad_agree(group, st);
  if (st != TRIAD_OK) triad_rows_destroy(out);
  return st;
}

void triad_rows_destroy(triad_rows **rows)
{
  if (!rows || !*rows) return;
  triad_memory *m = (*rows)->context->memory;
  for (int d = 0; d < 2; d++) {
    TRIAD_FREE(m, &(*rows)->way[d].sent);
    TRIAD_FREE(m, &(*rows)->way[d].got);
    TRIAD_FREE(m, &(*rows)->way[d].requests);
  }
  free(*rows);
  *rows = NULL;
}

void triad_rows_fields(triad_rows *x, int n_in, int n_out)
{
  x->way[IN].n = n_in;
  x->way[OUT].n = n_out;
}

/* Where the share begins that lies here as lines and goes to, or comes from, the rows of member q; and the share that
 * lies here as rows, of the lines of q. Shares are in the order of members. */
static int64_t lines_for(const triad_rows *x, int64_t chunk, int n, int q)
{
  return chunk % SLOTS * x->chunk_planes * n * as_lines(x->layout) +
         x->chunk_planes * n * x->lines * x->split->y_begin[q];
}

static int64_t rows_for(const triad_rows *x, int64_t chunk, int n, int q)
{
  return chunk % SLOTS * x->chunk_planes * n * as_rows(x->layout) +
         x->chunk_planes * n * x->rows * x->split->line_begin[q];
}

static int64_t lines_at(const triad_rows *x, int64_t chunk, int64_t at, int f, int n, int q)
{
  return lines_for(x, chunk, n, q) + (at * n + f) * triad_split_rows(x->split, q) * x->lines;
}

static int64_t rows_at(const triad_rows *x, int64_t chunk, int64_t at, int f, int n, int q)
{
  return rows_for(x, chunk, n, q) + (at * n + f) * x->rows * triad_split_lines(x->split, q);
}

/* The part that a member keeps has one layout, rows of mine by lines of mine, and is stored where it would be sent
 * from. */
triad_cplx *triad_rows_lines_in(const triad_rows *x, int64_t chunk, int64_t at, int f, int q)
{
  return x->way[IN].sent + lines_at(x, chunk, at, f, x->way[IN].n, q);
}

const triad_cplx *triad_rows_rows_in(const triad_rows *x, int64_t chunk, int64_t at, int f, int q)
{
  if (q == x->layout->member) return triad_rows_lines_in(x, chunk, at, f, q);
  return x->way[IN].got + rows_at(x, chunk, at, f, x->way[IN].n, q);
}

triad_cplx *triad_rows_rows_out(const triad_rows *x, int64_t chunk, int64_t at, int f, int q)
{
  return x->way[OUT].sent + rows_at(x, chunk, at, f, x->way[OUT].n, q);
}

const triad_cplx *triad_rows_lines_out(const triad_rows *x, int64_t chunk, int64_t at, int f, int q)
{
  if (q == x->layout->member) return triad_rows_rows_out(x, chunk, at, f, q);
  return x->way[OUT].got + lines_at(x, chunk, at, f, x->way[OUT].n, q);
}

static void must(const triad_rows *x, int status) { triad_must(&x->context->comm, status); }

/* Members in the order m + 1, m + 2, ..: no member is everybody's first. */
static int peer(const triad_rows *x, int step) { return (x->layout->member + step) % x->split->group; }

static void start(triad_rows *x, int64_t chunk, int64_t planes, int direction)
{
  way *w = &x->way[direction];
  MPI_Request *requests = w->requests + chunk % SLOTS * 2 * x->split->group;
  for (int step = 1; step < x->split->group; step++) {
    int q = peer(x, x->split->group - step), count = 0;
    const int64_t lines = x->lines * triad_split_rows(x->split, q), rows = x->rows * triad_split_lines(x->split, q);
    must(x, triad_narrow(planes * w->n * (direction == IN ? rows : lines), &count));
    triad_cplx *to = w->got + (direction == IN ? rows_for(x, chunk, w->n, q) : lines_for(x, chunk, w->n, q));
    if (count > 0) must(x, TRIAD_MPI(MPI_Irecv(to, count, MPI_CPLX, q, direction, x->group->mpi, &requests[2 * q])));
  }
  for (int step = 1; step < x->split->group; step++) {
    int q = peer(x, step), count = 0;
    const int64_t lines = x->lines * triad_split_rows(x->split, q), rows = x->rows * triad_split_lines(x->split, q);
    must(x, triad_narrow(planes * w->n * (direction == IN ? lines : rows), &count));
    const triad_cplx *from = w->sent + (direction == IN ? lines_for(x, chunk, w->n, q) : rows_for(x, chunk, w->n, q));
    if (count > 0)
      must(x, TRIAD_MPI(MPI_Isend(from, count, MPI_CPLX, q, direction, x->group->mpi, &requests[2 * q + 1])));
  }
}

static void wait_for(triad_rows *x, int64_t chunk, int direction)
{
  const int n = 2 * x->split->group;
  must(x, TRIAD_MPI(triad_wait_all(n, x->way[direction].requests + chunk % SLOTS * n)));
}

void triad_rows_start_in(triad_rows *x, int64_t chunk, int64_t planes) { start(x, chunk, planes, IN); }
void triad_rows_wait_in(triad_rows *x, int64_t chunk) { wait_for(x, chunk, IN); }
void triad_rows_start_out(triad_rows *x, int64_t chunk, int64_t planes) { start(x, chunk, planes, OUT); }
void triad_rows_wait_out(triad_rows *x, int64_t chunk) { wait_for(x, chunk, OUT); }

int64_t triad_rows_bytes(const triad_layout *l, int n_in, int n_out)
{
  const int64_t mine = l->n_y * triad_split_lines(l->split, l->member);
  return l->n_planes * ((as_lines(l) - mine) * n_in + (as_rows(l) - mine) * n_out) * (int64_t)sizeof(triad_cplx);
}
