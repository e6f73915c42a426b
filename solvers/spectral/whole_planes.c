/* Gather rows into whole planes during a pass and visit each plane in a fixed order. */
#include "solvers/spectral/whole_planes.h"
#include "grid/fields/slab.h"

#include <string.h>

enum { MOST = 8 };

struct triad_whole_planes {
  triad_flow *flow;
  triad_slab *slab;
  int fields;
  triad_real *rows[MOST], *planes[MOST]; /* real [z][y][x]: of this rank's rows; of its whole planes */
  const triad_work *work;
};

int64_t triad_whole_planes_bytes(const triad_layout *l, int fields)
{
  const triad_grid *g = &l->grid;
  const int64_t planes = (g->n[2] + l->size - 1) / l->size, whole = planes * g->n[1] * g->n[0];
  return l->split ? fields * (triad_layout_points(l) + whole) * (int64_t)sizeof(triad_real) : 0;
}

static int allocate_planes(triad_whole_planes *p)
{
  triad_memory *m = p->flow->context->memory;
  if (p->fields > MOST) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "whole planes of %d fields", p->fields);
  for (int f = 0; f < p->fields; f++) {
    TRIAD_TRY(TRIAD_ALLOC(m, "whole planes", triad_layout_points(p->flow->layout), &p->rows[f]));
    TRIAD_TRY(TRIAD_ALLOC(m, "whole planes", triad_layout_points(p->flow->planes), &p->planes[f]));
  }
  return TRIAD_OK;
}

int triad_whole_planes_create(triad_whole_planes **out, triad_flow *flow, int fields)
{
  const triad_comm *comm = &flow->context->comm;
  triad_space space;
  *out = NULL;
  if (flow->planes == flow->layout) return TRIAD_OK;
  int st = TRIAD_ALLOC(flow->context->memory, "whole planes", 1, out);
  triad_whole_planes *p = *out;
  if (st == TRIAD_OK) {
    p->flow = flow;
    p->fields = fields;
    st = allocate_planes(p);
  }
  st = triad_agree(comm, st);
  triad_space_planes(&space, flow->layout);
  if (st == TRIAD_OK) st = triad_agree(comm, triad_slab_create(&p->slab, flow->context, &space));
  if (st != TRIAD_OK) triad_whole_planes_destroy(out, flow->context->memory);
  return st;
}

void triad_whole_planes_destroy(triad_whole_planes **planes, triad_memory *memory)
{
  triad_whole_planes *p = *planes;
  if (!p) return;
  triad_slab_destroy(&p->slab);
  for (int f = 0; f < MOST; f++) {
    TRIAD_FREE(memory, &p->planes[f]);
    TRIAD_FREE(memory, &p->rows[f]);
  }
  TRIAD_FREE(memory, planes);
}

static void source(void *self, const triad_batch *block, triad_cplx *const *in)
{
  const triad_whole_planes *p = self;
  p->work->source(p->work->self, block, in);
}

static void copy_row(void *self, const triad_patch *at, triad_real *const *in, triad_real *const *out, double *peaks)
{
  const triad_whole_planes *p = self;
  (void)out;
  (void)peaks;
  for (int f = 0; f < p->work->n_in; f++)
    memcpy(p->rows[f] + triad_layout_row(p->flow->layout, at->y, at->z), in[f], (size_t)at->n * sizeof *in[f]);
}

static void visit(const triad_whole_planes *p, int64_t begin, int64_t end)
{
  const triad_layout *l = p->flow->planes;
  const int64_t nx = l->grid.n[0], ny = l->grid.n[1];
#pragma omp parallel for schedule(static) num_threads(p->flow->context->threads)
  for (int64_t z = begin; z < end; z++)
    for (int64_t y = 0; y < ny; y++) {
      const triad_patch at = {.y = y, .z = l->first_plane + z, .n = nx};
      triad_real *in[MOST];
      for (int f = 0; f < p->work->n_in; f++) in[f] = p->planes[f] + (z * ny + y) * nx;
      p->work->points(p->work->self, &at, in, NULL, NULL);
    }
}

int triad_whole_planes_run(triad_whole_planes *p, triad_pass *pass, const triad_work *work)
{
  if (!p) return triad_pass_run(pass, work);
  const triad_work rows = {.n_in = work->n_in, .source = source, .points = copy_row, .shift = work->shift, .self = p};
  const int64_t n = p->flow->planes->n_planes, some = work->planes && work->together > 0 ? work->together : n;
  p->work = work;
  TRIAD_TRY(triad_pass_run(pass, &rows));
  int st = TRIAD_OK;
  for (int f = 0; st == TRIAD_OK && f < work->n_in; f++)
    st = triad_agree(&p->flow->context->comm, triad_slab_gather(p->slab, p->rows[f], p->planes[f]));
  for (int64_t begin = 0; st == TRIAD_OK && begin < n; begin += some) {
    const int64_t end = begin + some < n ? begin + some : n;
    visit(p, begin, end);
    if (work->planes) work->planes(work->self, begin, end);
  }
  return st;
}
