/* The energy and invariants of equations as text, at one mode. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_INVARIANTS_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_INVARIANTS_H

#include "solvers/spectral/text/compile/text.h"

/* Compute the values of all bases of a mode, from those of the fields. */
void triad_text_fill_bases(const triad_text *text, const double complex *value, double complex *base);

/* The part of an invariant in a mode: quadratic terms of a and b; linear terms and numbers of the mean alone. */
double triad_text_part_of(const triad_text_invariant *v, const double complex *value, const double complex *a,
                          const double complex *b, int is_mean);

/* The rate in a mode of the energy (number -1) or an invariant, of fields u that change by n; both [bases]. */
double triad_text_form_rate(const triad_text *text, int invariant, const double complex *value, const double complex *u,
                            const double complex *n);

#endif
