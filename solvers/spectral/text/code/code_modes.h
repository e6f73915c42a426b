/* The part of the text in C of equations (code.h) about inputs, rates and coupled fields of a mode. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_CODE_CODE_MODES_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_CODE_CODE_MODES_H

#include "solvers/spectral/text/set.h"

#include <stdio.h>

void triad_text_code_modes(FILE *to, const triad_text_set *set);

#endif
