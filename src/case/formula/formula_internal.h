/* Declarations shared by the files formula*.c.
 *
 * X(OPERATION, "name of the function, "" where it has none", operands, value of the operands a, b, c, d) */
#ifndef TRIAD_CASE_FORMULA_FORMULA_INTERNAL_H
#define TRIAD_CASE_FORMULA_FORMULA_INTERNAL_H

#include "case/formula/formula.h"

#define TRIAD_FORMULA_SYMBOLS(X) \
  X(NEGATE, "", 1, -a) \
  X(NOT, "", 1, a != 0 ? 0 : 1) \
  X(ADD, "", 2, a + b) \
  X(SUBTRACT, "", 2, a - b) \
  X(MULTIPLY, "", 2, a *b) \
  X(DIVIDE, "", 2, a / b) \
  X(SQUARE, "", 1, a *a) \
  X(LESS, "", 2, a < b ? 1 : 0) \
  X(LESS_EQUAL, "", 2, a <= b ? 1 : 0) \
  X(MORE, "", 2, a > b ? 1 : 0) \
  X(MORE_EQUAL, "", 2, a >= b ? 1 : 0) \
  X(EQUAL, "", 2, a == b ? 1 : 0) \
  X(UNEQUAL, "", 2, a != b ? 1 : 0) \
  X(AND, "", 2, a != 0 && b != 0 ? 1 : 0) \
  X(OR, "", 2, a != 0 || b != 0 ? 1 : 0)

/* mod, noise: formula_points.h. The operands of noise are its seed and the point. */
#define TRIAD_FORMULA_FUNCTIONS(X) \
  X(SIN, "sin", 1, sin(a)) \
  X(COS, "cos", 1, cos(a)) \
  X(TAN, "tan", 1, tan(a)) \
  X(ASIN, "asin", 1, asin(a)) \
  X(ACOS, "acos", 1, acos(a)) \
  X(ATAN, "atan", 1, atan(a)) \
  X(ATAN2, "atan2", 2, atan2(a, b)) \
  X(SINH, "sinh", 1, sinh(a)) \
  X(COSH, "cosh", 1, cosh(a)) \
  X(TANH, "tanh", 1, tanh(a)) \
  X(ASINH, "asinh", 1, asinh(a)) \
  X(ACOSH, "acosh", 1, acosh(a)) \
  X(ATANH, "atanh", 1, atanh(a)) \
  X(EXP, "exp", 1, exp(a)) \
  X(LOG, "log", 1, log(a)) \
  X(LOG2, "log2", 1, log2(a)) \
  X(LOG10, "log10", 1, log10(a)) \
  X(SQRT, "sqrt", 1, sqrt(a)) \
  X(CBRT, "cbrt", 1, cbrt(a)) \
  X(POW, "pow", 2, pow(a, b)) \
  X(HYPOT, "hypot", 2, hypot(a, b)) \
  X(ERF, "erf", 1, erf(a)) \
  X(ERFC, "erfc", 1, erfc(a)) \
  X(GAMMA, "gamma", 1, tgamma(a)) \
  X(ABS, "abs", 1, fabs(a)) \
  X(SIGN, "sign", 1, a > 0 ? 1 : a < 0 ? -1 : a) \
  X(STEP, "step", 1, a >= 0 ? 1 : a < 0 ? 0 : a) \
  X(FLOOR, "floor", 1, floor(a)) \
  X(CEIL, "ceil", 1, ceil(a)) \
  X(ROUND, "round", 1, round(a)) \
  X(MOD, "mod", 2, triad_formula_mod(a, b)) \
  X(MIN, "min", 2, a < b || a != a ? a : b) \
  X(MAX, "max", 2, a > b || a != a ? a : b) \
  X(IF, "if", 3, a != a ? a : a != 0 ? b : c) \
  X(NOISE, "noise", 4, triad_formula_noise(a, b, c, d))

enum {
#define NAME(OPERATION, name, operands, value) TRIAD_DO_##OPERATION,
  TRIAD_FORMULA_SYMBOLS(NAME) TRIAD_DO_FUNCTIONS, /* the first function is behind it */
  TRIAD_FORMULA_FUNCTIONS(NAME) TRIAD_DO_CONSTANT,
  TRIAD_DO_VARIABLE,
  /* for trees only: a caller's function, a vector of components, a dot product */
  TRIAD_DO_WORD,
  TRIAD_DO_VECTOR,
  TRIAD_DO_DOT
#undef NAME
};

typedef struct triad_formula_step {
  int what;     /* TRIAD_DO_.. */
  int variable; /* its number, or that of a word */
  int at;       /* offset in the text */
  int operands; /* of a word or a vector */
  double value; /* of a constant */
} triad_formula_step;

enum { TRIAD_FORMULA_STEPS = 1024, TRIAD_FORMULA_STACK = 40 };

struct triad_formula {
  int n;
  triad_formula_step step[TRIAD_FORMULA_STEPS];
};

/* Operands of an operation (not of constants and variables, which have none). */
int triad_formula_operands(int what);

/* The same of a step, whatever it is. */
int triad_formula_step_operands(const triad_formula_step *step);

/* Of one operation on numbers. */
double triad_formula_value(int what, const double *operand);

/* A text on its way to a program. */
typedef struct triad_formula_parser {
  const char *text, *at, *end;
  const char *mark; /* where the next step is in the text */
  const triad_formula_scope *scope;
  triad_formula *out;
  char *why;
  int depth, height; /* of parentheses; of the stack */
} triad_formula_parser;

/* formula_emit.c: note an error at `at`, or at the next token; or an unknown name. Return 0. */
int triad_formula_wrong(triad_formula_parser *p, const char *at, const char *format, ...)
  __attribute__((format(printf, 3, 4)));
int triad_formula_unexpected(triad_formula_parser *p);
int triad_formula_unknown(triad_formula_parser *p, const char *at, size_t length, int is_call);

/* formula_emit.c: a step more, worked out at once where its operands are constants. formula_parse.c: an expression, to
 * where it ends; the blanks that are next. 0 where something is wrong. */
int triad_formula_emit(triad_formula_parser *p, triad_formula_step step);
int triad_formula_expression(triad_formula_parser *p);
void triad_formula_skip_blanks(triad_formula_parser *p);

/* The next number of a text at *at, before `end`: digits of TOML with '.' and an exponent; 0 where there is none, -1
 * where it has too many digits. case_number.c. */
int triad_number_next(const char **at, const char *end, double *value);

#endif
