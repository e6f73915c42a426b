/* Direct pressure solve in a box without solids: by Fourier transforms (fourier.h) if it is periodic and uniform, by
 * cosines and a tridiagonal solve (cosines.h) between walls. With solids it is the preconditioner of conjugate
 * gradients. */
#ifndef TRIAD_SOLVERS_STAGGERED_PRESSURE_TRANSFORM_H
#define TRIAD_SOLVERS_STAGGERED_PRESSURE_TRANSFORM_H

#include "solvers/staggered/state/mesh.h"

typedef struct triad_staggered_transform triad_staggered_transform;

/* wisdom: as in fft/lines/lines.h. TRIAD_ERR_MEMORY, TRIAD_ERR_CASE. Collective, as all here but destroy. */
int triad_staggered_transform_create(triad_staggered_transform **out, const triad_staggered_mesh *mesh,
                                     const char *wisdom);
void triad_staggered_transform_destroy(triad_staggered_transform **transform);

/* Cells have other sizes. Not collective. */
void triad_staggered_transform_renew(triad_staggered_transform *transform);

/* q: A q = r of the box without solids, without a mean. In own cells; r's halo is not read. */
int triad_staggered_transform_solve(triad_staggered_transform *transform, const triad_real *r, triad_real *q);

#endif
