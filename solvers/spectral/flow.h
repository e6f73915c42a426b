/* A flow at one time: its equations, the fields on this rank, and the data that steps need. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FLOW_H
#define TRIAD_SOLVERS_SPECTRAL_FLOW_H

#include "grid/state.h"
#include "parallel/device.h"
#include "solvers/solver.h"
#include "solvers/spectral/equations/equations.h"

typedef struct triad_forcing triad_forcing;
typedef struct triad_stepper triad_stepper;
struct triad_slices;
struct triad_particles;
struct triad_measure_loops;

typedef struct triad_flow {
  triad_context *context;
  const triad_case *given;
  const triad_equations *equations;
  void *self; /* the equations' own */
  triad_shape shape;
  triad_grid grid;
  triad_layout *layout;
  /* who has which whole planes, for what needs them; `layout` where ranks share none */
  triad_layout *planes;
  triad_pass *pass;   /* NULL where steps are taken on a GPU */
  triad_state *state; /* the fields that are evolved, as modes */
  triad_cplx **u;     /* [n_fields] its host copies: ask the state first */
  triad_instant at;
  double work;            /* what forces have done in all steps, those that count it: the column work_done [U^2] */
  triad_forcing *forcing; /* NULL without */
  triad_stepper *stepper;
  int told_most;                             /* the grid can grow no further (follow.h) */
  const struct triad_measure_loops *measure; /* measure/loops.h: of the device that has the state */
  triad_device *device;                      /* the GPU that holds the state; NULL: it is on the host */
  triad_device *offload;                     /* the GPU that a state on the host passes through; NULL: none */
  struct triad_slices *slices;               /* of a run that writes them; NULL without */
  triad_cplx *pressure;                      /* its modes, for slices that show it, as field n_fields; NULL without */
  struct triad_probes *probes;               /* probe points; NULL without */
  struct triad_particles *particles;         /* that it carries; NULL without */
  triad_log *log;                            /* of a run, from settle on; NULL before */
  struct triad_derived *derived;             /* what files of fields show; NULL: the state's */
} triad_flow;

/* Modes on the host of field f, or of the pressure. */
static inline const triad_cplx *triad_flow_modes(const triad_flow *flow, int f)
{
  return f < flow->shape.n_fields ? flow->u[f] : flow->pressure;
}

/* Make the flow that a case describes, at rest at t = 0. `wisdom` as in fft/lines/lines.h. Collective. */
int triad_flow_create(triad_flow **out, triad_context *context, const triad_case *given, const char *wisdom);
void triad_flow_destroy(triad_flow **flow);

/* What a case makes of its equations, before there is a flow; clear it after, also where make failed. layout: of the
 * last of `size` ranks, which never has less than another; of size 0 NULL. Not collective. */
typedef struct triad_flow_plan {
  const triad_case *given;
  const triad_equations *equations;
  void *self;
  triad_grid grid;
  triad_shape shape;
  triad_layout *layout;
} triad_flow_plan;
int triad_flow_plan_make(triad_flow_plan *plan, const triad_case *given, int size);
void triad_flow_plan_clear(triad_flow_plan *plan);

/* The family, in this precision. */
extern const triad_solver triad_solver_spectral;

/* For solvers/solver.h: sizes, start and forcing of the case, and what it will take; costs of a step and its phases. */
int triad_flow_check(const triad_case *given, int size, int threads, triad_needs *needs);
extern const triad_plan_part triad_spectral_plan; /* plan.c */
triad_costs triad_flow_costs(void *flow);
triad_phases triad_flow_phases(void *flow);
void triad_flow_apart(void *flow, int apart);

#endif
