/* The correction of the transform around solids, at the cells that adjoin them.
 *
 * The box without solids has the matrix A0, and solids close faces: A = A0 - E. For x = A0^-1 g with any charges g,
 * the fluid has A x = g - E x, and E x is 0 except in cells that adjoin solids. After a transform of a residual, the
 * remaining residual is therefore confined to these cells: conjugate gradients preconditioned by the transform store
 * residual, direction and A d only there, and the correction as the charges whose transform it is. An iteration is one
 * transform and work on a list of cells; the results are those of iterations on whole fields
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
