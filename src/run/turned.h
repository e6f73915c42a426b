/* Physical fields dealt by y instead of z: real [z][y_local][x], for what needs whole lines along z. */
#ifndef TRIAD_RUN_TURNED_H
#define TRIAD_RUN_TURNED_H

#include "base/precision.h"
#include "grid/layout.h"
#include "parallel/comm.h"

#define triad_turned_rows TRIAD_NAME(turned_rows)
#define triad_turned TRIAD_NAME(turned)

/* How many y this rank holds of a turned field. */
int64_t triad_turned_rows(const triad_layout *layout);

/* planes [z_local][y][x] -> out [z][y_local][x]. No memory besides: a plane of each rank travels at a time. Collective;
 * failures have been agreed on. */
int triad_turned(const triad_comm *comm, const triad_layout *layout, const triad_real *planes, triad_real *out);

#endif
