/* Record the launches of advance_stages and run_passes of gpu_stepper.c once, and replay them in every step of a
 * small flow. */
#include "solvers/spectral/step/gpu_recorded.h"
#include "solvers/spectral/step/gpu_stepper_internal.h"
#include "solvers/spectral/step/gpu_joined.h"

#include "fft/gpu/gpu_library.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns 1 if the launches of this flow's steps can be recorded: not if the host takes part in a step, nor with
 * several ranks, whose messages differ; and on small grids only, where launches take as long as the kernels.
 * TRIAD_GPU_GRAPHS=off: never. */
static int can_record(const triad_gpu_stepper *s)
{
  enum { MOST_POINTS = 1 << 22 };
  const triad_flow *flow = s->flow;
  const char *word = getenv("TRIAD_GPU_GRAPHS");
  if (word && strcmp(word, "off") == 0) return 0;
  return flow->context->comm.size == 1 && triad_grid_points(&flow->grid) <= MOST_POINTS &&
         s->scheme->form != TRIAD_SCHEME_SPLIT && !s->forced && !s->formulas && !s->relaxation && !s->closure &&
         !s->set->changes && !flow->grid.shifted && triad_gpu_library_bytes(&flow->grid) == 0;
}

static triad_gpu_job job_of(const triad_gpu_stepper *s, int pass)
{
  triad_gpu_job job = triad_gpu_stepper_job(s, pass, triad_gpu_stepper_inputs(s, pass));
  job.open = s->joins;
  return job;
}

static int launch_pass(triad_gpu_stepper *s, int pass)
{
  const triad_gpu_job job = job_of(s, pass);
  if (pass == 0) TRIAD_TRY(triad_gpu_stepper_sources(s));
  return triad_gpu_pass_run(s->pass, &job);
}

static int tell_peaks(triad_gpu_stepper *s)
{
  return triad_gpu_tell_peaks(triad_gpu_pass_peaks_there(s->pass), s->recorded.talk, triad_device_stream(s->device));
}

static int take_times(triad_gpu_stepper *s)
{
  return triad_gpu_take_times(s->recorded.talk, 3 * s->scheme->n_stages, s->recorded.lengths,
                              triad_device_stream(s->device));
}

int triad_gpu_recorded_create(triad_gpu_stepper *s)
{
  s->recorded.can = can_record(s);
  if (!s->recorded.can) return TRIAD_OK;
  TRIAD_TRY(triad_device_shared(s->device, (int64_t)sizeof *s->recorded.talk, (void **)&s->recorded.talk));
  TRIAD_TRY(tell_peaks(s)); /* these two kernels are loaded here, which nothing that is recorded may */
  TRIAD_TRY(take_times(s));
  return triad_device_wait(s->device);
}

void triad_gpu_recorded_destroy(triad_gpu_stepper *s)
{
  for (int i = 0; i < 2; i++) triad_device_forget(&s->recorded.before[i]);
  triad_device_forget(&s->recorded.after);
  triad_device_shared_free(s->device, (void **)&s->recorded.talk);
}

static int launch_before(void *self)
{
  triad_gpu_stepper *s = self;
  TRIAD_TRY(triad_gpu_pass_forget(s->pass));
  TRIAD_TRY(launch_pass(s, 0));
  return tell_peaks(s);
}

static int launch_after(void *self)
{
  triad_gpu_stepper *s = self;
  TRIAD_TRY(take_times(s));
  for (int stage = 0; stage < s->scheme->n_stages; stage++) {
    for (int pass = stage == 0; pass < s->set->n_passes; pass++) {
      triad_gpu_results results;
      results.base = triad_gpu_pass_result(s->pass, &results.stride);
      if (pass > 0) TRIAD_TRY(triad_gpu_keep(&s->state.modes, &results, 0, s->u[s->n], triad_device_stream(s->device)));
      TRIAD_TRY(launch_pass(s, pass));
    }
    triad_gpu_update update = triad_gpu_stepper_update_of(s, stage, NAN, NAN); /* what follows from dt is in times */
    update.times = s->recorded.lengths + 3 * stage;
    TRIAD_TRY(s->joins ? triad_gpu_joined_update(s, &update, 1, NULL) : triad_gpu_stepper_update(s, &update));
  }
  return TRIAD_OK;
}

static void has_left(triad_gpu_stepper *s, int pass)
{
  triad_gpu_pass_holds(s->pass, s->flow->shape.pass[pass].n_in, triad_shape_left(&s->flow->shape, pass));
}

int triad_gpu_recorded_advance(triad_gpu_stepper *s, triad_step *step, double *dt)
{
  triad_gpu_talk *talk = s->recorded.talk;
  const triad_gpu_job job = job_of(s, 0);
  const int begun = triad_gpu_pass_has_begun(s->pass, &job); /* by the step before, and nothing has come between */
  talk->come = 0;
  TRIAD_TRY(triad_device_replay(s->device, &s->recorded.before[begun], launch_before, s));
  triad_gpu_pass_stale(s->pass);
  has_left(s, 0);
  TRIAD_TRY(triad_device_wait_for(s->device, &talk->come));
  TRIAD_TRY(triad_stepper_share(s->flow, step, talk->peaks[0]));
  *dt = triad_stepper_choose(s->flow, step);
  for (int i = 0; i < s->scheme->n_stages; i++) {
    const triad_stage *g = &s->scheme->stage[i];
    /* those of the step before have been taken: its peaks came later */
    talk->times[3 * i] = triad_stepper_tau(s->scheme, i, *dt);
    talk->times[3 * i + 1] = g->b * *dt;
    talk->times[3 * i + 2] = g->e * *dt;
  }
  TRIAD_TRY(triad_device_replay(s->device, &s->recorded.after, launch_after, s));
  has_left(s, s->set->n_passes - 1);
  if (s->joins) triad_gpu_pass_begun(s->pass, &job);
  return TRIAD_OK;
}
