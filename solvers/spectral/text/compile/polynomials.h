/* Multipliers as polynomials in i k_x, i k_y, i k_z and in atoms, which are inverses, roots and elements of inverse
 * matrices. Two multipliers are compared coefficient by coefficient, so that no term is lost because it is small at
 * some wavenumbers. For the files of this folder. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_POLYNOMIALS_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_POLYNOMIALS_H

#include "solvers/spectral/text/compile/operators.h"

enum { TRIAD_TEXT_MONOMIALS = 400 };

typedef struct triad_text_polynomial {
  int n;
  triad_text_monomial term[TRIAD_TEXT_MONOMIALS]; /* in rising order of their keys */
} triad_text_polynomial;

/* The polynomial of a node from those of older nodes. 0: it is too long. */
int triad_text_polynomial_of(const triad_text_operators *o, const triad_text_node *x, triad_text_polynomial *out);

/* Store the polynomial of the node that will be number o->n; NULL: the node is an atom. Sets parity and vanishes. */
void triad_text_polynomial_store(triad_text_operators *o, triad_text_node *x, const triad_text_polynomial *p);

/* Does it have atoms? Such polynomials may differ though the multipliers are equal. */
int triad_text_polynomial_has_atoms(const triad_text_polynomial *p);
int triad_text_has_atoms(const triad_text_operators *o, int node);

/* Is p a real multiple of a node? *factor: the number, with its size, and the node. */
int triad_text_polynomial_is_multiple(const triad_text_operators *o, const triad_text_polynomial *p, int of,
                                      triad_text_scaled *factor);

/* Do terms of nodes a and b cancel in the polynomial p of their sum? */
int triad_text_polynomial_cancels(const triad_text_operators *o, const triad_text_polynomial *p, int a, int b);

/* Take a multiple of a node out of p, all of whose terms p has in one ratio. 0: it is not in it. */
int triad_text_polynomial_take(const triad_text_operators *o, triad_text_polynomial *p, int node,
                               triad_text_scaled *factor);

/* sum += a (i k_axis) b with a node b; axis -1: without i k. Finish with tidy, which drops terms that cancel. 0: it is
 * too long. */
int triad_text_polynomial_add(const triad_text_operators *o, triad_text_polynomial *sum, triad_text_scaled a, int axis,
                              int b);
void triad_text_polynomial_tidy(triad_text_polynomial *p);

/* Is a = factor b? Both are tidy; 0 if one is 0. */
int triad_text_polynomial_ratio(const triad_text_polynomial *a, const triad_text_polynomial *b, double *factor);

#endif
