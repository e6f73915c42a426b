/* Single modes of vector fields on this rank. */
#ifndef TRIAD_SOLVERS_SPECTRAL_START_MODES_H
#define TRIAD_SOLVERS_SPECTRAL_START_MODES_H

#include "base/precision.h"
#include "grid/layout.h"
#include "solvers/spectral/plain/analytic.h"

/* Place of mode k in a field's storage, or -1 where another rank holds it, nobody does, or its conjugate is held. */
int64_t triad_modes_place(const triad_layout *layout, const int64_t k[3]);

/* u[c] += list's coefficients, where they are held here. Not collective. */
void triad_modes_add(const triad_layout *layout, const triad_mode *list, int count, triad_cplx *const *u);

#endif
