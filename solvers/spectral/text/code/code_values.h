/* Parts of the text in C of equations (code.h): numbers and multipliers of modes. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_CODE_CODE_VALUES_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_CODE_CODE_VALUES_H

#include "solvers/spectral/text/set.h"

#include <stdio.h>

/* A number in C. */
void triad_text_code_number(FILE *to, double value);

/* The function void name(const double k[3], triad_value *n): values of all nodes that are needed, at their numbers. */
void triad_text_code_values(FILE *to, const triad_text_set *set, const char *name, const char *needed);

#endif
