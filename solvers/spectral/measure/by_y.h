/* Physical fields dealt by y instead of z: real [z][y_local][x], for what needs whole lines along z. */
#ifndef TRIAD_SOLVERS_SPECTRAL_MEASURE_BY_Y_H
#define TRIAD_SOLVERS_SPECTRAL_MEASURE_BY_Y_H

#include "base/precision.h"
#include "grid/layout.h"
#include "parallel/comm.h"


/* How many y this rank holds of a turned field. */
int64_t triad_by_y_rows(const triad_layout *layout);

/* planes [z_local][y][x] -> out [z][y_local][x]. No memory besides: a plane of each rank travels at a time. Collective;
 * failures have been agreed on. */
int triad_by_y(const triad_comm *comm, const triad_layout *layout, const triad_real *planes, triad_real *out);

#endif
