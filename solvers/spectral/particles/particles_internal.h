/* Data of all groups of particles, for files of this folder only. */
#ifndef TRIAD_SOLVERS_SPECTRAL_PARTICLES_PARTICLES_INTERNAL_H
#define TRIAD_SOLVERS_SPECTRAL_PARTICLES_PARTICLES_INTERNAL_H

#include "solvers/spectral/particles/gather.h"
#include "solvers/spectral/particles/particles.h"
#include "solvers/spectral/step/stepper.h"

/* Where particles are: on the CPU, or on the GPU that has the state. All but destroy are collective. */
typedef struct triad_particles_way {
  int (*create)(triad_particles *p); /* agreed */
  void (*destroy)(triad_particles *p);
  int (*gather)(triad_particles *p, const triad_gather_want *want, int offset, double *const *out);
  int (*put)(triad_particles *p);  /* the host's records become those that are advanced */
  int (*sort)(triad_particles *p); /* each to its owner, sorted; then the host has the records */
  int (*get)(triad_particles *p);  /* the host has the records, in some order */
} triad_particles_way;

struct triad_particles {
  triad_flow *flow;
  const triad_particles_way *way;
  int n, most_order, heavy_only; /* heavy_only: none has added mass */
  triad_group *group;            /* [n] */
  triad_gather *gather;          /* NULL where they are on a GPU */
  /* that has them: the records are what triad_particles_sort last brought; NULL without */
  struct triad_gpu_particles *gpu;
  triad_observer observer; /* of undivided groups          */
  int observes;            /* a stage's pass, at this time */
  /* modes of du/dt of the stage, and of forces on the other fields; NULL if not needed */
  triad_cplx *rate[4];
  triad_cplx **rates_of;        /* [n_fields] which of those */
  triad_row_work *rates;        /* [threads] of an evaluation of them, where the stage's own is on a GPU; NULL */
  double two_alpha;             /* of a superfluid, whose velocity is that times grad(arg psi); 0: of another fluid */
  struct triad_growfile **file; /* [n] of each group; NULL before the first row */
  int64_t *rows;                /* [n] of them, as a checkpoint has seen them; 0 at a start */
  double **kept;                /* [n] rows of a checkpoint, until the next one */
  int *placed;                  /* [n] it came from a checkpoint */
};

/* What a stage does to each of a group. */
triad_particle_stage triad_group_stage(const triad_group *group, const triad_scheme *scheme, int stage, double dt);

#endif
