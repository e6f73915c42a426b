/* What the transform leaves to be found around solids, at the cells beside them.
 *
 * The box without solids has the matrix A0, the solids close faces, A = A0 - E. For x = A0^-1 g of any charges g,
 * the fluid's A x = g - E x, and E x is not 0 beside solids alone. So once the transform has been taken of a
 * residual, what is left stays there: conjugate gradients preconditioned by the transform keep residual, direction
 * and A d at these cells, and the correction as the charges that it is the transform of. An iteration is one
 * transform and what a list of cells takes; the numbers are those of iterations on whole fields
 * (docs/methods/staggered.md). */
#ifndef TRIAD_SOLVERS_STAGGERED_PRESSURE_SURFACE_H
#define TRIAD_SOLVERS_STAGGERED_PRESSURE_SURFACE_H

#include "solvers/staggered/pressure/transform.h"

typedef struct triad_staggered_surface triad_staggered_surface;

/* transform outlives it, as the mesh does. TRIAD_ERR_MEMORY. Collective, as all here but destroy. */
int triad_staggered_surface_create(triad_staggered_surface **out, triad_staggered_mesh *mesh,
                                   triad_staggered_transform *transform);
void triad_staggered_surface_destroy(triad_staggered_surface **surface);

/* A correction of the residual r, the transform's first; *squares: |r|^2 of what it leaves. */
int triad_staggered_surface_begin(triad_staggered_surface *surface, const triad_real *r, double *squares);

/* An iteration; *squares as before, and *still: there was nothing to gain any more, or no numbers. */
int triad_staggered_surface_iterate(triad_staggered_surface *surface, double *squares, int *still);

/* Add the correction to p: the r of begin is changed. p in solids is of no meaning after it. */
int triad_staggered_surface_end(triad_staggered_surface *surface, triad_real *r, triad_real *p);

#endif
