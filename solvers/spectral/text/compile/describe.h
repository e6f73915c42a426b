/* What the compiler found, line by line (equations.h). */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_DESCRIBE_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_DESCRIBE_H

#include "solvers/spectral/text/set.h"

void triad_text_describe(const void *self, triad_log *log);
void triad_text_explain(const void *self, void (*print)(void *who, const char *line), void *who);

#endif
