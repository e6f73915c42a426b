/* Time steps: Runge-Kutta schemes of order 2, 3 and 4 in two registers, the decay rate integrated exactly.
 *
 * With v = exp(lambda t) u the equation du/dt = N - lambda u becomes dv/dt = exp(lambda t) N, and each stage of
 * every scheme here reads (docs/methods/time-steps.md eq. 10), with E = exp(-lambda (c' - c) dt) from this stage's time
 * to the next:
 *   u <- E (u + a q + b dt N),   q <- E (d q + e dt N)
 * so that state and one register suffice: N is consumed where the transform leaves it, and is never stored. The
 * coefficients are those of solvers/schemes.h. */
#ifndef TRIAD_SOLVERS_SPECTRAL_STEP_STEPPER_H
#define TRIAD_SOLVERS_SPECTRAL_STEP_STEPPER_H

#include "solvers/schemes.h"
#include "solvers/spectral/flow.h"
#include "solvers/spectral/step/observer.h"
#include "solvers/step.h"

/* Schemes that steps of this family can take. */
enum { TRIAD_STEPPER_FORMS = TRIAD_SCHEME_REGISTER | TRIAD_SCHEME_SPLIT };

/* Collective. */
int triad_stepper_create(triad_stepper **out, triad_flow *flow, const triad_scheme *scheme);
void triad_stepper_destroy(triad_stepper **stepper);
int triad_stepper_stages(const triad_stepper *stepper);

/* Its register, [n_fields], of which no step reads what it finds; NULL where it is on a GPU. */
triad_cplx *const *triad_stepper_register(const triad_stepper *stepper);

/* Steps with the state on a GPU; NULL where it is on the host. */
struct triad_gpu_stepper *triad_stepper_gpu(const triad_stepper *stepper);

/* How the steps are taken, in lines of a log; devices: of the family. For triad bench: what a step of so many passes
 * moves between ranks, and to a GPU and back, as far as its way counts that itself; times by phase since the last call;
 * apart: one phase after the other. Not collective. */
void triad_stepper_describe(const triad_stepper *stepper, const triad_device_support *devices, triad_log *log);
void triad_stepper_traffic(const triad_stepper *stepper, double passes, triad_costs *costs);
triad_phases triad_stepper_phases(const triad_stepper *stepper);
void triad_stepper_apart(const triad_stepper *stepper, int apart);

/* One step of flow->u and flow->at. TRIAD_ERR_BLOWUP on all ranks when a value at the start of the
 * step was not finite; the state is then what it was. Collective. */
int triad_stepper_advance(triad_stepper *stepper, triad_flow *flow, triad_step *step);

/* At the start of a step, of this rank's largest advection rate: one reduction for blow-up, stop requests and the rate
 * of all. Collective. Then the step's length, from that rate and what else the flow goes through; and the time from a
 * stage of it to the next. */
int triad_stepper_share(const triad_flow *flow, triad_step *step, double rate);
double triad_stepper_choose(const triad_flow *flow, triad_step *step);

/* The largest Courant number dt max sum_i |u_i|/dx_i at which a scheme is stable: what it reaches on the imaginary
 * axis over the largest k dx of the kept modes, 2 pi/3, sqrt(2) times that with phase shifts, or pi without
 * truncation. 0: not known. Not collective. */
double triad_stepper_bound(const triad_scheme *scheme, const triad_grid *grid);
static inline double triad_stepper_tau(const triad_scheme *scheme, int stage, double dt)
{
  const triad_stage *g = &scheme->stage[stage];
  return ((stage + 1 < scheme->n_stages ? g[1].c : 1) - g->c) * dt;
}

/* The nonlinear term of flow->u, pass by pass; the first member of whoever drives it, whose address sources and sinks
 * get as their self. run: one pass of it, of whose work `own` says source, settle and the sink of the last one.
 * Collective. */
typedef struct triad_evaluation {
  triad_flow *flow;
  int pass;
  const double *shift;  /* of its passes (fft/pass/pass.h) */
  triad_forcing *force; /* whose formulas are worked out in the last pass; NULL: none */
  int n_observers;
  const triad_observer *observer[TRIAD_OBSERVERS];
} triad_evaluation;

/* How far the grid of the step at hand is shifted (fft/pass/pass.h); NULL if steps have no grid of their own. A stepper
 * begins with its evaluation. */
static inline const double *triad_stepper_shift(const triad_stepper *stepper)
{
  return ((const triad_evaluation *)(const void *)stepper)->shift;
}
void triad_evaluation_source(void *self, const triad_batch *block, triad_cplx *const *in);
int triad_evaluation_run(triad_evaluation *evaluation, int pass, const triad_work *own);

/* The linear terms over a time tau, exactly: decay exp(-lambda(k) tau) of each field, and the rotation of fields 0
 * and 1 by the angle omega(k) tau where the equations have one (solvers/spectral/equations/equations.h;
 * docs/methods/time-steps.md eq. 10). */
typedef struct triad_factors triad_factors;

/* Arguments of the equations for a row of a block: pointers to the fields and the results of a pass, and a buffer for
 * the rates. Allocated once, so that a step allocates nothing. */
typedef struct triad_row_work {
  const triad_cplx **u, **results; /* [n_fields], [most that chains leave of results]: complex [lane] each */
  triad_lane_row *rates;           /* [n_fields]                                                */
} triad_row_work;

#endif
