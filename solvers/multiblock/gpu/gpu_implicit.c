/* Implicit steps of flow on blocks on a GPU: as implicit.c, sweep by sweep. */
#include "solvers/multiblock/gpu/gpu_internal.h"

int triad_mb_gpu_implicit(triad_mb_flow *f, double cfl)
{
  struct triad_mb_on_gpu *g = f->gpu;
  void *stream = triad_device_stream(f->device);
  triad_mb_gpu_stage p = {.start = 1, .rate = 1, .cfl = (triad_real)cfl, .squares = 1};
  triad_mb_gpu_change c = {.cfl = (triad_real)cfl};
  triad_real *const *now = g->change[0];
  for (int m = 0; m < TRIAD_MB_FIELDS; m++) {
    p.q[m] = c.q[m] = g->q[g->now][m];
    p.u0[m] = g->u[m];
    p.u[m] = p.rest[m] = g->stage[m];
    c.first[m] = g->change[0][m];
  }
  TRIAD_TRY(triad_mb_gpu_sweep(&g->kernel, &p, stream)); /* stage - u = -R/(V/dt + rate) */
  TRIAD_TRY(triad_mb_gpu_difference(&g->kernel, g->u, g->stage, g->change[0], stream));
  for (int k = 0; k < f->setup.sweeps; k++) {
    triad_real *const *next = g->change[1 + k % 2];
    triad_gpu_halo_begin(g->halo, now, TRIAD_MB_FIELDS, stream);
    triad_gpu_halo_end(g->halo, stream);
    for (int m = 0; m < TRIAD_MB_FIELDS; m++) {
      c.d[m] = now[m];
      c.to[m] = next[m];
    }
    TRIAD_TRY(triad_mb_gpu_relax(&g->kernel, &c, stream));
    now = next;
  }
  for (int m = 0; m < TRIAD_MB_FIELDS; m++) {
    c.d[m] = now[m];
    c.to[m] = g->u[m];
  }
  return triad_mb_gpu_apply(&g->kernel, &c, stream);
}
