/* Compute the columns of the series and rows of probes on a GPU; only a few numbers are copied to the host, and no
 * field (budget.c, probes.c). */
#include "solvers/staggered/gpu/gpu_measure.h"
#include "solvers/staggered/gpu/gpu_internal.h"
#include "solvers/staggered/gpu/gpu_sums.h"
#include "solvers/staggered/plain/sight.h"

#include <stdlib.h>
#include <string.h>

static int find_budget(triad_staggered_flow *f, double *budget)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  TRIAD_TRY(triad_staggered_gpu_budget(&f->gpu->kernel, f->gpu->u[0], &s->results, triad_device_stream(f->device)));
  TRIAD_TRY(triad_staggered_gpu_sums(f, TRIAD_STAGGERED_BUDGET_SUMS, 1, TRIAD_STAGGERED_AFTER_SUMS));
  memcpy(budget, s->now.sum, TRIAD_STAGGERED_BUDGET_NUMBERS * sizeof *budget);
  return TRIAD_OK;
}

/* Where there are no walls and no solids there is nothing to find. */
static int find_forces(triad_staggered_flow *f, double *forces)
{
  const struct triad_staggered_on_gpu *g = f->gpu;
  const triad_staggered_gpu_solver *s = &g->solver;
  void *stream = triad_device_stream(f->device);
  triad_staggered_sight sight = triad_staggered_sight_of(f->mesh, f->setup.viscosity, f->reference.centre);
  sight.sizes = g->kernel.sizes;
  for (int i = 0; i < 3; i++) sight.face[i] = g->faces[i] + f->blocks.begin[i];
  if (f->mesh->solids) {
    TRIAD_TRY(triad_staggered_gpu_drag(&g->kernel, &sight, g->u[0], g->p, &s->results, stream));
    TRIAD_TRY(triad_staggered_gpu_sums(f, TRIAD_STAGGERED_FORCE_WALLS, 0, TRIAD_STAGGERED_AFTER_SUMS));
    memcpy(forces, s->now.sum, TRIAD_STAGGERED_FORCE_WALLS * sizeof *forces);
  }
  for (int b = 0; b < 3; b++) {
    if (!sight.ends[b] || !sight.wall[b]) continue;
    TRIAD_TRY(triad_staggered_gpu_walls(&g->kernel, &sight, b, g->u[0], &s->results, stream));
    TRIAD_TRY(triad_staggered_gpu_sums(f, 4, 0, TRIAD_STAGGERED_AFTER_SUMS));
    memcpy(forces + TRIAD_STAGGERED_FORCE_WALLS + 4 * b, s->now.sum, 4 * sizeof *forces);
  }
  return TRIAD_OK;
}

int triad_staggered_gpu_measure(triad_staggered_flow *f, double *budget, double *forces)
{
  TRIAD_TRY(triad_agree(&f->context->comm, triad_state_read_all(f->state, TRIAD_DEVICE)));
  int st = find_budget(f, budget);
  if (st == TRIAD_OK) st = find_forces(f, forces);
  /* once a GPU has failed, others wait for its sums in vain: there is no way back */
  if (f->context->comm.size > 1) triad_must(&f->context->comm, st);
  return st;
}

/* ---- probes ---- */

static int take_entries(triad_staggered_flow *f, int64_t version)
{
  struct triad_staggered_on_gpu *g = f->gpu;
  const int fields = triad_staggered_fields_of(&f->setup);
  int64_t first[TRIAD_STAGGERED_MAX_FIELDS + 1];
  triad_staggered_probes_entries(f->probes, first, NULL);
  int64_t *at = malloc((size_t)(first[fields] + 1) * sizeof *at);
  if (!at) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "probes");
  triad_staggered_probes_entries(f->probes, first, at);
  int st = triad_gpu_gather_places(&g->entries, f->device, fields, first, at);
  free(at);
  if (st == TRIAD_OK) g->entries_version = version;
  return st;
}

int triad_staggered_gpu_entries(triad_staggered_flow *f, int64_t version, const triad_real **numbers)
{
  struct triad_staggered_on_gpu *g = f->gpu;
  triad_real *const field[TRIAD_STAGGERED_MAX_FIELDS] = {g->u[0][0], g->u[0][1], g->u[0][2], g->p, g->heat[0]};
  int st = triad_state_read_all(f->state, TRIAD_DEVICE);
  if (st == TRIAD_OK && g->entries_version != version) st = take_entries(f, version);
  if (st == TRIAD_OK) st = triad_gpu_gather_bring(&g->entries, field, numbers);
  return triad_agree(&f->context->comm, st);
}
