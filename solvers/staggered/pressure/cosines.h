/* Direct pressure solve in a box with walls and without solids. Along a periodic uniform axis the matrix is diagonal in
 * sines and cosines, between walls on a uniform axis in cosines. Along the last axis, stretched or not, a tridiagonal
 * system remains for each pair of waves:
 *
 *   (h_j lambda + 1/d_j + 1/d_{j+1}) q_j - q_{j-1}/d_j - q_{j+1}/d_{j+1} = r_j h/V,   1/d = 0 at the two walls
 *
 * lambda the sum of 4 sin^2(pi k/n)/h^2 and 4 sin^2(pi k/2n)/h^2 of the two waves: those of the discrete matrix, so
 * that the answer is exact to round-off. docs/methods/staggered.md. */
#ifndef TRIAD_SOLVERS_STAGGERED_PRESSURE_COSINES_H
#define TRIAD_SOLVERS_STAGGERED_PRESSURE_COSINES_H

#include "solvers/staggered/state/mesh.h"

typedef struct triad_staggered_cosines triad_staggered_cosines;

/* wisdom: as in fft/lines/lines.h. TRIAD_ERR_MEMORY, TRIAD_ERR_CASE. Collective, as solve. */
int triad_staggered_cosines_create(triad_staggered_cosines **out, const triad_staggered_mesh *mesh, const char *wisdom);
void triad_staggered_cosines_destroy(triad_staggered_cosines **cosines);

/* Cells have other sizes. Not collective. */
void triad_staggered_cosines_renew(triad_staggered_cosines *cosines);

/* q: A q = r, without a mean. In own cells; r's halo is not read. */
int triad_staggered_cosines_solve(triad_staggered_cosines *cosines, const triad_real *r, triad_real *q);

#endif
