/* The pressure around solids on a GPU with the transform, as in surface.c: an iteration is a transform and three
 * kernels at cells that adjoin solids (docs/methods/staggered.md). */
#include "solvers/staggered/gpu/gpu_internal.h"
#include "solvers/staggered/gpu/gpu_parts.h"
#include "solvers/staggered/gpu/gpu_sums.h"
#include "solvers/staggered/gpu/gpu_transform.h"

void triad_staggered_gpu_surface_drop(triad_staggered_flow *f)
{
  triad_staggered_gpu_surface *s = &f->gpu->solver.surface;
  triad_device_free(f->device, (void **)&s->cell);
  triad_device_free(f->device, (void **)&s->number[0]);
  s->n = 0;
}

/* Charges of cells that solids leave are 0 again. */
int triad_staggered_gpu_surface_renew(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *solver = &f->gpu->solver;
  triad_staggered_gpu_surface *s = &solver->surface;
  if (!s->charges) return TRIAD_OK;
  triad_staggered_gpu_surface_drop(f);
  s->potential = solver->z;
  TRIAD_TRY(triad_device_clear(f->device, s->charges,
                               triad_staggered_gpu_vector_size(&f->blocks) * (int64_t)sizeof *s->charges));
  if (f->mesh->n_beside == 0) return TRIAD_OK;
  TRIAD_TRY(triad_device_table(f->device, "cells next to solids", f->mesh->n_beside, sizeof *s->cell, f->mesh->beside,
                               (void **)&s->cell));
  TRIAD_TRY(triad_device_alloc(f->device, "cells next to solids", TRIAD_STAGGERED_NUMBERS * f->mesh->n_beside,
                               sizeof *s->number[0], (void **)&s->number[0]));
  for (int k = 1; k < TRIAD_STAGGERED_NUMBERS; k++) s->number[k] = s->number[0] + k * f->mesh->n_beside;
  s->n = f->mesh->n_beside;
  return TRIAD_OK;
}

static int transform(triad_staggered_flow *f, triad_real *charges)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  TRIAD_TRY(triad_staggered_gpu_transform_solve(s->transform, charges, s->z));
  triad_staggered_gpu_fill_vector(f, s->z);
  return TRIAD_OK;
}

static int iteration(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  const triad_staggered_gpu_surface *surface = &s->surface;
  void *stream = triad_device_stream(f->device);
  TRIAD_TRY(transform(f, surface->charges));
  TRIAD_TRY(triad_staggered_gpu_surface_look(&s->cells, surface, &s->results, stream));
  TRIAD_TRY(triad_staggered_gpu_of_all(f, 1, 0, TRIAD_STAGGERED_AFTER_PRECONDITION));
  TRIAD_TRY(triad_staggered_gpu_surface_turn(&s->cells, surface, &s->results, stream));
  TRIAD_TRY(triad_staggered_gpu_of_all(f, 1, 0, TRIAD_STAGGERED_AFTER_DIRECTION));
  if (s->now.done && s->results.several) return TRIAD_OK;
  TRIAD_TRY(triad_staggered_gpu_surface_descend(&s->cells, surface, &s->results, stream));
  return triad_staggered_gpu_of_all(f, 1, 0, TRIAD_STAGGERED_AFTER_STEP);
}

/* Where kernels conclude the first iterations, two less than the last solve took, go without a look at what they
 * reach. */
int triad_staggered_gpu_surface_solve(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  int before = s->now.iterations, blind = s->results.several ? 0 : s->expected - 2;
  void *stream = triad_device_stream(f->device);
  double since = triad_now();
  TRIAD_TRY(transform(f, s->r));
  TRIAD_TRY(triad_staggered_gpu_surface_begin(&s->cells, &s->surface, &s->results, stream));
  TRIAD_TRY(triad_staggered_gpu_of_all(f, 1, 0, TRIAD_STAGGERED_AFTER_RESIDUAL));
  TRIAD_TRY(triad_staggered_gpu_get_scalars(f));
  while (!s->now.done) {
    TRIAD_TRY(iteration(f));
    if (--blind <= 0) TRIAD_TRY(triad_staggered_gpu_get_scalars(f));
  }
  TRIAD_TRY(triad_staggered_gpu_surface_end(&s->cells, &s->surface, s->r, stream));
  if (s->now.iterations > before) TRIAD_TRY(triad_staggered_gpu_transform_solve(s->transform, s->r, s->z));
  TRIAD_TRY(triad_staggered_gpu_combine(triad_staggered_gpu_vector_size(&f->blocks), 1, s->z, s->x, s->x, stream));
  return triad_staggered_gpu_note(f, TRIAD_SOLVE_INTERIOR, &since);
}
