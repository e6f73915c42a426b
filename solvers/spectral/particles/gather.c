/* Interpolate fields at particles plane by plane during a pass. */
#include "solvers/spectral/particles/gather_internal.h"
#include "solvers/spectral/particles/gather_planes.h"
#include "solvers/spectral/particles/gather_sum.h"

#include <stdlib.h>
#include <string.h>

enum { FIELDS = TRIAD_GATHER_FIELDS, MOST = TRIAD_WEIGHTS_MOST };

/* Planes that a pass computes before the sums at their particles: they stay in cache. */
static int64_t together(int threads) { return threads > 4 ? 2 * threads : 8; }

int64_t triad_gather_together(const triad_gather *g) { return together(g->flow->context->threads); }

/* Eight points may be read from any on; an odd number of lines of a cache, so that rows do not all fall on the same
 * few. */
static int64_t row_reals(const triad_layout *l)
{
  const int64_t line = 64 / (int64_t)sizeof(triad_real), lines = (l->grid.n[0] + MOST - 1 + 8 + line - 1) / line;
  return line * (lines | 1);
}

/* Fields and planes too begin on different lines of a cache. */
static int64_t field_reals(const triad_layout *l)
{
  return l->grid.n[1] * row_reals(l) + 13 * (64 / (int64_t)sizeof(triad_real));
}
static int64_t plane_reals(const triad_layout *l)
{
  return FIELDS * field_reals(l) + 5 * (64 / (int64_t)sizeof(triad_real));
}

int64_t triad_gather_reals(const triad_layout *l, int threads, int order)
{
  return plane_reals(l) * (together(threads) + 4 * (order - 1)) +
         triad_whole_planes_bytes(l, FIELDS) / (int64_t)sizeof(triad_real);
}

int triad_gather_create(triad_gather **out, triad_flow *flow, int order)
{
  triad_memory *m = flow->context->memory;
  const triad_layout *l = flow->planes;
  int st = TRIAD_ALLOC(m, "particles", 1, out);
  triad_gather *g = *out;
  if (st == TRIAD_OK) {
    g->flow = flow;
    g->l = l;
    g->row = row_reals(l);
    g->field = field_reals(l);
    g->plane = plane_reals(l);
    g->edge = order - 1;
    g->slots = together(flow->context->threads) + order - 1;
    st = TRIAD_ALLOC(m, "particles", g->slots * g->plane, &g->ring);
  }
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m, "particles", g->edge * g->plane, &g->head);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m, "particles", g->edge * g->plane, &g->tail);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m, "particles", g->edge * g->plane, &g->beyond);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m, "particles", (int64_t)(l->size + 1) * 2 * g->edge, &g->requests);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m, "particles", (int64_t)flow->context->threads * TRIAD_GATHER_BATCH, &g->batch);
  for (int a = 0; a < 3 && st == TRIAD_OK; a++) st = TRIAD_ALLOC(m, "particles", l->grid.n[a] / 2 + 1, &g->factor[a]);
  if (st == TRIAD_OK) st = TRIAD_ALLOC(m, "particles", l->grid.n[1] + 2 * MOST, &g->row_at);
  for (int64_t i = 0, n = l->grid.n[1]; st == TRIAD_OK && i < n + 2 * MOST; i++)
    g->row_at[i] = ((i - MOST) % n + n) % n * g->row;
  st = triad_agree(&flow->context->comm, st);
  return st == TRIAD_OK ? triad_whole_planes_create(&g->whole, flow, FIELDS) : st;
}

void triad_gather_destroy(triad_gather **gather, triad_memory *m)
{
  triad_gather *g = *gather;
  if (!g) return;
  triad_whole_planes_destroy(&g->whole, m);
  for (int a = 0; a < 3; a++) TRIAD_FREE(m, &g->factor[a]);
  TRIAD_FREE(m, &g->row_at);
  TRIAD_FREE(m, &g->batch);
  TRIAD_FREE(m, &g->requests);
  TRIAD_FREE(m, &g->beyond);
  TRIAD_FREE(m, &g->tail);
  TRIAD_FREE(m, &g->head);
  TRIAD_FREE(m, &g->ring);
  TRIAD_FREE(m, gather);
}

/* Where nothing is divided, factors of 1. */
static void set_factors(triad_gather *g)
{
  const triad_grid *grid = &g->l->grid;
  const int order = g->divided ? g->order : 0;
  if (g->factor_order == order + 1) return; /* 0 is none yet */
  for (int a = 0; a < 3; a++)
    for (int64_t k = 0; k <= grid->n[a] / 2; k++)
      g->factor[a][k] =
        order == 0 ? 1 : 1 / triad_spline_transfer(order, 2 * TRIAD_PI * (double)k / (double)grid->n[a]);
  g->factor_order = order + 1;
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
  for (int i = 0; i < TRIAD_LANES; i++)
    to[i] = (triad_cplx){across[i] * along_z * from[i].re, across[i] * along_z * from[i].im};
}

static void source(void *self, const triad_batch *block, triad_cplx *const *in)
{
  const triad_gather *g = self;
  const triad_layout *l = block->layout;
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

/* ---- a run ---- */

void triad_gather_begin(triad_gather *g, int fields, int divided, int n, triad_group *groups, int offset,
                        double *const *out)
{
  g->fields = fields;
  g->divided = divided > 0;
  g->order = divided;
  for (int i = 0; i < n && !divided; i++)
    if (!groups[i].divided && groups[i].order > g->order) g->order = groups[i].order;
  g->n_groups = n;
  g->groups = groups;
  g->offset = offset;
  g->out = out;
  g->done = 0;
}

int triad_gather_finish(triad_gather *g)
{
  const triad_real *beyond[MOST];
  triad_must(&g->flow->context->comm, triad_gather_fetch(g, beyond)); /* others wait for its planes */
  const int64_t n = g->l->n_planes, below = triad_gather_lower(g), above = n - g->order / 2;
  triad_gather_sum(g, 0, below < n ? below : n, beyond);
  triad_gather_sum(g, above > below ? above : below, n, beyond);
  return TRIAD_OK;
}

static void points(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  (void)out;
  triad_gather_points(self, at, in, peaks);
}

int triad_gather_run(triad_gather *g, triad_pass *pass, const triad_gather_want *want, int divided, int n,
                     triad_group *groups, int offset, double *const *out)
{
  const triad_work work = {.n_in = want->n,
                           .source = source,
                           .points = points,
                           .any_order = 1,
                           .planes = triad_gather_planes,
                           .together = triad_gather_together(g),
                           .self = g};
  g->want = want;
  triad_gather_begin(g, want->n, divided, n, groups, offset, out);
  set_factors(g);
  TRIAD_TRY(triad_whole_planes_run(g->whole, pass, &work));
  return triad_gather_finish(g);
}
