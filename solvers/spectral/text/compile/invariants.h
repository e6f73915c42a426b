/* The energy and invariants of equations as text, at one mode. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_INVARIANTS_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_INVARIANTS_H

#include "solvers/spectral/text/compile/text.h"

/* Compute the values of all bases of a mode, from those of the fields. */
void triad_text_fill_bases(const triad_text *text, const double complex *value, double complex *base);

/* The values of all multipliers at a mode with their bounds (rounding.h), and of bases and their rates with the sums of
 * the absolute values of what they are made of. */
typedef struct triad_text_bases {
  const double complex *value, *u, *rate;
  const triad_text_bound *bound;
  const double *u_size, *rate_size;
} triad_text_bases;

/* size: the sums of the absolute values of what the bases are made of, from those of the fields. */
void triad_text_fill_sizes(const triad_text *text, const double complex *value, const triad_text_bound *bound,
                           const double complex *base, double *size);

/* The part of an invariant in a mode: quadratic terms of a and b; linear terms and numbers of the mean alone. */
double triad_text_part_of(const triad_text_invariant *v, const double complex *value, const double complex *a,
                          const double complex *b, int is_mean);

/* The rate in a mode of the energy (number -1) or an invariant, of fields u that change by n; both [bases]. */
double triad_text_form_rate(const triad_text *text, int invariant, const double complex *value, const double complex *u,
                            const double complex *n);

/* The sum of the absolute values of the products that triad_text_form_rate is made of. */
double triad_text_form_size(const triad_text *text, int invariant, const triad_text_bases *mode);

#endif
