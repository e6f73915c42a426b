/* A formula as a tree, for callers that evaluate it by rules of their own (solvers/spectral/text); and formulas
 * joined to larger ones. Nothing here is collective. */
#ifndef TRIAD_CASE_FORMULA_FORMULA_TREE_H
#define TRIAD_CASE_FORMULA_FORMULA_TREE_H

#include "case/formula/formula.h"

/* FUNCTION: functions, comparisons and logic of numbers, as triad_formula_join applies them; POWER of two operands;
 * SQUARE of one. WORD: a function of the scope. */
typedef enum triad_formula_kind {
  TRIAD_TREE_NUMBER,
  TRIAD_TREE_VARIABLE,
  TRIAD_TREE_NEGATE,
  TRIAD_TREE_ADD,
  TRIAD_TREE_SUBTRACT,
  TRIAD_TREE_MULTIPLY,
  TRIAD_TREE_DIVIDE,
  TRIAD_TREE_SQUARE,
  TRIAD_TREE_POWER,
  TRIAD_TREE_DOT,
  TRIAD_TREE_VECTOR,
  TRIAD_TREE_WORD,
  TRIAD_TREE_FUNCTION
} triad_formula_kind;

enum { TRIAD_FORMULA_OPERANDS = 8 };

typedef struct triad_formula_node {
  triad_formula_kind kind;
  int what;                               /* for triad_formula_join */
  int number;                             /* of a variable or a word */
  double value;                           /* of a number */
  int at;                                 /* where it is in the text: bytes from the beginning */
  int n, operand[TRIAD_FORMULA_OPERANDS]; /* numbers of nodes */
} triad_formula_node;

/* The nodes of a formula, operands before what they are operands of: *n of them, the last is the whole. The caller
 * frees *nodes. TRIAD_ERR_MEMORY. */
int triad_formula_tree(const triad_formula *formula, triad_formula_node **nodes, int *n);

/* A formula that is a number, a variable, or an operation `what` on other formulas; NULL without memory, or if it
 * would be too long. */
triad_formula *triad_formula_of_number(double value);
triad_formula *triad_formula_of_variable(int variable);
triad_formula *triad_formula_join(int what, int n, const triad_formula *const *operand);
extern const int triad_formula_product, triad_formula_sum, triad_formula_root; /* for `what` */

/* Column in characters, from 1, of a byte of a text. */
int triad_formula_column(const char *text, int at);

#endif
