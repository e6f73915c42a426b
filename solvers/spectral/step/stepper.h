/* Time steps: Runge-Kutta schemes of order 2, 3 and 4 in two registers, the decay rate integrated exactly.
 *
 * With v = exp(lambda t) u the equation du/dt = N - lambda u becomes dv/dt = exp(lambda t) N, and each stage of
 * every scheme here reads (docs/methods/time-steps.md eq. 10), with E = exp(-lambda (c' - c) dt) from this stage's time
 * to the next:
 *   u <- E (u + a q + b dt N),   q <- E (d q + e dt N)
 * so that state and one register suffice: N is used where the transform has computed it, and is never stored. The
 * coefficients are those of solvers/schemes.h. */
#ifndef TRIAD_SOLVERS_SPECTRAL_STEP_STEPPER_H
#define TRIAD_SOLVERS_SPECTRAL_STEP_STEPPER_H

#include "solvers/schemes.h"
#include "solvers/spectral/flow.h"
#include "solvers/spectral/step/observer.h"
#include "solvers/step.h"

/* Forms of schemes that this family supports. */
enum { TRIAD_STEPPER_FORMS = TRIAD_SCHEME_REGISTER | TRIAD_SCHEME_SPLIT };

/* Collective. */
int triad_stepper_create(triad_stepper **out, triad_flow *flow, const triad_scheme *scheme);
void triad_stepper_destroy(triad_stepper **stepper);
int triad_stepper_stages(const triad_stepper *stepper);

/* The register, [n_fields]; a step does not read its old values. NULL if it is on a GPU. */
triad_cplx *const *triad_stepper_register(const triad_stepper *stepper);

/* The stepper of a state on a GPU; NULL if the state is on the host. */
struct triad_gpu_stepper *triad_stepper_gpu(const triad_stepper *stepper);

/* describe: log the device and the transport of steps; devices: of the family. For triad bench, traffic: bytes of a
 * step with this number of passes between ranks, and between host and GPU if the device counts them; phases: times
 * since the last call; apart: one phase after the other. Not collective. */
void triad_stepper_describe(const triad_stepper *stepper, const triad_device_support *devices, triad_log *log);
void triad_stepper_traffic(const triad_stepper *stepper, double passes, triad_costs *costs);
triad_phases triad_stepper_phases(const triad_stepper *stepper);
void triad_stepper_apart(const triad_stepper *stepper, int apart);

/* Advance flow->u and flow->at by one step. TRIAD_ERR_BLOWUP on all ranks if a value at the start of the step is
 * not finite; the state is then unchanged. Collective. */
int triad_stepper_advance(triad_stepper *stepper, triad_flow *flow, triad_step *step);

/* share: at the start of a step, one reduction over ranks of the advection rate, the test for blow-up and stop
 * requests. rate: the largest of this rank. Collective. choose: the step's length, from the advection rate and the
 * other limits of the flow. */
int triad_stepper_share(const triad_flow *flow, triad_step *step, double rate);
double triad_stepper_choose(const triad_flow *flow, triad_step *step);

static inline double triad_stepper_tau(const triad_scheme *scheme, int stage, double dt)
{
  const triad_stage *g = &scheme->stage[stage];
  return ((stage + 1 < scheme->n_stages ? g[1].c : 1) - g->c) * dt;
}

/* The nonlinear term of flow->u, pass by pass. It is the first member of its caller's struct, whose address is the
 * `self` of sources and sinks. run: one pass; `own` has its source, its settle, and the sink of the last pass.
 * Collective. */
typedef enum triad_terms { TRIAD_TERMS_ALL, TRIAD_TERMS_RESOLVED, TRIAD_TERMS_CLOSURE } triad_terms;
typedef struct triad_evaluation {
  triad_flow *flow;
  int pass;
  triad_terms terms;                   /* those of the equations and of a closure, or of one of the two */
  const double *shift;                 /* of its passes (fft/pass/pass.h) */
  triad_forcing *force;                /* its formulas are evaluated in the last pass; NULL: none    */
  struct triad_relaxation *relaxation; /* bodies and sponges of the last pass; NULL: none */
  int n_observers;
  const triad_observer *observer[TRIAD_OBSERVERS];
} triad_evaluation;

/* The shift of the current step's grid (fft/pass/pass.h); NULL if grids are not shifted. A stepper begins with its
 * evaluation. */
static inline const double *triad_stepper_shift(const triad_stepper *stepper)
{
  return ((const triad_evaluation *)(const void *)stepper)->shift;
}
void triad_evaluation_source(void *self, const triad_batch *block, triad_cplx *const *in);
int triad_evaluation_run(triad_evaluation *evaluation, int pass, const triad_work *own);

/* The linear terms over a time tau, exactly: decay exp(-lambda(k) tau) of each field, and the rotation of fields 0
 * and 1 by the angle omega(k) tau if the equations have one (solvers/spectral/equations/equations.h;
 * docs/methods/time-steps.md eq. 10). */
typedef struct triad_factors triad_factors;

/* Arguments of the equations for a row of a block: pointers to the fields and the results of a pass, and a buffer for
 * the rates. Allocated once, so that a step allocates nothing. */
typedef struct triad_row_work {
  const triad_cplx **u, **results; /* [n_fields], [maximum number of results]: complex [lane] each */
  triad_lane_row *rates;           /* [n_fields]                                                */
} triad_row_work;

#endif
