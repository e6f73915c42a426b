#include "solvers/spectral/particles/gather.h"
#include "solvers/spectral/particles/gather_sum.h"

#include <stdlib.h>
#include <string.h>

enum { FIELDS = TRIAD_GATHER_FIELDS, TAG = 1907, MOST = TRIAD_SPLINE_MOST };

struct triad_gather {
  triad_flow *flow;
  const triad_layout *l;
  int64_t row, plane; /* reals of a row with those that are repeated behind it, of a plane of all fields */
  int64_t slots;      /* planes that are there at a time */
  int edge;           /* planes that are kept at either end: the largest order less 1 */
  triad_real *ring, *head, *tail, *beyond; /* [slots], [edge], [edge], [edge] planes */
  triad_gather_planes planes;
  double *factor[3];  /* 1/transform along an axis, by the wavenumber's size */
  int factor_order;
  MPI_Request *requests;
  /* of the run at hand */
  const triad_gather_want *want;
  int order, n_groups, offset;
  triad_group *groups;
  double *const *out;
  int64_t done; /* planes whose particles have been summed */
};

/* Planes that a pass works at before their particles are summed: they stay in cache. */
static int64_t together(int threads) { return threads > 4 ? 2 * threads : 8; }

/* Eight points may be read from any on. */
static int64_t row_reals(const triad_layout *l) { return (l->grid.n[0] + 8 + 7) / 8 * 8; }

int64_t triad_gather_reals(const triad_layout *l, int threads, int order)
{
  return FIELDS * l->grid.n[1] * row_reals(l) * (together(threads) + 4 * (order - 1));
}

int triad_gather_create(triad_gather **out, triad_flow *flow, int order)
{
  triad_memory *m = flow->context->memory;
  const triad_layout *l = flow->layout;
  int st = TRIAD_ALLOC(m, "particles", 1, out);
  triad_gather *g = *out;
  if (st == TRIAD_OK) {
    g->flow = flow;
    g->l = l;
    g->row = row_reals(l);
    g->planes.row = g->row;
    for (int a = 0; a < 3; a++) g->planes.n[a] = l->grid.n[a];
    for (int a = 0; a < 3; a++) g->planes.per_spacing[a] = (double)l->grid.n[a] / l->grid.length[a];
    g->plane = FIELDS * l->grid.n[1] * g->row;
    g->edge = order - 1;
    g->slots = together(flow->context->threads) + order - 1;
    st = TRIAD_ALLOC(m, "particles", g->slots * g->plane, &g->ring);
  }
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m, "particles", g->edge * g->plane, &g->head);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m, "particles", g->edge * g->plane, &g->tail);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m, "particles", g->edge * g->plane, &g->beyond);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m, "particles", (int64_t)(l->size + 1) * 2 * g->edge, &g->requests);
  for (int a = 0; a < 3 && st == TRIAD_OK; a++)
    st = TRIAD_ALLOC(m, "particles", l->grid.n[a] / 2 + 1, &g->factor[a]);
  return triad_agree(&flow->context->comm, st);
}

void triad_gather_destroy(triad_gather **gather, triad_memory *m)
{
  triad_gather *g = *gather;
  if (!g) return;
  for (int a = 0; a < 3; a++) TRIAD_FREE(m, &g->factor[a]);
  TRIAD_FREE(m, &g->requests);
  TRIAD_FREE(m, &g->beyond);
  TRIAD_FREE(m, &g->tail);
  TRIAD_FREE(m, &g->head);
  TRIAD_FREE(m, &g->ring);
  TRIAD_FREE(m, gather);
}

/* Linear interpolation is left as it is, for comparison. */
static void set_factors(triad_gather *g)
{
  const triad_grid *grid = &g->l->grid;
  if (g->factor_order == g->order) return;
  for (int a = 0; a < 3; a++)
    for (int64_t k = 0; k <= grid->n[a] / 2; k++)
      g->factor[a][k] = g->order == 2 ? 1 : 1 / triad_spline_transfer(g->order, 2 * TRIAD_PI * (double)k / (double)grid->n[a]);
  g->factor_order = g->order;
}

/* ---- modes ---- */

static void add_row(const triad_gather_term *t, const triad_layout *l, int64_t block, int64_t j, const double *across,
                    double along_z, triad_cplx *to)
{
  const triad_cplx *u = t->from + (block * l->nkz + j) * TRIAD_LANES;
  for (int i = 0; i < TRIAD_LANES; i++) {
    const int64_t c = block * TRIAD_LANES + i;
    const double k = t->along == 0 ? l->wx[c] : t->along == 1 ? l->wy[c] : l->wz[j], f = t->sign * across[i] * along_z;
    if (t->along < 0) {
      to[i].re += (triad_real)(f * (double)u[i].re);
      to[i].im += (triad_real)(f * (double)u[i].im);
    } else {
      to[i].re -= (triad_real)(f * k * (double)u[i].im);
      to[i].im += (triad_real)(f * k * (double)u[i].re);
    }
  }
}

/* A field as it is, divided. */
static void put_row(const triad_cplx *from, const triad_real *across, triad_real along_z, triad_cplx *to)
{
#pragma omp simd
  for (int i = 0; i < TRIAD_LANES; i++) to[i] = (triad_cplx){across[i] * along_z * from[i].re, across[i] * along_z * from[i].im};
}

static void source(void *self, const triad_batch *block, triad_cplx *const *in)
{
  const triad_gather *g = self;
  const triad_layout *l = g->l;
  double across[TRIAD_LANES];
  triad_real rounded[TRIAD_LANES];
  for (int i = 0; i < TRIAD_LANES; i++) {
    const int64_t c = block->block * TRIAD_LANES + i;
    across[i] = g->factor[0][l->kx[c]] * g->factor[1][l->ky[c] < 0 ? -l->ky[c] : l->ky[c]];
    rounded[i] = (triad_real)across[i];
  }
  for (int64_t j = 0; j < l->nkz; j++) {
    const double along_z = g->factor[2][l->kz[j] < 0 ? -l->kz[j] : l->kz[j]];
    for (int f = 0; f < g->want->n; f++) {
      triad_cplx *row = triad_batch_row(block, in[f], j);
      const triad_gather_term *only = &g->want->field[f].term[0];
      if (g->want->field[f].n == 1 && only->along < 0) {
        put_row(only->from + (block->block * l->nkz + j) * TRIAD_LANES, rounded, (triad_real)along_z, row);
        continue;
      }
      memset(row, 0, TRIAD_LANES * sizeof *row);
      for (int t = 0; t < g->want->field[f].n; t++)
        add_row(&g->want->field[f].term[t], l, block->block, j, across, along_z, row);
    }
  }
}

/* ---- planes ---- */

static int64_t lower(const triad_gather *g) { return g->order / 2 - 1; } /* planes below a particle's own that it needs */

static triad_real *row_of(const triad_gather *g, triad_real *plane, int f, int64_t y)
{
  return plane + (f * g->l->grid.n[1] + y) * g->row;
}

/* Column c of a row is the point c - lower: all that a particle needs lies in one piece. The ends of a row whose points stand. */
static void repeat_ends(const triad_gather *g, triad_real *row)
{
  const int64_t n = g->l->grid.n[0], below = lower(g);
  for (int64_t c = 0; c < below; c++) row[c] = row[below + ((c - below) % n + n) % n];
  for (int64_t c = n + below; c < n + g->order - 1; c++) row[c] = row[below + (c - below) % n];
}

static void points(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  const triad_gather *g = self;
  const int64_t n = g->l->grid.n[0], z = at->z - g->l->plane_begin[g->l->rank], below = lower(g);
  triad_real *plane = g->ring + z % g->slots * g->plane;
  (void)out;
  (void)peaks;
  for (int f = 0; f < g->want->n; f++) {
    triad_real *restrict row = row_of(g, plane, f, at->y), *restrict next = row + g->row;
    const triad_real *restrict from = in[f];
    if (at->n == n) {
      memcpy(row + below, from, (size_t)n * sizeof *row);
      repeat_ends(g, row);
      continue;
    }
    for (int64_t x = 0; x < n; x++) {
      row[below + x] = from[2 * x];
      next[below + x] = from[2 * x + 1];
    }
    repeat_ends(g, row);
    repeat_ends(g, next);
  }
}

/* ---- sums at particles ---- */

static void sum_any(const triad_gather *g, const triad_real *const *plane, const double *x, double *out)
{
  const int n = g->want->n;
  if (g->order == 4 && n == 3) triad_gather_sum(&g->planes, 4, 1, 3, plane, x, out);
  else if (g->order == 6 && n == 3) triad_gather_sum(&g->planes, 6, 2, 3, plane, x, out);
  else triad_gather_sum(&g->planes, g->order, 2, n, plane, x, out);
}

/* Particles of local plane z; at: local plane z - lower + k, k = 0 .. order - 1. */
static void sum_plane(const triad_gather *g, int64_t z, const triad_real *const *at)
{
  for (int i = 0; i < g->n_groups; i++) {
    triad_group *p = &g->groups[i];
    if (p->order != g->order) continue;
    const int64_t rows = g->l->grid.n[1];
    for (int64_t k = p->begin[z * rows]; k < p->begin[(z + 1) * rows]; k++) {
      const int64_t number = p->order_of[k];
      double *record = triad_group_record(p, number);
      sum_any(g, at, record + TRIAD_PARTICLE_X, g->out ? g->out[i] + number * g->want->n : record + g->offset);
    }
  }
}

/* Local planes begin .. end - 1 have been visited: the particles whose planes are all there. */
static void planes(void *self, int64_t begin, int64_t end)
{
  triad_gather *g = self;
  const int64_t n = g->l->n_planes, last = end - g->order / 2;
  const size_t size = (size_t)g->plane * sizeof *g->ring;
  for (int64_t z = begin; z < end; z++) {
    const triad_real *plane = g->ring + z % g->slots * g->plane;
    if (z < g->edge) memcpy(g->head + z * g->plane, plane, size);
    if (z >= n - g->edge) memcpy(g->tail + (z - (n - g->edge)) * g->plane, plane, size);
  }
  if (g->done < lower(g)) g->done = lower(g);
#pragma omp parallel for schedule(dynamic, 1) num_threads(g->flow->context->threads)
  for (int64_t z = g->done; z < last; z++) {
    const triad_real *at[MOST];
    for (int k = 0; k < g->order; k++) at[k] = g->ring + (z - lower(g) + k) % g->slots * g->plane;
    sum_plane(g, z, at);
  }
  if (last > g->done) g->done = last;
}

/* A kept plane of this rank by its local number. */
static triad_real *kept(const triad_gather *g, int64_t z)
{
  return z < g->edge ? g->head + z * g->plane : g->tail + (z - (g->l->n_planes - g->edge)) * g->plane;
}

/* Plane number i, 0 .. order - 2, of those beyond its own that rank r needs: first those below, then those above. */
static int64_t needed(const triad_gather *g, int r, int i)
{
  const triad_layout *l = g->l;
  const int64_t n = l->grid.n[2], below = lower(g);
  int64_t z = i < below ? l->plane_begin[r] - below + i : l->plane_begin[r + 1] + i - below;
  return (z % n + n) % n;
}

/* Planes beyond this rank's own: from their owners. */
static int fetch(const triad_gather *g)
{
  const triad_layout *l = g->l;
  const triad_comm *comm = &g->flow->context->comm;
  const int count = g->want->n > 0 ? (int)(g->plane * g->want->n / FIELDS) : 0;
  const int64_t mine = l->plane_begin[l->rank];
  int n = 0;
  for (int i = 0; i < g->order - 1 && l->n_planes > 0; i++) {
    const int64_t z = needed(g, l->rank, i);
    if (z >= mine && z < mine + l->n_planes) {
      memcpy(g->beyond + i * g->plane, kept(g, z - mine), (size_t)count * sizeof *g->beyond);
      continue;
    }
    int owner = 0;
    while (z >= l->plane_begin[owner + 1]) owner++;
    TRIAD_TRY(TRIAD_MPI(MPI_Irecv(g->beyond + i * g->plane, count, TRIAD_MPI_REAL, owner, TAG + i, comm->mpi, &g->requests[n++])));
  }
  for (int r = 0; r < l->size; r++)
    for (int i = 0; i < g->order - 1 && r != l->rank && l->plane_begin[r] < l->plane_begin[r + 1]; i++) {
      const int64_t z = needed(g, r, i);
      if (z < mine || z >= mine + l->n_planes) continue;
      TRIAD_TRY(TRIAD_MPI(MPI_Isend(kept(g, z - mine), count, TRIAD_MPI_REAL, r, TAG + i, comm->mpi, &g->requests[n++])));
    }
  return TRIAD_MPI(MPI_Waitall(n, g->requests, MPI_STATUSES_IGNORE));
}

/* The particles of the first and the last planes. */
static void sum_edges(const triad_gather *g)
{
  const int64_t n = g->l->n_planes, below = lower(g);
#pragma omp parallel for schedule(dynamic, 1) num_threads(g->flow->context->threads)
  for (int64_t z = 0; z < n; z++) {
    const triad_real *at[MOST];
    if (z >= below && z < n - g->order / 2) continue;
    for (int k = 0; k < g->order; k++) {
      const int64_t local = z - below + k;
      at[k] = local < 0    ? g->beyond + (local + below) * g->plane
              : local >= n ? g->beyond + (below + local - n) * g->plane
                           : kept(g, local);
    }
    sum_plane(g, z, at);
  }
}

int triad_gather_run(triad_gather *g, triad_pass *pass, const triad_gather_want *want, int order, int n, triad_group *groups,
                     int offset, double *const *out)
{
  const triad_work work = {.n_in = want->n, .source = source, .points = points, .any_order = 1, .planes = planes,
                           .together = together(g->flow->context->threads), .self = g};
  g->want = want;
  g->order = order;
  g->n_groups = n;
  g->groups = groups;
  g->offset = offset;
  g->out = out;
  g->done = 0;
  set_factors(g);
  TRIAD_TRY(triad_pass_run(pass, &work));
  triad_must(&g->flow->context->comm, fetch(g)); /* others wait for its planes */
  sum_edges(g);
  return TRIAD_OK;
}
