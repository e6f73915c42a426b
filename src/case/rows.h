/* Short names for rows of keys, only for sources with such a table. */
#ifndef TRIAD_CASE_ROWS_H
#define TRIAD_CASE_ROWS_H

#include "case/part.h"

#include <math.h>

/* WORDS(W("sphere"), W_FOR("split", "names of solvers")); rows that say more are written out. */
#define W(text) \
  { \
    .name = text \
  }
#define W_FOR(text, whose) \
  { \
    .name = text, .solvers = whose \
  }
#define WORDS(...) \
  .words = (const triad_word[]) \
  { \
    __VA_ARGS__, { 0 } \
  }
#define ANY .min = -INFINITY, .max = INFINITY
#define AT_LEAST(a) .min = (a), .max = INFINITY
#define ABOVE(a) .min = (a), .above_min = 1, .max = INFINITY
#define BETWEEN(a, b) .min = (a), .max = (b)

#define REAL .type = TRIAD_KEY_REAL, .count = 1
#define REALS(n) .type = TRIAD_KEY_REAL, .count = (n)
#define REAL_LIST(n) .type = TRIAD_KEY_REAL, .count = (n), .list = 1
#define INTEGER .type = TRIAD_KEY_INTEGER, .count = 1
#define INTEGERS(n) .type = TRIAD_KEY_INTEGER, .count = (n)
#define MANY .repeated = 1
#define FLAG .type = TRIAD_KEY_FLAG, .count = 1, ANY
#define WORD .type = TRIAD_KEY_WORD, .count = 1, ANY
#define TWO_WORDS .type = TRIAD_KEY_WORD, .count = 2, ANY
#define TEXT_LIST(n) .type = TRIAD_KEY_TEXT, .count = (n), .list = 1, ANY
#define FORMULA TEXT, .formula = triad_formula_of_points
#define FORMULA_LIST(n) TEXT_LIST(n), .formula = triad_formula_of_points
#define TEXT .type = TRIAD_KEY_TEXT, .count = 1, ANY

#endif
