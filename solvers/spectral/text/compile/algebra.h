/* Sums of terms (text.h): sums, products, derivatives, and which terms are alike. For the files of this folder. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_ALGEBRA_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_ALGEBRA_H

#include "solvers/spectral/text/compile/text.h"

/* Memory that lives as long as the text. */
const triad_formula *triad_text_keep(triad_text *text, triad_formula *formula); /* takes it over; NULL if it is */
void triad_text_free_memory(triad_text *text);

/* All return 0 without memory, or where they say so. Sums grow in memory of the text. */
int triad_text_append(triad_text *text, triad_text_sum *sum, triad_text_term term);
int triad_text_sum_add(triad_text *text, triad_text_sum *sum, const triad_text_sum *other, double factor);

/* The product of two terms. -1: it has more than TRIAD_TEXT_FACTORS factors; -2: a product inside an operator is
 * multiplied again; -3: a mean is multiplied. */
int triad_text_multiply(triad_text *text, const triad_text_term *a, const triad_text_term *b, triad_text_term *out);

/* The sum of the absolute values of the parts of a term's number. */
double triad_text_size(const triad_text_term *term);
/* Multiply a term by a number of a size (triad_text_scaled). */
void triad_text_scale(triad_text_term *term, double c, double size);
/* A term's number times the operator of its only factor. */
triad_text_scaled triad_text_of_factor(const triad_text_term *term);

/* The factor by which m multiplies the mean. */
double triad_text_of_mean(const triad_text *text, triad_text_scaled m);

/* A multiplier on a term, or on all of a sum. */
triad_text_term triad_text_apply(triad_text *text, triad_text_scaled m, triad_text_term term);
int triad_text_apply_sum(triad_text *text, triad_text_scaled m, const triad_text_sum *sum, triad_text_sum *out);

/* Add like terms, drop those that are 0: what cancels is compared with the size of the number (TRIAD_TEXT_ROUNDING). */
void triad_text_collect(triad_text_sum *sum);

#endif
