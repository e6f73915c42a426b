/* Loops of an implicit step on a GPU (step/implicit.h). */
#include "solvers/multiblock/gpu/gpu_internal.h"

typedef struct triad_multiblock_on_gpu on_gpu;

void triad_multiblock_gpu_implicit_steps(triad_multiblock_flow *f, double c) { f->gpu->implicit_c = (triad_real)c; }

/* A stage of a whole step into g->stage: stage - u = -R/(V/dt + rate). */
void triad_multiblock_gpu_first_change(triad_multiblock_flow *f)
{
  on_gpu *g = f->gpu;
  void *stream = triad_device_stream(f->device);
  triad_multiblock_gpu_stage p = {.start = 1, .rate = 1, .cfl = g->implicit_c, .squares = 1};
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) {
    p.q[m] = g->q[g->now][m];
    p.u0[m] = g->u[m];
    p.u[m] = p.rest[m] = g->stage[m];
  }
  f->rates_first = 0;
  g->kernel.order = (triad_real)f->order;
  g->kernel.frozen = f->frozen;
  TRIAD_MULTIBLOCK_LAUNCH(g, triad_multiblock_gpu_sweep(&g->kernel, &p, stream));
  TRIAD_MULTIBLOCK_LAUNCH(g, triad_multiblock_gpu_difference(&g->kernel, g->u, g->stage, g->change[0], stream));
}

void triad_multiblock_gpu_exchange_change(triad_multiblock_flow *f, int change)
{
  on_gpu *g = f->gpu;
  void *stream = triad_device_stream(f->device);
  if (g->failure != TRIAD_OK) return;
  triad_gpu_halo_begin(g->halo, g->change[change], TRIAD_MULTIBLOCK_FIELDS, stream);
  triad_gpu_halo_end(g->halo, stream);
}

static triad_multiblock_gpu_change change_of(const on_gpu *g, triad_real *const *d, triad_real *const *to)
{
  triad_multiblock_gpu_change c = {.cfl = g->implicit_c};
  for (int m = 0; m < TRIAD_MULTIBLOCK_FIELDS; m++) {
    c.q[m] = g->q[g->now][m];
    c.first[m] = g->change[0][m];
    c.d[m] = d[m];
    c.to[m] = to[m];
  }
  return c;
}

void triad_multiblock_gpu_relax_change(triad_multiblock_flow *f, int from, int to)
{
  on_gpu *g = f->gpu;
  const triad_multiblock_gpu_change c = change_of(g, g->change[from], g->change[to]);
  TRIAD_MULTIBLOCK_LAUNCH(g, triad_multiblock_gpu_relax(&g->kernel, &c, triad_device_stream(f->device)));
}

void triad_multiblock_gpu_apply_change(triad_multiblock_flow *f, int change)
{
  on_gpu *g = f->gpu;
  const triad_multiblock_gpu_change c = change_of(g, g->change[change], g->u);
  TRIAD_MULTIBLOCK_LAUNCH(g, triad_multiblock_gpu_apply(&g->kernel, &c, triad_device_stream(f->device)));
}
