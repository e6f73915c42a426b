/* A stepper, and the ways in which it steps: on the CPU, with the state on a GPU, with a state on the host that passes
 * through a GPU. Not for other rooms. */
#ifndef TRIAD_SOLVERS_SPECTRAL_STEP_STEPPER_INTERNAL_H
#define TRIAD_SOLVERS_SPECTRAL_STEP_STEPPER_INTERNAL_H

#include "solvers/spectral/gpu_part.h"
#include "solvers/spectral/step/stepper.h"

/* Rows of a way. A function may be NULL only where its comment says so. */
typedef struct triad_step_way {
  triad_where where; /* which copy of the state it advances */
  /* Allocate what the way needs in addition to the stepper; NULL: nothing. Collective, as destroy */
  int (*create)(triad_stepper *s, triad_flow *flow);
  void (*destroy)(triad_stepper *s);
  int (*advance)(triad_stepper *s, triad_flow *flow);
  /* A pass of a stage; the whole of a split step, once s->dt is known. NULL: advance has its own */
  int (*pass)(triad_stepper *s, int pass);
  int (*split)(triad_stepper *s, triad_flow *flow);
  /* For triad bench; traffic: what the way counts itself, `passes` of them in a step */
  void (*traffic)(const triad_stepper *s, double passes, triad_costs *costs);
  triad_phases (*phases)(const triad_stepper *s);
  void (*apart)(const triad_stepper *s, int apart);
  void (*describe)(const triad_stepper *s, const triad_device_support *devices, triad_log *log); /* lines of a log */
} triad_step_way;

struct triad_stepper {
  triad_evaluation now; /* first: sources and points see no more of it */
  const triad_step_way *way;
  const triad_scheme *scheme;
  triad_cplx **q;       /* [n_fields] the register; NULL where the scheme or a GPU has no need of it here */
  triad_row_work *rows; /* [threads] */
  triad_factors *factors;
  struct triad_coupling *coupling; /* step/coupled.h; NULL: no fields are coupled */
  triad_step *step;                /* the step at hand */
  int stage;
  double dt, tau;
  int random; /* a step has a grid of its own: shifts.h */
  double shift[3];
  triad_gpu_stepper *gpu;     /* NULL: the state is on the host */
  triad_gpu_offload *offload; /* through which it passes; NULL: the CPU */
};

/* ways.c: rows of a state on a GPU, and of one that passes through a GPU; rows of the CPU for triad bench. */
int triad_way_gpu_create(triad_stepper *s, triad_flow *flow);
void triad_way_gpu_destroy(triad_stepper *s);
int triad_way_gpu_advance(triad_stepper *s, triad_flow *flow);
void triad_way_gpu_traffic(const triad_stepper *s, double passes, triad_costs *costs);
triad_phases triad_way_gpu_phases(const triad_stepper *s);
void triad_way_gpu_apart(const triad_stepper *s, int apart);
void triad_way_gpu_describe(const triad_stepper *s, const triad_device_support *devices, triad_log *log);

void triad_way_host_destroy(triad_stepper *s);

triad_phases triad_way_host_phases(const triad_stepper *s);

#endif
