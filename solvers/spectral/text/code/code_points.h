/* The part of the text in C of equations (code.h) about points. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_CODE_CODE_POINTS_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_CODE_CODE_POINTS_H

#include "solvers/spectral/text/set.h"

#include <stdio.h>

void triad_text_code_points(FILE *to, const triad_text_set *set);

#endif
