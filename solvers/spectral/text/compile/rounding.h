/* Rounding errors of the values of multipliers at a wavenumber. The bound of a value is, for its real and its imaginary
 * part, the sum of the absolute values of what this part is made of: a part below TRIAD_TEXT_EQUAL of it is 0. A real
 * term is not compared with imaginary ones, which leave it exact. For the files of this folder. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_ROUNDING_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_ROUNDING_H

#include "solvers/spectral/equations/complex_points.h"
#include "solvers/spectral/text/compile/operators.h"

/* Of an absolute value. */
static inline double triad_text_bound_size(const triad_text_bound *b) { return b->re + b->im; }

/* The bound of node x, whose value is `here`, from the values and bounds of older nodes. */
triad_text_bound triad_text_bound_of(const triad_text_operators *o, const triad_text_node *x, const double k[3],
                                     const double complex *value, double complex here, const triad_text_bound *bound);

/* The bounds of nodes at a wavenumber, from their values (triad_text_evaluate): of those that are needed, or (NULL) of
 * all. */
void triad_text_bounds(const triad_text_operators *o, const double k[3], const char *needed,
                       const double complex *value, triad_text_bound *bound);

/* The inverse of a matrix from the values of its elements: out[n * n]. 0: the matrix is singular to rounding; out is 0
 * then. */
int triad_text_system_inverse(const triad_text_system *m, const double complex *value, triad_value *out);

#endif
