/* Points for point_sums.h where ranks share planes: rows come from a pass, whole planes are put together of them, and rows are
 * visited as they are where planes are whole, so that sums have the same bits. */
#include "grid/slab.h"
#include "solvers/spectral/measure/point_sums.h"

#include <string.h>

enum { INPUTS = TRIAD_POINT_INPUTS };

typedef struct rows {
  const triad_layout *layout;
  const triad_work *work;
  triad_real *of_rank[INPUTS], *planes[INPUTS]; /* real [z][y][x], of this rank's rows; of whole planes */
} rows;

int64_t triad_point_rows_memory(const triad_layout *l)
{
  const triad_grid *g = &l->grid;
  const int64_t planes = (g->n[2] + l->size - 1) / l->size, whole = planes * g->n[1] * g->n[0];
  return l->split ? INPUTS * (triad_layout_points(l) + whole) * (int64_t)sizeof(triad_real) : 0;
}

static void source(void *self, const triad_batch *block, triad_cplx *const *in)
{
  const rows *r = self;
  r->work->source(r->work->self, block, in);
}

static void keep(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  const rows *r = self;
  (void)out;
  (void)peaks;
  for (int f = 0; f < r->work->n_in; f++)
    memcpy(r->of_rank[f] + triad_layout_row(r->layout, at->y, at->z), in[f], (size_t)at->n * sizeof *in[f]);
}

static int take(rows *r, triad_flow *flow)
{
  triad_memory *m = flow->context->memory;
  for (int f = 0; f < r->work->n_in; f++) {
    TRIAD_TRY(TRIAD_ALLOC(m, "means", triad_layout_points(flow->layout), &r->of_rank[f]));
    TRIAD_TRY(TRIAD_ALLOC(m, "means", triad_layout_points(flow->planes), &r->planes[f]));
  }
  return TRIAD_OK;
}

/* A plane's rows in the order of y, by one thread. */
static void visit(const rows *r, const triad_flow *flow)
{
  const triad_layout *l = flow->planes;
  const int64_t nx = l->grid.n[0], ny = l->grid.n[1];
#pragma omp parallel for schedule(static) num_threads(flow->context->threads)
  for (int64_t z = 0; z < l->n_planes; z++)
    for (int64_t y = 0; y < ny; y++) {
      const triad_patch at = {.y = y, .z = l->first_plane + z, .n = nx};
      triad_real *in[INPUTS];
      for (int f = 0; f < r->work->n_in; f++) in[f] = r->planes[f] + (z * ny + y) * nx;
      r->work->points(r->work->self, &at, in, NULL, NULL);
    }
}

static int run(rows *r, triad_flow *flow, triad_pass *pass)
{
  const triad_work work = {.n_in = r->work->n_in, .source = source, .points = keep, .self = r};
  TRIAD_TRY(triad_pass_run(pass, &work));
  for (int f = 0; f < work.n_in; f++) TRIAD_TRY(triad_flow_planes(flow, r->of_rank[f], r->planes[f]));
  visit(r, flow);
  return TRIAD_OK;
}

int triad_point_rows(triad_flow *flow, triad_pass *pass, const triad_work *work)
{
  rows r = {.layout = flow->layout, .work = work};
  if (flow->planes == flow->layout) return triad_pass_run(pass, work);
  int st = triad_agree(&flow->context->comm, take(&r, flow));
  if (st == TRIAD_OK) st = run(&r, flow, pass);
  for (int f = 0; f < INPUTS; f++) {
    TRIAD_FREE(flow->context->memory, &r.planes[f]);
    TRIAD_FREE(flow->context->memory, &r.of_rank[f]);
  }
  return st;
}
