/* The exact solve of a periodic uniform box without solids, whose matrix the Fourier transform makes diagonal: along
 * each axis -d^2/dx^2 becomes 4 sin^2(k h/2)/h^2. Every mode of the grid is kept. */
#ifndef TRIAD_SOLVERS_STAGGERED_PRESSURE_FOURIER_H
#define TRIAD_SOLVERS_STAGGERED_PRESSURE_FOURIER_H

#include "solvers/staggered/state/mesh.h"

typedef struct triad_staggered_fourier triad_staggered_fourier;

/* wisdom: as in fft/lines/lines.h. TRIAD_ERR_MEMORY, TRIAD_ERR_CASE. Collective, as solve. */
int triad_staggered_fourier_create(triad_staggered_fourier **out, const triad_staggered_mesh *mesh, const char *wisdom);
void triad_staggered_fourier_destroy(triad_staggered_fourier **fourier);

/* Cells have other sizes. Not collective. */
void triad_staggered_fourier_renew(triad_staggered_fourier *fourier);

/* q: A q = r, without a mean. In own cells; r's halo is not read. */
int triad_staggered_fourier_solve(triad_staggered_fourier *fourier, const triad_real *r, triad_real *q);

#endif
