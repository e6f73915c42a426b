/* A flow at one time: its equations, the fields on this rank, and the data that steps need. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FLOW_H
#define TRIAD_SOLVERS_SPECTRAL_FLOW_H

#include "grid/state.h"
#include "parallel/device.h"
#include "solvers/solver.h"
#include "solvers/spectral/equations/equations.h"

typedef struct triad_forcing triad_forcing;
typedef struct triad_stepper triad_stepper;
struct triad_relaxation;
struct triad_shear;
struct triad_slices;
struct triad_particles;
struct triad_measure_loops;

typedef struct triad_flow {
  triad_context *context;
  const triad_case *given;
  const triad_equations *equations;
  void *self; /* data of the equations */
  triad_shape shape;
  triad_grid grid;
  triad_layout *layout;
  /* distribution of whole planes, for functions that need them; `layout` if ranks share no planes */
  triad_layout *planes;
  triad_pass *pass;   /* NULL if steps run on a GPU */
  triad_state *state; /* the advanced fields, as modes */
  triad_cplx **u;     /* [n_fields] its host copies: request them from the state first */
  triad_instant at;
  double work;                         /* work of forces in all steps, for the column work_done [U^2] */
  triad_forcing *forcing;              /* NULL: none */
  struct triad_relaxation *relaxation; /* bodies and sponges; NULL: none */
  struct triad_shear *shear;           /* mean shear; NULL: none */
  triad_stepper *stepper;
  struct triad_closure *closure;             /* subgrid model; NULL: none */
  int told_most;                             /* 1: has warned that the grid is at its maximum (follow.h) */
  const struct triad_measure_loops *measure; /* measure/loops.h: for the device of the state */
  triad_device *device;                      /* the GPU that stores the state; NULL: the host */
  triad_device *offload;                     /* the GPU that a state on the host passes through; NULL: none */
  struct triad_slices *slices;               /* slices of the run; NULL: none */
  triad_cplx *pressure;                      /* modes of the pressure for slices, as field n_fields; NULL: none */
  struct triad_probes *probes;               /* probe points; NULL: none */
  struct triad_particles *particles;         /* particles; NULL: none */
  triad_log *log;                            /* of a run, from settle on; NULL before */
  struct triad_derived *derived;             /* quantities of files of fields; NULL: the fields of the state */
} triad_flow;

/* Modes on the host of field f, or of the pressure. */
static inline const triad_cplx *triad_flow_modes(const triad_flow *flow, int f)
{
  return f < flow->shape.n_fields ? flow->u[f] : flow->pressure;
}

/* Create the flow of a case, at rest at t = 0. `wisdom` as in fft/lines/lines.h. Collective. */
int triad_flow_create(triad_flow **out, triad_context *context, const triad_case *given, const char *wisdom);
void triad_flow_destroy(triad_flow **flow);

/* The equations and their shape in a case, before a flow exists; call clear after it, also if make failed. layout: of
 * the last of `size` ranks, which has at least as much as any other; NULL for size 0. Not collective. */
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

/* Members of solvers/solver.h: check of a case and its resource estimate; cost of a step and its phases. */
int triad_flow_check(const triad_case *given, int size, int threads, triad_needs *needs);
int triad_flow_explain(const triad_case *given, void (*print)(void *who, const char *line), void *who);
extern const triad_plan_part triad_spectral_plan; /* plan.c */
triad_costs triad_flow_costs(void *flow);
triad_phases triad_flow_phases(void *flow);
void triad_flow_apart(void *flow, int apart);

#endif
