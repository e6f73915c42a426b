/* Implicit diffusion on a GPU (docs/methods/staggered.md eq. 50): conjugate gradients for each component, as in
 * implicit.c, in four kernels per iteration. Few iterations suffice. */
#include "solvers/staggered/gpu/gpu_implicit.h"
#include "solvers/staggered/gpu/gpu_boundary.h"
#include "solvers/staggered/gpu/gpu_diffusion.h"
#include "solvers/staggered/gpu/gpu_internal.h"
#include "solvers/staggered/gpu/gpu_fields.h"
#include "solvers/staggered/gpu/gpu_heat_loops.h"
#include "solvers/staggered/gpu/gpu_sums.h"

enum {
  HEAT = TRIAD_STAGGERED_GPU_DIFFUSED_HEAT,
  MOST = 1000,
  BATCH = 4 /* iterations between looks at what they have reached */
};

static triad_real **vector(triad_staggered_gpu_implicit *s, int i)
{
  triad_real **const all[TRIAD_STAGGERED_GPU_IMPLICIT] = {&s->r, &s->d, &s->q, &s->change};
  return all[i];
}

int triad_staggered_gpu_implicit_make(triad_staggered_flow *f)
{
  for (int i = 0; f->setup.implicit && i < TRIAD_STAGGERED_GPU_IMPLICIT; i++)
    TRIAD_TRY(triad_device_alloc(f->device, "implicit diffusion", f->blocks.volume, sizeof(triad_real),
                                 (void **)vector(&f->gpu->implicit, i)));
  return TRIAD_OK;
}

void triad_staggered_gpu_implicit_drop(triad_staggered_flow *f)
{
  for (int i = 0; i < TRIAD_STAGGERED_GPU_IMPLICIT; i++)
    triad_device_free(f->device, (void **)vector(&f->gpu->implicit, i));
}

/* As triad_staggered_fill_change. */
static int fill_change(triad_staggered_flow *f, int a, triad_real *d)
{
  triad_staggered_gpu_fill_cells(f, d);
  for (int axis = 0; axis < 3; axis++)
    for (int upper = 0; upper < 2; upper++) {
      triad_staggered_side side = f->setup.side[axis][upper];
      int given = side == TRIAD_STAGGERED_WALL || side == TRIAD_STAGGERED_INFLOW;
      if (!triad_staggered_ends_at(f->mesh, axis, upper)) continue;
      TRIAD_TRY(triad_staggered_gpu_mirror(&f->gpu->kernel, axis, upper,
                                           axis == a ? 0
                                           : given   ? -1
                                                     : 1,
                                           d, triad_device_stream(f->device)));
    }
  return TRIAD_OK;
}

static int run_iteration(triad_staggered_flow *f, const triad_staggered_gpu_diffusion *s)
{
  const triad_staggered_gpu_results *results = &f->gpu->solver.results;
  const triad_staggered_gpu *g = &f->gpu->kernel;
  void *stream = triad_device_stream(f->device);
  TRIAD_TRY(s->a == HEAT ? triad_staggered_gpu_fill_heat_of(f, 1, s->d) : fill_change(f, s->a, s->d));
  TRIAD_TRY(triad_staggered_gpu_diffusion_multiply(g, s, results, stream));
  TRIAD_TRY(triad_staggered_gpu_of_all(f, 1, 0, TRIAD_STAGGERED_AFTER_DIRECTION));
  if (f->gpu->solver.now.done && results->several) return TRIAD_OK;
  TRIAD_TRY(triad_staggered_gpu_diffusion_step(g, s, results, stream));
  TRIAD_TRY(triad_staggered_gpu_of_all(f, 1, 0, TRIAD_STAGGERED_AFTER_STEP));
  return triad_staggered_gpu_diffusion_direction(g, s, results, stream);
}

static const char *const diffused[] = {"component x", "component y", "component z", "the temperature"};

static int solve_component(triad_staggered_flow *f, const triad_staggered_gpu_diffusion *s)
{
  triad_staggered_gpu_solver *with = &f->gpu->solver;
  triad_staggered_gpu_scalars *now = &with->now;
  int several = with->results.several;
  *now = (triad_staggered_gpu_scalars){
    .tolerance = f->setup.tolerance, .plain = 1, .concludes = !several, .most = MOST, .every = 1};
  TRIAD_TRY(triad_device_put(f->device, with->results.scalars, now, (int64_t)sizeof *now));
  TRIAD_TRY(triad_staggered_gpu_diffusion_begin(&f->gpu->kernel, s, &with->results, triad_device_stream(f->device)));
  TRIAD_TRY(triad_staggered_gpu_of_all(f, 2, 0, TRIAD_STAGGERED_AFTER_FIRST));
  while (!now->done) {
    for (int i = 0; i < (several ? 1 : BATCH); i++) TRIAD_TRY(run_iteration(f, s));
    TRIAD_TRY(triad_staggered_gpu_get_scalars(f));
  }
  TRIAD_TRY(triad_staggered_gpu_get_scalars(f));
  if (sqrt(now->rr) <= now->goal) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_BLOWUP,
                    "implicit diffusion of %s does not converge: after %d iterations the residual is %.3g of the "
                    "right-hand side, but solver.tolerance is %.3g: use a larger one, or a smaller time.dt",
                    diffused[s->a], now->iterations, sqrt(now->rr) / now->norm, f->setup.tolerance);
}

int triad_staggered_gpu_implicit_solve(triad_staggered_flow *f, double theta, triad_real *const guess[3],
                                       triad_real *const u[3])
{
  triad_staggered_gpu_implicit *with = &f->gpu->implicit;
  for (int a = 0; a < 3; a++) {
    const triad_staggered_gpu_diffusion s = {
      .a = a, .theta = (triad_real)theta, .guess = guess[a], .u = u[a], .r = with->r, .d = with->d, .q = with->q};
    TRIAD_TRY(solve_component(f, &s));
  }
  return TRIAD_OK;
}

int triad_staggered_gpu_implicit_solve_heat(triad_staggered_flow *f, double theta, triad_real *guess, triad_real *heat)
{
  triad_staggered_gpu_implicit *with = &f->gpu->implicit;
  const triad_staggered_gpu_diffusion s = {.a = HEAT,
                                           .held = f->setup.thermal.solids_held,
                                           .theta = (triad_real)theta,
                                           .guess = guess,
                                           .u = heat,
                                           .r = with->r,
                                           .d = with->d,
                                           .q = with->q};
  return solve_component(f, &s);
}
