/* Transforms on the CPU for code that has a flow: by the pass of its steps, or by one made for the purpose. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FLOW_PASS_H
#define TRIAD_SOLVERS_SPECTRAL_FLOW_PASS_H

#include "solvers/spectral/flow.h"

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

#endif
