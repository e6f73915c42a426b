/* Time steps: Runge-Kutta schemes of order 2, 3 and 4 in two registers, the decay rate integrated exactly.
 *
 * With v = exp(lambda t) u the equation du/dt = N - lambda u becomes dv/dt = exp(lambda t) N, and each stage of every
 * scheme here reads (docs/numerics.md eq. 10), with E = exp(-lambda (c' - c) dt) from this stage's time to the next:
 *   u <- E (u + a q + b dt N),   q <- E (d q + e dt N)
 * so that state and one register suffice: N is consumed where the transform leaves it, and is never stored. The coefficients
 * are those of solvers/schemes.h. */
#ifndef TRIAD_SOLVERS_SPECTRAL_STEP_STEPPER_H
#define TRIAD_SOLVERS_SPECTRAL_STEP_STEPPER_H

#include "solvers/schemes.h"
#include "solvers/spectral/flow.h"
#include "solvers/step.h"

/* Schemes that steps of this family can take. */
enum { TRIAD_STEPPER_FORMS = TRIAD_SCHEME_REGISTER | TRIAD_SCHEME_SPLIT };

/* Collective. */
int triad_stepper_create(triad_stepper **out, triad_flow *flow, const triad_scheme *scheme);
void triad_stepper_destroy(triad_stepper **stepper);
int triad_stepper_stages(const triad_stepper *stepper);

/* Steps with the state on a GPU, or on the host and passing through one; NULL where it is not so. */
struct triad_gpu_stepper *triad_stepper_gpu(const triad_stepper *stepper);
struct triad_gpu_offload *triad_stepper_offload(const triad_stepper *stepper);

/* One step of flow->u and flow->at. TRIAD_ERR_BLOWUP on all ranks when a value at the start of the
 * step was not finite; the state is then what it was. Collective. */
int triad_stepper_advance(triad_stepper *stepper, triad_flow *flow, triad_step *step);

#endif
