/* Read a group of particles, find the rank of each particle by its plane, and sort particles by planes. */
#include "solvers/spectral/plain/groups.h"
#include "solvers/particles/exchange.h"
#include "solvers/particles/deal.h"

#include <string.h>

void triad_group_read(triad_group *g, const triad_case *c, int number)
{
  double omega[3] = {0, 0, 0};
  triad_group_describe(g, c, number);
  if (g->kind == TRIAD_INERTIAL && triad_case_applies(c, "equations.rotation"))
    triad_case_reals(c, "equations.rotation", omega, 3);
  for (int a = 0; a < 3; a++) {
    g->turn[a] = 2 * omega[a];
    g->turns |= omega[a] != 0;
  }
  g->width = g->least > 0              ? TRIAD_SUPERFLUID_WIDTH
             : g->kind == TRIAD_TRACER ? TRIAD_TRACER_WIDTH
             : g->mass > 0             ? TRIAD_PARTICLE_MAX
                                       : TRIAD_INERTIAL_WIDTH;
}

static int64_t plane_at(const triad_layout *l, double z)
{
  double part;
  return triad_particle_cell(z, (double)l->grid.n[2] / l->grid.length[2], l->grid.n[2], &part);
}

static int64_t plane_of(const triad_layout *l, const double *record)
{
  return plane_at(l, record[TRIAD_PARTICLE_X + 2]);
}

static int64_t cell_of(const triad_layout *l, const double *record, int axis)
{
  double part;
  const int64_t n = l->grid.n[axis];
  return triad_particle_cell(record[TRIAD_PARTICLE_X + axis], (double)n / l->grid.length[axis], n, &part);
}

/* Index of the tile of a particle among those of this rank's planes. */
static int64_t key_of(const triad_layout *l, const double *record)
{
  const int64_t plane = plane_of(l, record) - l->plane_begin[l->rank];
  return (plane * triad_group_tiles(l, 1) + cell_of(l, record, 1) / TRIAD_TILE_Y) * triad_group_tiles(l, 0) +
         cell_of(l, record, 0) / TRIAD_TILE_X;
}

static int64_t all_tiles(const triad_layout *l)
{
  return l->n_planes * triad_group_tiles(l, 1) * triad_group_tiles(l, 0);
}

static int owner_of(const triad_layout *l, int64_t plane)
{
  int low = 0, high = l->size - 1; /* the last rank that begins at or before the plane, and has some */
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (l->plane_begin[middle] <= plane) low = middle;
    else high = middle - 1;
  }
  return low;
}

int triad_group_owner(const triad_layout *l, double z) { return owner_of(l, plane_at(l, z)); }

typedef struct keeping {
  triad_group *g;
  const triad_context *context;
  const triad_layout *l;
} keeping;

static int owner(void *self, const double *row)
{
  const keeping *k = self;
  return owner_of(k->l, plane_of(k->l, row));
}

/* Where a rank gets more than its share, room grows by halves. */
static int append(void *self, int64_t n, const double *rows)
{
  const keeping *k = self;
  triad_group *g = k->g;
  const int64_t most = INT32_MAX / 10 * 9, half = g->room + g->room / 2, larger = half < most ? half : most,
                all = g->n + n;
  if (all > g->room) TRIAD_TRY(triad_group_fit(g, k->context, all > larger ? all : larger));
  if (n > 0) memcpy(triad_group_record(g, g->n), rows, (size_t)(n * g->width) * sizeof *rows);
  g->n = all;
  return TRIAD_OK;
}

int triad_group_take(triad_group *g, const triad_context *context, const triad_layout *l, triad_group_source *source,
                     void *self)
{
  const triad_comm *comm = &context->comm;
  keeping k = {g, context, l};
  const triad_group_keeper keeper = {&k, owner, append};
  g->n = 0;
  int st = g->begin ? TRIAD_OK : TRIAD_ALLOC(context->memory, "particles", all_tiles(l) + 1, &g->begin);
  if (st == TRIAD_OK)
    st = triad_group_fit(
      g, context, triad_deal(g->count, comm->rank + 1, comm->size) - triad_deal(g->count, comm->rank, comm->size));
  st = triad_agree(comm, st);
  if (st == TRIAD_OK) st = triad_group_deal(g, comm, source, self, &keeper);
  if (st != TRIAD_OK || comm->size == 1) return st;
  return triad_agree(comm, triad_row_buffers_fit(&g->buffers, g->n / 10 + 64, g->width));
}

/* Those that have left: their records out, the last ones into their places. */
static int send_away(triad_group *g, const triad_context *context, const triad_layout *l)
{
  const int64_t begin = l->plane_begin[l->rank], end = begin + l->n_planes;
  int64_t leaving = 0, n_arrived = 0;
  double *arrived = NULL;
  triad_row_buffers *b = &g->buffers;
  for (int64_t i = 0; i < g->n; i++) {
    int64_t z = plane_of(l, triad_group_record(g, i));
    leaving += z < begin || z >= end;
  }
  TRIAD_TRY(triad_agree(&context->comm, triad_row_buffers_fit(b, leaving, g->width)));
  leaving = 0;
  for (int64_t i = 0; i < g->n;) {
    double *r = triad_group_record(g, i);
    int64_t z = plane_of(l, r);
    if (z >= begin && z < end) {
      i++;
      continue;
    }
    b->to[leaving] = owner_of(l, z);
    memcpy(b->away + leaving++ * g->width, r, (size_t)g->width * sizeof *r);
    if (--g->n > i) memcpy(r, triad_group_record(g, g->n), (size_t)g->width * sizeof *r);
  }
  TRIAD_TRY(triad_rows_exchange(&context->comm, b, g->width, leaving, b->away, b->to, &arrived, &n_arrived));
  TRIAD_TRY(triad_agree(&context->comm, triad_group_fit(g, context, g->n + n_arrived)));
  if (n_arrived > 0) memcpy(triad_group_record(g, g->n), arrived, (size_t)(n_arrived * g->width) * sizeof *arrived);
  g->n += n_arrived;
  return TRIAD_OK;
}

/* Put the records in the order of their numbers in order_of, cycle by cycle. */
static void move_records(triad_group *g)
{
  double held[TRIAD_PARTICLE_MAX];
  const size_t size = (size_t)g->width * sizeof *held;
  for (int64_t i = 0; i < g->n; i++) {
    if (g->order_of[i] == i) continue;
    int64_t at = i;
    memcpy(held, triad_group_record(g, i), size);
    while (g->order_of[at] != i) {
      const int64_t from = g->order_of[at];
      memcpy(triad_group_record(g, at), triad_group_record(g, from), size);
      g->order_of[at] = (int32_t)at;
      at = from;
    }
    memcpy(triad_group_record(g, at), held, size);
    g->order_of[at] = (int32_t)at;
  }
}

int triad_group_sort(triad_group *g, const triad_context *context, const triad_layout *l)
{
  enum { OFTEN = 16 };
  const int64_t tiles = all_tiles(l);
  if (context->comm.size > 1) TRIAD_TRY(send_away(g, context, l));
#pragma omp parallel for schedule(static) num_threads(context->threads)
  for (int64_t i = 0; i < g->n; i++) g->key[i] = (int32_t)key_of(l, triad_group_record(g, i));
  memset(g->begin, 0, (size_t)(tiles + 1) * sizeof *g->begin);
  for (int64_t i = 0; i < g->n; i++) g->begin[g->key[i] + 1]++;
  for (int64_t r = 0; r < tiles; r++) g->begin[r + 1] += g->begin[r];
  for (int64_t i = 0; i < g->n; i++) g->order_of[g->begin[g->key[i]]++] = (int32_t)i;
  for (int64_t r = tiles; r > 0; r--) g->begin[r] = g->begin[r - 1];
  g->begin[0] = 0;
  if (g->sorts++ % OFTEN == 0) move_records(g);
  return TRIAD_OK;
}
