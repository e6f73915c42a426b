/* Aliases of functions of position. For the files of this folder. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_PROFILES_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_PROFILES_H

#include "case/formula/formula.h"
#include "grid/grid.h"

/* The part of a function of position (rms, of its largest value) that is in modes whose products with those
 * of `fields` fields are aliased with kept modes. Negative: no memory. */
double triad_text_beyond(const triad_formula *f, const triad_grid *grid, int fields);
/* More is not free of aliases: roundings of the function's values leave less. */
static const double triad_text_beyond_none = 1e-11;

#endif
