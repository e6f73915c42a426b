/* A mean flow U = S y e_x in the periodic box, equations.shear = S, in Rogallo's frame (docs/methods/shear.md).
 *
 * The flow around U is periodic in x - S t y, y and z. Its modes keep their integer wavenumbers and lean: k_y falls by
 * S k_x per unit of time. The frame has a skew, S t less a whole number m of Lx/Ly; the layout of the flow has it too
 * (grid/layout.h), so products, projections, budgets, spectra and files use the wavenumbers of their time. At the end
 * of the step in which the skew exceeds Lx/(2 Ly) the frame is remeshed: mode (nx, ny, nz) becomes (nx, ny - nx, nz),
 * with the same k_y; m grows by 1. Modes that leave the kept ones are dropped and counted, modes that enter them are 0.
 *
 * The linear terms of the mean flow are those of equations/velocity_points.h. All functions accept NULL: no shear. */
#ifndef TRIAD_SOLVERS_SPECTRAL_SHEAR_SHEAR_H
#define TRIAD_SOLVERS_SPECTRAL_SHEAR_SHEAR_H

#include "solvers/spectral/flow.h"
#include "solvers/spectral/plain/shear_case.h"
#include "store/checkpoint/notes.h"

typedef struct triad_shear triad_shear;

/* Append the columns of a shear to a shape. Not collective. */
int triad_shear_columns(triad_shape *shape, const triad_case *given);

/* *out NULL: the case has no shear. For a flow at rest, whose state is on the host. Not collective. */
int triad_shear_create(triad_shear **out, triad_flow *flow);
void triad_shear_destroy(triad_shear **shear);

/* Rate of change of the skew, S; 0 for NULL. */
double triad_shear_rate(const triad_shear *shear);

/* Set the wavenumbers of time t, for a stage of a step. TRIAD_ERR_INTERNAL for Nyquist modes. Not collective. */
int triad_shear_at(triad_shear *shear, triad_flow *flow, double t);

/* Before a step, and at its end, when flow->at is that of the new state: make vectors solenoidal at the new
 * wavenumbers, count the work of the shear, remesh if the skew exceeds Lx/(2 Ly). room: as many fields as the
 * state, for work. Collective. */
int triad_shear_begin(triad_shear *shear, triad_flow *flow);
int triad_shear_end(triad_shear *shear, triad_flow *flow, triad_cplx *const *room);

/* The state has been changed from outside: the next step begins with its own power. Not collective. */
void triad_shear_forget(triad_shear *shear);

/* The power of the mean flow for the state as it is [U^2/T]; set the columns of a shear. Collective. */
int triad_shear_measure(const triad_shear *shear, triad_flow *flow, double *power, double *columns);

/* Notes of a checkpoint: the frame. restore: the state and flow->at are those of a checkpoint with these notes (NULL:
 * none); branch: of another run. TRIAD_ERR_CASE if the modes lean but the flow has no shear. Not collective. */
int triad_shear_keep(const triad_flow *flow, triad_notes *notes);
int triad_shear_restore(triad_flow *flow, const triad_notes *notes, int branch);

#endif
