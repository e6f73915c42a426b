/* The pressure on a GPU: conjugate gradients as in cg.c, in three kernels per iteration, or two without
 * preconditioner; for the transform see gpu_surface.c (docs/methods/staggered.md). A d is computed again where it is
 * needed instead of being stored. */
#include "solvers/staggered/gpu/gpu_internal.h"
#include "solvers/staggered/gpu/gpu_fields.h"
#include "solvers/staggered/gpu/gpu_parts.h"
#include "solvers/staggered/gpu/gpu_sums.h"
#include "solvers/staggered/gpu/gpu_transform.h"
#include "solvers/staggered/gpu/gpu_regions.h"

#include <math.h>
#include <stdio.h>

enum { RESTARTS = 4, BATCH = 8 /* iterations between looks at what they have reached */ };

/* Without solids the transform is the solve. */
static int iterates(const triad_staggered_flow *f) { return !f->gpu->solver.transform || f->mesh->solids; }

/* ---- a solve ---- */

static int true_residual(triad_staggered_flow *f, int first)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  triad_staggered_gpu_fill_vector(f, s->x);
  TRIAD_TRY(
    triad_staggered_gpu_residual(&s->cells, first, s->x, s->b, s->r, &s->results, triad_device_stream(f->device)));
  return triad_staggered_gpu_of_all(f, 1 + first, 0,
                                    first ? TRIAD_STAGGERED_AFTER_FIRST : TRIAD_STAGGERED_AFTER_RESIDUAL);
}

/* The sweeps of an iteration, as gpu_parts.c takes them; the first two want halos. */
static int sweep_preconditioner(triad_staggered_flow *f, const triad_staggered_gpu_cells *c,
                                const triad_staggered_gpu_results *results)
{
  const triad_staggered_gpu_solver *s = &f->gpu->solver;
  return triad_staggered_gpu_precondition(c, s->r, s->z, results, triad_device_stream(f->device));
}

static int sweep_direction(triad_staggered_flow *f, const triad_staggered_gpu_cells *c,
                           const triad_staggered_gpu_results *results)
{
  const triad_staggered_gpu_solver *s = &f->gpu->solver;
  return triad_staggered_gpu_direction(c, s->z ? s->z : s->r, s->d[0], s->d[1], results,
                                       triad_device_stream(f->device));
}

static int sweep_advance(triad_staggered_flow *f, const triad_staggered_gpu_cells *c,
                         const triad_staggered_gpu_results *results)
{
  const triad_staggered_gpu_solver *s = &f->gpu->solver;
  return triad_staggered_gpu_advance(c, s->d[1], s->x, s->r, results, triad_device_stream(f->device));
}

static void swap_directions(triad_staggered_gpu_solver *s)
{
  triad_real *old = s->d[0];
  s->d[0] = s->d[1];
  s->d[1] = old;
}

/* Where kernels conclude. */
static int iteration_at_once(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  if (s->z) TRIAD_TRY(triad_staggered_gpu_at_once(f, sweep_preconditioner, TRIAD_STAGGERED_AFTER_PRECONDITION));
  TRIAD_TRY(triad_staggered_gpu_at_once(f, sweep_direction, TRIAD_STAGGERED_AFTER_DIRECTION));
  TRIAD_TRY(triad_staggered_gpu_at_once(f, sweep_advance, TRIAD_STAGGERED_AFTER_STEP));
  swap_directions(s);
  return TRIAD_OK;
}

/* z = M r, z . r. *waits: the last step's |r|^2 is not concluded from yet: these two go together. */
static int apply_preconditioner(triad_staggered_flow *f, int *waits)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  int both = *waits;
  if (!s->z) return TRIAD_OK;
  *waits = 0;
  s->results.at = both;
  int st = triad_staggered_gpu_swept(f, s->r, sweep_preconditioner);
  s->results.at = 0;
  TRIAD_TRY(st);
  triad_staggered_gpu_send(f, s->z); /* while the host adds up */
  return both ? triad_staggered_gpu_of_step(f)
              : triad_staggered_gpu_of_all(f, 1, 0, TRIAD_STAGGERED_AFTER_PRECONDITION);
}

/* By messages, and with the host, which adds up ranks. */
static int run_iteration(triad_staggered_flow *f, int *waits)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  TRIAD_TRY(apply_preconditioner(f, waits));
  if (s->now.done) return TRIAD_OK;
  TRIAD_TRY(triad_staggered_gpu_swept(f, s->z ? s->z : s->r, sweep_direction));
  TRIAD_TRY(triad_staggered_gpu_of_all(f, 1, 0, TRIAD_STAGGERED_AFTER_DIRECTION));
  if (s->now.done) return TRIAD_OK;
  double since = triad_now();
  *waits = s->z != NULL;
  triad_staggered_gpu_results results = s->results;
  if (*waits) results.told = NULL; /* the next sweep sends both sums */
  TRIAD_TRY(sweep_advance(f, &s->cells, &results));
  TRIAD_TRY(triad_staggered_gpu_note(f, TRIAD_SOLVE_INTERIOR, &since));
  triad_staggered_gpu_send(f, s->r);
  if (!*waits) TRIAD_TRY(triad_staggered_gpu_of_all(f, 1, 0, TRIAD_STAGGERED_AFTER_STEP));
  swap_directions(s);
  return TRIAD_OK;
}

/* What x + z leaves, z = M r. */
static int add_correction(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  TRIAD_TRY(triad_staggered_gpu_transform_solve(s->transform, s->r, s->z));
  TRIAD_TRY(triad_staggered_gpu_add(&s->cells, s->z, s->x, &s->results, triad_device_stream(f->device)));
  TRIAD_TRY(true_residual(f, 0));
  TRIAD_TRY(triad_staggered_gpu_get_scalars(f));
  s->now.iterations++;
  triad_staggered_gpu_remember(&s->now);
  s->now.done = s->now.done || s->now.iterations >= RESTARTS;
  return triad_staggered_gpu_put_scalars(f);
}

/* Iterations, as many as the last solve took and then some at a time, until the goal is reached: what is launched
 * beyond it does nothing. */
static int run_iterations(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  int waits = 0, several = s->results.several,
      batch = s->transform || several ? 1
              : s->expected > BATCH   ? s->expected
                                      : BATCH;
  if (s->transform) TRIAD_TRY(triad_staggered_gpu_get_scalars(f)); /* dear, where nothing is left to do */
  if (s->transform && iterates(f)) return s->now.done ? TRIAD_OK : triad_staggered_gpu_surface_solve(f);
  while (!s->now.done) {
    for (int i = 0; i < batch; i++)
      TRIAD_TRY(!iterates(f) ? add_correction(f) : several ? run_iteration(f, &waits) : iteration_at_once(f));
    TRIAD_TRY(triad_staggered_gpu_get_scalars(f));
    if (batch > BATCH) batch = BATCH;
  }
  triad_staggered_gpu_settle_sent(f);
  return TRIAD_OK;
}

static int report_failure(const triad_staggered_gpu_scalars *now, double last)
{
  char text[TRIAD_STAGGERED_GPU_HISTORY * 24] = "";
  int at = 0;
  for (int i = 0; i < now->kept; i++)
    at += snprintf(text + at, sizeof text - (size_t)at, " %d: %.1e", i * now->every, now->history[i]);
  return TRIAD_FAIL(
    TRIAD_ERR_BLOWUP,
    "the pressure solver does not converge: after %d iterations the residual is %.3g of the right-hand "
    "side, but solver.tolerance is %.3g: use a larger one, or another solver.pressure; residuals by iteration:%s",
    now->iterations, last, now->tolerance, text);
}

static void begin_solve(triad_staggered_flow *f)
{
  const triad_staggered_setup *setup = &f->setup;
  f->gpu->solver.now = (triad_staggered_gpu_scalars){.cells = f->gpu->solver.fluid,
                                                     .tolerance = setup->tolerance,
                                                     .plain = setup->pressure == TRIAD_STAGGERED_CG,
                                                     .parted = f->gpu->regions.n > 0,
                                                     .concludes = !f->gpu->solver.results.several,
                                                     .most = 100 + 20 * (int)(setup->n[0] + setup->n[1] + setup->n[2]),
                                                     .every = 1};
}

/* The residual that iterations carry on drifts from the true one by rounding: where the two part, on from the true
 * one. */
static int find_pressure(triad_staggered_flow *f)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  triad_staggered_gpu_scalars *now = &s->now;
  /* which leaves the mean out */
  if (!iterates(f)) TRIAD_TRY(triad_staggered_gpu_transform_solve(s->transform, s->b, s->x));
  TRIAD_TRY(true_residual(f, 1));
  for (int again = 0; again < RESTARTS; again++) {
    TRIAD_TRY(run_iterations(f));
    if (!isfinite(now->norm) || now->still || !iterates(f)) break;
    TRIAD_TRY(true_residual(f, 0));
    TRIAD_TRY(triad_staggered_gpu_get_scalars(f));
    if (!(sqrt(now->rr) > now->goal) || !isfinite(now->rr)) break;
  }
  return TRIAD_OK;
}

int triad_staggered_gpu_solve(triad_staggered_flow *f, triad_real *const u[3], double dt, triad_real *p,
                              triad_staggered_solved *solved)
{
  triad_staggered_gpu_solver *s = &f->gpu->solver;
  const triad_staggered_gpu *kernel = &f->gpu->kernel;
  void *stream = triad_device_stream(f->device);
  begin_solve(f);
  TRIAD_TRY(triad_staggered_gpu_put_scalars(f)); /* which waits for what was launched before */
  double begun = triad_now();
  s->at_work = 1;
  TRIAD_TRY(triad_staggered_gpu_source(kernel, &s->cells, u, dt, s->b, &s->results, stream));
  TRIAD_TRY(triad_staggered_gpu_of_all(f, 2, 0, TRIAD_STAGGERED_AFTER_SOURCE));
  TRIAD_TRY(triad_staggered_gpu_regions_level(f, s->b));
  if (iterates(f)) TRIAD_TRY(triad_staggered_gpu_take(kernel, &s->cells, p, s->x, stream));
  TRIAD_TRY(find_pressure(f));
  s->at_work = 0;
  f->solve_s += triad_now() - begun;
  const triad_staggered_gpu_scalars *now = &s->now;
  int at_once = !iterates(f) && !now->still;
  *solved = (triad_staggered_solved){now->iterations + at_once, now->still ? 0 : sqrt(now->rr) / now->norm};
  s->expected = now->iterations;
  if (!isfinite(now->norm))
    return TRIAD_FAIL(TRIAD_ERR_BLOWUP, "the right-hand side of the pressure equation is not finite");
  if (!now->still) {
    if (!(sqrt(now->rr) <= now->goal)) return report_failure(now, solved->residual);
    TRIAD_TRY(triad_staggered_gpu_regions_level(f, s->x));
    TRIAD_TRY(triad_staggered_gpu_total(&s->cells, s->x, &s->results, stream));
    TRIAD_TRY(triad_staggered_gpu_of_all(f, 1, 0, TRIAD_STAGGERED_AFTER_TOTAL));
    TRIAD_TRY(triad_staggered_gpu_give(kernel, &s->cells, s->x, p, &s->results, stream));
  }
  triad_staggered_gpu_fill_cells(f, p);
  return TRIAD_OK;
}
