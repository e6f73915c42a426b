/* The share of aliases in the rates of change. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_ALIASING_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_ALIASING_H

#include "solvers/spectral/flow.h"

/* The share of aliases in the rates of change on the grid on which the next step computes its products
 * (docs/methods/phase-shifts.md). Rates on that grid and on the one half a cell away along all axes differ by twice the
 * aliases across one axis. share: the norm of half that difference over that of the rates, for fields whose squares
 * are the energy. It costs two evaluations of the nonlinear term, which do not change the state and use the stepper's
 * register. Collective; failures have been agreed on. column: appended to a shape if the case asks for it, at the
 * index that the second function returns, -1 for none. */
int triad_aliasing_column(triad_shape *shape, const triad_case *given);
int triad_aliasing_place(const triad_shape *shape);
int triad_aliasing_measure(triad_flow *flow, double *share);

/* The row of the CPU in the table of loops.h. */
int triad_aliasing_host(triad_flow *flow, const double *const grid[2], double squares[2]);

#endif
