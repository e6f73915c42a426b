/* The part of the text in C of equations (code.h) about sums, spectra and transfers. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_CODE_CODE_BUDGET_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_CODE_CODE_BUDGET_H

#include "solvers/spectral/text/set.h"

#include <stdio.h>

void triad_text_code_budget(FILE *to, const triad_text_set *set);

#endif
