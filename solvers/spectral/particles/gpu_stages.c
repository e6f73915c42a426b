/* Stages of particles on a GPU: the velocity of the fluid, from the pass of the stage or from a pass of its own, the
 * acceleration of the fluid with added mass, and the motion. */
#include "solvers/spectral/particles/gpu_stages.h"
#include "solvers/spectral/particles/gpu_internal.h"
#include "solvers/spectral/particles/gpu_order.h"
#include "solvers/spectral/particles/gpu_gather.h"

#include "solvers/spectral/force/forcing.h"
#include "solvers/spectral/gpu_part.h"

/* Does a group keep the fluid's velocity for the stage? */
static int keeps(const triad_gpu_particles *p, int i) { return triad_gpu_members_keep(&p->group[i]); }

/* Where velocities go; in the first stage dt is known when its pass is over: until then to the places' register,
 * which holds nothing. */
static void set_arrivals(triad_gpu_particles *p, const triad_scheme *scheme, int stage, double dt)
{
  for (int i = 0; i < p->n; i++) {
    const triad_gpu_group *g = &p->member[i].at;
    p->arrival[i] = (triad_gpu_arrival){.fields = 3, .stage = triad_group_stage(&p->group[i], scheme, stage, dt)};
    for (int a = 0; a < 3 && (stage == 0 || keeps(p, i)); a++) p->arrival[i].to[a] = keeps(p, i) ? g->u[a] : g->xq[a];
  }
}

static int run_ways(triad_gpu_particles *p, const triad_gpu_terms *terms, int first, int mass)
{
  for (int k = first; k < TRIAD_GPU_GATHER_WAYS; k++)
    if (triad_gpu_gather_has(p, triad_gpu_gather_ways[k], mass))
      TRIAD_TRY(triad_gpu_gather_run(p, terms, triad_gpu_gather_ways[k]));
  return TRIAD_OK;
}

/* ---- a superfluid ---- */

static int superfluid(triad_gpu_particles *p)
{
  for (int along = -1; along < 3; along++) {
    const triad_gpu_terms psi = triad_gpu_gather_terms(2, p->state->u, along);
    for (int i = 0; i < p->n; i++) {
      double *const *aside = p->member[i].at.aside + (along < 0 ? 0 : 2);
      p->arrival[i] = (triad_gpu_arrival){.fields = 2, .to = {aside[0], aside[1]}};
    }
    TRIAD_TRY(run_ways(p, &psi, 0, 0));
    for (int i = 0; along >= 0 && i < p->n; i++)
      if (p->member[i].at.n > 0)
        TRIAD_TRY(triad_gpu_particles_superfluid(&p->member[i].at, p->two_alpha, p->group[i].least, along,
                                                 triad_device_stream(p->device)));
  }
  return TRIAD_OK;
}

/* ---- added mass: Du/Dt as of acceleration.c ---- */

/* What comes next belongs to the acceleration of those that have added mass: times component `along` of the
 * velocity, or as it is (-1). */
static void to_acceleration(triad_gpu_particles *p, int along, int adds)
{
  for (int i = 0; i < p->n; i++) {
    const triad_gpu_group *g = &p->member[i].at;
    p->arrival[i] = (triad_gpu_arrival){0};
    if (!(p->group[i].mass > 0)) continue;
    p->arrival[i] = (triad_gpu_arrival){.fields = 3,
                                        .to = {g->aside[0], g->aside[1], g->aside[2]},
                                        .times = along < 0 ? NULL : g->u[along],
                                        .adds = adds};
  }
}

/* (u.grad) u of the stage's state. */
static int begin_acceleration(triad_gpu_particles *p)
{
  for (int along = 0; along < 3; along++) {
    const triad_gpu_terms gradient = triad_gpu_gather_terms(3, p->state->u, along);
    to_acceleration(p, along, along > 0);
    TRIAD_TRY(run_ways(p, &gradient, 0, 1));
  }
  return TRIAD_OK;
}

/* A stage that begins with du = 0 and steps by 1 in no time leaves the rates in its register, and the state as it
 * is. */
int triad_gpu_particles_rates(triad_gpu_particles *p, const triad_gpu_spectral *spectral, const void *law,
                              const triad_gpu_update *update, triad_cplx *const **rates)
{
  void *stream;
  *rates = NULL;
  if (!p || !p->rates) return TRIAD_OK;
  *rates = p->rates;
  stream = triad_device_stream(p->device);
  triad_gpu_update only = *update;
  only.q = p->rates;
  only.a = only.b = only.d = only.tau = 0;
  only.e = only.first = 1;
  only.last = 0;
  if (only.modes.n == 0) return TRIAD_OK;
  const triad_decay decay = triad_forcing_decay(p->flow, 0);
  TRIAD_TRY(spectral->update(law, &only, stream));
  return triad_gpu_particles_decay(&only.modes, &decay, (const triad_cplx *const *)update->u, p->rates, stream);
}

/* du/dt, of what has become of the stage. */
static int end_acceleration(triad_gpu_particles *p)
{
  const triad_gpu_terms rates = triad_gpu_gather_terms(3, p->rate, -1);
  to_acceleration(p, -1, 1);
  return run_ways(p, &rates, 0, 1);
}

/* ---- a stage ---- */

int triad_gpu_particles_prepare(triad_gpu_particles *p, const triad_scheme *scheme, int stage, double dt)
{
  if (!p) return TRIAD_OK;
  TRIAD_TRY(triad_gpu_particles_order(p, 0));
  if (p->two_alpha > 0) return superfluid(p);
  const triad_gpu_terms u = triad_gpu_gather_terms(3, p->state->u, -1);
  set_arrivals(p, scheme, stage, dt);
  /* the stage's own points are those of the grid */
  p->watches = triad_gpu_gather_has(p, 0, 0) && !p->layout->grid.shifted && !p->rates;
  TRIAD_TRY(run_ways(p, &u, p->watches, 0));
  return p->rates ? begin_acceleration(p) : TRIAD_OK;
}

void triad_gpu_particles_watch(triad_gpu_particles *p, triad_gpu_job *job)
{
  if (p && p->watches) triad_gpu_gather_watch(p, job);
}

int triad_gpu_particles_advance(triad_gpu_particles *p, const triad_scheme *scheme, int stage, double dt)
{
  if (!p) return TRIAD_OK;
  if (p->watches) TRIAD_TRY(triad_gpu_gather_finish(p));
  p->watches = 0;
  if (p->rates) TRIAD_TRY(end_acceleration(p));
  set_arrivals(p, scheme, stage, dt);
  for (int i = 0; i < p->n; i++) {
    if (p->member[i].at.n == 0 || !p->arrival[i].to[0]) continue;
    TRIAD_TRY(triad_gpu_particles_move(&p->member[i].at, &p->arrival[i], triad_device_stream(p->device)));
  }
  return TRIAD_OK;
}
