/* A flow at one time: its equations, the fields on this rank, and what it takes to advance them. */
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

/* flow_pass.c: a pass of the flow's layout, with `most_left` results kept as modes; planning and wisdom as in
 * fft/lines/lines.h. Collective. */
int triad_flow_make_pass(triad_flow *flow, int most_in, int most_out, int most_left, triad_planning planning,
                         const char *wisdom, triad_pass **pass);

/* The CPU's transforms for most_in inputs and most_out results at most: the pass of the flow, or, where steps are
 * taken on a GPU, one that is made for the occasion, planned without measuring, and given back with its memory.
 * Collective. */
int triad_flow_borrow(triad_flow *flow, int most_in, int most_out, triad_pass **pass);
void triad_flow_return(triad_flow *flow, triad_pass **pass);

/* One backward transform: field[1], complex in the layout's storage -> points, as triad_space_planes has them.
 * Collective. */
int triad_flow_backward(triad_flow *flow, const triad_cplx *field, triad_real *points);

/* split.c: how many ranks share planes, of `size` (parallel.split); TRIAD_ERR_CASE with the nearest that divides
 * them, as refuse has it of a split that was `said` so. Does the case ask for it? How many ranks have no points. Not
 * collective. */
int triad_split_of(const triad_case *given, int size, int *group);
int triad_split_refuse(const char *said, const int64_t split[2], int size);
int triad_split_asked(const triad_case *given);
int64_t triad_split_idle(const triad_layout *layout);

/* Points as triad_flow_backward leaves them -> whole planes, real [z][y][x] of flow->planes; and the transform that
 * goes there at once. Collective. */
int triad_flow_planes(const triad_flow *flow, const triad_real *points, triad_real *planes);
int triad_flow_backward_planes(triad_flow *flow, const triad_cplx *field, triad_real *planes);

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

/* What a rank of `threads` threads will take, without taking it; gpu: steps are taken on a GPU. Not collective. */
void triad_flow_memory(const triad_flow_plan *plan, int threads, int gpu, triad_rank_needs *needs);

/* Add the memory that output needs if the case asks for it. Not collective. */
void triad_flow_output_memory(const triad_flow_plan *plan, int threads, triad_rank_needs *needs);

/* The family, in this precision. */
extern const triad_solver triad_solver_spectral;

/* For solvers/solver.h: sizes, start and forcing of the case, and what it will take; costs of a step and its phases. */
int triad_flow_check(const triad_case *given, int size, int threads, triad_needs *needs);
extern const triad_plan_part triad_spectral_plan; /* plan.c */
triad_costs triad_flow_costs(void *flow);
triad_phases triad_flow_phases(void *flow);
void triad_flow_apart(void *flow, int apart);

#endif
