/* A stepper on a GPU, as gpu_stepper.c and gpu_recorded.c share it. */
#ifndef TRIAD_SOLVERS_SPECTRAL_STEP_GPU_STEPPER_INTERNAL_H
#define TRIAD_SOLVERS_SPECTRAL_STEP_GPU_STEPPER_INTERNAL_H

#include "solvers/spectral/closure/gpu_closure.h"
#include "solvers/spectral/force/forcing.h"
#include "solvers/spectral/force/gpu_formula.h"
#include "solvers/spectral/relax/gpu_relax.h"
#include "solvers/spectral/step/gpu_stepper.h"

/* Steps whose launches are recorded: what is launched before a step's peaks are known, and what behind. */
typedef struct triad_gpu_recorded {
  int can, warm; /* warm: a step has been taken as it comes */
  /* before: for a step that begins with its fields, or with existing lines along z */
  triad_device_recorded *before[2], *after;
  double *lengths; /* [3 stages]: tau, b and e of a step, on the GPU */
  triad_gpu_talk *talk;
} triad_gpu_recorded;

struct triad_gpu_stepper {
  triad_flow *flow;
  triad_device *device;
  const triad_scheme *scheme;
  const triad_gpu_set *set;
  const void *law;
  triad_layout *layout; /* one block of all columns */
  triad_gpu_pass *pass;
  triad_gpu_forced *forced;
  triad_gpu_formulas *formulas;
  triad_gpu_closure *closure;       /* NULL: none */
  triad_gpu_relaxation *relaxation; /* NULL: no bodies and no sponges */
  int n;                            /* fields                                              */
  triad_cplx **u, **q;              /* [n + extras], the set's own behind the state; [n]   */
  const triad_cplx **in;            /* [inputs of the first pass]; NULL: fields in order   */
  triad_decay *decay;               /* [n]                                                 */
  triad_cplx *staging;              /* rows of a field on the host, device order           */
  int64_t staged;                   /* rows that it has room for                           */
  triad_real *kept;                 /* what one pass leaves to the next                    */
  double *partial, *out;            /* sums at work, and what comes of them: out_size      */
  int64_t out_size;
  triad_gpu_state state;
  int random; /* a step has a grid of its own: shifts.h              */
  double shift[3];
  char times[TRIAD_GPU_TIMES]; /* of transports, where one was chosen                 */
  /* lines along z and the update between them are one kernel; in this step: gpu_joined.c */
  int can_join, joins;
  int apart; /* time the update of the modes by itself              */
  double update_s, joined_s;
  triad_gpu_recorded recorded;
};

/* gpu_stepper.c: a stage's update, and its launch. */
triad_gpu_update triad_gpu_stepper_update_of(const triad_gpu_stepper *s, int stage, double dt, double tau);
int triad_gpu_stepper_update(triad_gpu_stepper *s, const triad_gpu_update *update);

/* The job of a pass of a stage, for these inputs. */
triad_gpu_job triad_gpu_stepper_job(const triad_gpu_stepper *s, int pass, const triad_cplx *const *in);

#endif
