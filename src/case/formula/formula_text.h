/* A formula as the text of a function in C, for NVRTC. */
#ifndef TRIAD_CASE_FORMULA_FORMULA_TEXT_H
#define TRIAD_CASE_FORMULA_FORMULA_TEXT_H

#include "case/formula/formula.h"

/* *text <- the source of `TRIAD_POINT double NAME(const double *v)`, its value where variable number i is v[i], in C
 * that a compiler for a GPU takes too; "case/formula/formula_points.h" is to come before it. The caller frees it,
 * also after TRIAD_ERR_MEMORY. */
int triad_formula_text(const triad_formula *formula, const char *name, char **text);

#endif
