/* Launch the kernel that updates modes and transforms lines along z on both sides of the update
 * (solvers/spectral/equations/device_joined.h). */
#include "solvers/spectral/step/gpu_joined.h"
#include "solvers/spectral/step/gpu_stepper_internal.h"

#include "base/clock.h"

int triad_gpu_joined_can(const triad_gpu_stepper *s)
{
  const triad_gpu_spectral *set = s->set->spectral;
  const double *grid[2];
  if (!set->joins || s->set->n_passes != 1 || s->set->sources > 0 || s->scheme->form == TRIAD_SCHEME_SPLIT) return 0;
  if (s->formulas || s->relaxation || s->closure) return 0;
  if (!s->random && triad_gpu_pass_grids(s->pass, grid) > 1) return 0;
  return set->joins(triad_gpu_pass_open(s->pass).shape, s->n);
}

int triad_gpu_joined_update(triad_gpu_stepper *s, const triad_gpu_update *update, int begins, const double *shift)
{
  const triad_gpu_open open = triad_gpu_pass_open(s->pass);
  triad_gpu_shift next;
  triad_gpu_job job = triad_gpu_stepper_job(s, 0, triad_gpu_stepper_inputs(s, 0));
  job.shift = s->random ? shift : NULL;
  if (begins) TRIAD_TRY(triad_gpu_pass_next(s->pass, job.shift, &next));
  const triad_gpu_joined lines = {open.shape, open.work, begins ? &next : NULL};
  const double begin = triad_now();
  TRIAD_TRY(s->set->spectral->joined(s->law, update, &lines, triad_device_stream(s->device)));
  if (begins) triad_gpu_pass_begun(s->pass, &job);
  if (!s->apart) return TRIAD_OK;
  TRIAD_TRY(triad_device_wait(s->device));
  s->joined_s += triad_now() - begin;
  return TRIAD_OK;
}
