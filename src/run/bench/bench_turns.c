/* Advance several flows of a case alternately in this process, and compare the time per step with that of one flow. */
#include "run/bench/bench_turns.h"
#include "run/bench/bench.h"

#include "parallel/fibers.h"
#include "parallel/host/gpus.h"
#include "run/check.h"
#include "run/bench/bench_measure.h"
#include "run/resources.h"
#include "solvers/box/files.h"

enum { WARM_UP = 4 /* the first loads kernels, the second records launches */ };

typedef struct turns {
  triad_context *context;
  const triad_case *given;
  const triad_solver *solver;
  int n, steps, ready, ended, failed;
  double began, took;
} turns;

static int take_steps(const turns *all, void *flow, int steps)
{
  int st = TRIAD_OK;
  for (int i = 0; i < steps && st == TRIAD_OK && !all->failed; i++) {
    triad_fibers_yield(); /* as runs do, once a step */
    st = triad_bench_advance(all->solver, flow, all->given);
  }
  return st;
}

/* The last to come begins the time, the last to end ends it; a GPU has then done all that it was given. */
static int timed(turns *all, void *flow)
{
  int offload = 0;
  triad_device *device = all->solver->device ? all->solver->device(flow, &offload) : NULL;
  TRIAD_TRY(take_steps(all, flow, WARM_UP));
  if (device) TRIAD_TRY(triad_device_wait(device));
  if (++all->ready == all->n) all->began = triad_now();
  while (all->ready < all->n && !all->failed) triad_fibers_yield();
  TRIAD_TRY(take_steps(all, flow, all->steps));
  if (device) TRIAD_TRY(triad_device_wait(device));
  if (++all->ended == all->n) all->took = triad_now() - all->began;
  return TRIAD_OK;
}

static int one_flow(void *self, int number)
{
  turns *all = self;
  const triad_solver *s = all->solver;
  char source[TRIAD_PATH];
  triad_simulation sim = {all->context, all->given, s, NULL};
  (void)number;
  int st = s->create(&sim.flow, all->context, all->given, NULL);
  if (st == TRIAD_OK) st = triad_simulation_start(&sim, NULL, source);
  if (st == TRIAD_OK) st = timed(all, sim.flow);
  s->destroy(&sim.flow);
  if (st == TRIAD_OK) return st;
  all->failed = 1; /* nobody waits for this one */
  triad_message_print(-1);
  triad_message_clear();
  return st;
}

int triad_bench_turns(triad_context *context, const triad_case *given, const triad_bench_options *options,
                      double *seconds)
{
  turns all = {.context = context, .given = given, .n = options->at_once, .steps = options->steps};
  *seconds = 0;
  TRIAD_TRY(triad_solver_find(&all.solver, given));
  int64_t each = 0;
  if (context->gpu >= 0) TRIAD_TRY(triad_resources_share(context->gpu, 1, all.n, &each));
  triad_gpus_set_share(each);
  int st = triad_fibers_run(all.n, one_flow, NULL, &all);
  triad_gpus_set_share(0);
  TRIAD_TRY(st);
  *seconds = all.took / ((double)all.n * all.steps);
  return TRIAD_OK;
}
