/* Subgrid models of a flow of modes: the stress of unresolved scales, tau_ij = -2 nu_t S_ij, and its analogue for
 * scalars (docs/methods/closures.md). At points it joins the products of the equations, so that no further result is
 * transformed; its inputs, the velocity gradients, follow the fields of a pass. Model spectral acts on modes. */
#ifndef TRIAD_SOLVERS_SPECTRAL_CLOSURE_CLOSURE_H
#define TRIAD_SOLVERS_SPECTRAL_CLOSURE_CLOSURE_H

#include "store/checkpoint/notes.h"
#include "solvers/spectral/flow.h"

typedef struct triad_closure triad_closure;

/* Of the maxima of a pass with a closure (equations.h): the largest nu_t [L^2/T]. */
enum { TRIAD_PEAK_VISCOSITY = 1 };

/* Does the case have a closure? Not collective. */
int triad_closure_asked(const triad_case *given);

/* Append the inputs, columns and transfers of a closure to the shape of a set; nothing without one. Not collective. */
int triad_closure_shape(triad_shape *shape, const triad_case *given);

/* *out NULL: the case has no closure. For a flow whose steps run on the CPU. The status is this rank's; the caller
 * agrees. */
int triad_closure_create(triad_closure **out, const triad_flow *flow);
void triad_closure_destroy(triad_closure **closure, const triad_flow *flow);

/* Number of inputs of a pass that it adds; 0 for NULL. pass: which of them are slopes (fft/pass/pass.h). source: fill
 * the others, in[n_fields ..], from the rows of the fields in[0 ..]. points: add the stress to the products of the
 * equations, and the largest nu_t to peaks[]. */
int triad_closure_inputs(const triad_closure *closure);
void triad_closure_pass(const triad_closure *closure, triad_work *work);
void triad_closure_source(const triad_closure *closure, const triad_batch *block, triad_cplx *const *in);
void triad_closure_points(const triad_closure *closure, int64_t n, triad_real *const *in, triad_real *const *out,
                          double *peaks);

/* Before a step: the coefficient of a dynamic model, if it is due. Within each pass of a stage, before the length of
 * the step is chosen: the largest nu_t of all ranks, or the amplitude of model spectral. peaks: NULL in later stages,
 * whose largest nu_t nothing asks for. Collective. */
int triad_closure_begin(triad_flow *flow);
int triad_closure_settle(triad_flow *flow, const double *peaks);

/* Model spectral: subtract nu_t(k) k^2 u from the rates n of a row of modes at `at`. Others: nothing. */
void triad_closure_rates(const triad_closure *closure, int64_t at, const triad_cplx *const *u, triad_lane_row *n);

/* Re conj(u).N of the closure for the modes of a row, fields first .. first + n - 1; model spectral only. */
void triad_closure_transfer(const triad_closure *closure, int64_t at, const triad_cplx *const *u, int first, int n,
                            double *transfer);

/* The largest rate nu_t k^2 of the explicit term [1/time]; 0 for NULL. */
double triad_closure_rate(const triad_closure *closure);

/* Set its columns for the state as it is, and add its drain to the columns of dissipation. Collective. */
int triad_closure_measure(triad_flow *flow, double *columns);

/* Notes of a checkpoint, and from one (NULL: none). Not collective. */
int triad_closure_keep(const triad_closure *closure, triad_notes *notes);
int triad_closure_settle_notes(triad_closure *closure, const triad_notes *notes);

#endif
