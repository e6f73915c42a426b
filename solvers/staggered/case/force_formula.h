/* An acceleration that is a formula of x, y, z, t and the velocity, for each component, at its faces. */
#ifndef TRIAD_SOLVERS_STAGGERED_CASE_FORCE_FORMULA_H
#define TRIAD_SOLVERS_STAGGERED_CASE_FORCE_FORMULA_H

#include "case/case.h"
#include "solvers/staggered/state/mesh.h"

typedef struct triad_staggered_formulas triad_staggered_formulas;

/* *out stays NULL where forcing.kind is another. TRIAD_ERR_MEMORY. Collective. */
int triad_staggered_formulas_create(triad_staggered_formulas **out, triad_context *context, const triad_case *given);
void triad_staggered_formulas_destroy(triad_staggered_formulas **formulas);

/* out += rate f(x, t, in) at faces that are open; other components of `in` are means of the four faces around. The
 * halos of `in` are filled; rows of out are left closed, as triad_staggered_closes_rows has it. TRIAD_ERR_CASE where
 * a value is not finite. Collective. */
int triad_staggered_formulas_add(triad_staggered_formulas *formulas, const triad_staggered_mesh *mesh, double t,
                                 double rate, triad_real *const in[3], triad_real *const out[3]);

/* Of the velocity at time t: the largest |f| of each component, and the sum over faces of volume u f. As above,
 * collective. */
int triad_staggered_formulas_measure(triad_staggered_formulas *formulas, const triad_staggered_mesh *mesh, double t,
                                     triad_real *const u[3], double most[3], double *power);

#endif
