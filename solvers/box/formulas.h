/* Formulas of a case (case/formula.h) at the points of a space. */
#ifndef TRIAD_SOLVERS_BOX_FORMULAS_H
#define TRIAD_SOLVERS_BOX_FORMULAS_H

#include "base/precision.h"
#include "case/case.h"
#include "grid/space.h"
#include "parallel/context.h"

/* out[space->memory] <- formula number i of `key` at the entries' positions, 0 where there is no formula; entries of
 * no run are left alone. TRIAD_ERR_CASE names the first point on this rank where the value is not finite in this
 * precision; TRIAD_ERR_MEMORY. Not collective. */
int triad_formulas_fill(const triad_context *context, const triad_case *given, const triad_space *space,
                        const char *key, int i, triad_real *out);

/* The same of one that has been compiled, which `key` gives; NULL: 0 everywhere. */
int triad_formulas_fill_with(const triad_context *context, const triad_formula *formula, const triad_space *space,
                             const char *key, triad_real *out);

#endif
