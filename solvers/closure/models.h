/* The subgrid models, one row for each: name, loop over points, key of its constant. Shared by solvers with a
 * velocity. */
#ifndef TRIAD_SOLVERS_CLOSURE_MODELS_H
#define TRIAD_SOLVERS_CLOSURE_MODELS_H

#include "case/case.h"
#include "solvers/closure/eddy_viscosity_points.h"

/* nu[i], i < n, from the gradients g[9][i] of eddy_viscosity_points.h. */
typedef void triad_eddy_rows(const triad_closure_constants *constants, int64_t n, const triad_real *const *g,
                             triad_real *nu);

typedef struct triad_closure_model {
  const char *name;      /* a word of closure.model */
  triad_eddy_rows *rows; /* NULL: a function of wavenumber */
  const char *constant;  /* key of the constant; NULL: computed during the run */
  int dynamic;           /* the constant is computed from a test filter (Germano 1991) */
  const char *source;    /* publication */
} triad_closure_model;

/* The model of a case; NULL: none. Not collective. */
const triad_closure_model *triad_closure_model_of(const triad_case *given);

/* The constants of a model for a filter of width[3] along the axes, 0 for an axis without an extent. constant: of the
 * model's key; asked: closure.width, which replaces these widths if it is not 0. *width_used: Delta, their geometric
 * mean. */
triad_closure_constants triad_closure_constants_of(const triad_closure_model *model, double constant, double asked,
                                                   const double width[3], double *width_used);

#endif
