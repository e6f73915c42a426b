/* Formulas: the text of a number, "2pi" or "U*L/Re", and of a field, "sin(x)*cos(y)". One grammar for both, compiled to
 * a program for a stack, whose operations are loops over a row of points.
 *
 *   1.5  1e-3  1_000  2pi     numbers; pi directly behind one is multiplied first: "1/2pi" is 1/(2 pi)
 *   pi  e  NAME               constants, variables, parameters of the case
 *   + - * / ^                 ^ from the right and before a sign: -x^2 is -(x^2)
 *   < <= > >= == != && || !   1 where true, 0 where not; what is not 0 is true
 *   dx(u) dy(u) dz(u)         derivatives of a field, where the scope has variables of these names
 *   sin(a) .. if(c, a, b)     functions: triad_formula_functions; min and max of two or more
 *
 * Any bytes are safe to compile. Nothing here is collective. */
#ifndef TRIAD_CASE_FORMULA_FORMULA_H
#define TRIAD_CASE_FORMULA_FORMULA_H

#include <stddef.h>
#include <stdint.h>

typedef struct triad_formula triad_formula;

/* A function of the caller's own, with `least` to `most` arguments. */
typedef struct triad_formula_word {
  const char *name;
  int least, most;
} triad_formula_word;

/* Names in a formula in addition to the constants: variables, ended by NULL, which are arrays; and `n` numbers. words,
 * ended by one without a name: functions that the caller evaluates itself, from a tree (formula_tree.h); vectors
 * (a, b, c) and the dot product a@b are then allowed too. NULL: none. */
typedef struct triad_formula_scope {
  const char *const *variable;
  int n;
  const char *const *name;
  const double *value;
  const triad_formula_word *words;
} triad_formula_scope;

enum { TRIAD_FORMULA_BYTES = 4096, TRIAD_FORMULA_VARIABLES = 16, TRIAD_FORMULA_WHY = 320 };

/* x, y, z: the variables of formulas of points. */
extern const char *const triad_formula_of_points[];

/* Compile `length` bytes. Returns TRIAD_OK; TRIAD_ERR_CASE with `why` filled as `column 5: unknown name "cso", did you
 * mean "cos"?`, columns in characters from 1; or TRIAD_ERR_MEMORY. On failure *out is NULL. */
int triad_formula_compile(triad_formula **out, const char *text, size_t length, const triad_formula_scope *scope,
                          char why[TRIAD_FORMULA_WHY]);
void triad_formula_destroy(triad_formula **formula);

/* Is variable number v of its scope in it? */
int triad_formula_uses(const triad_formula *formula, int v);

/* out[n] at n points: variable[v][i] is the value of variable v at point i. May be infinite or not a number. */
void triad_formula_rows(const triad_formula *formula, int64_t n, const double *const *variable, double *out);

/* The number that a text without variables stands for. As triad_formula_compile, also TRIAD_ERR_CASE where it is not
 * finite. `numbers` NULL: none. */
int triad_formula_number(const char *text, size_t length, const triad_formula_scope *numbers, double *value,
                         char why[TRIAD_FORMULA_WHY]);

/* Is it a name that may be given to a parameter: letters, digits and _, no digit first, 63 bytes at most, and none that
 * formulas know already? */
int triad_formula_is_free_name(const char *name);

/* A sum f = sum of space(x, y, z) time(t) field, for a formula whose variables are x, y, z, t and then fields: sums and
 * products of such terms, and sin and cos of a function of position plus a function of time. A program that is NULL is
 * 1. field is the number of a variable, or -1 for none; with a field, space is 1. */
enum { TRIAD_FORMULA_TERMS = 12 };
typedef struct triad_formula_term {
  triad_formula *space, *time;
  int field;
} triad_formula_term;

/* Take out of a formula the largest pieces with two operations or values at least whose variables are all in `of`,
 * bit v for variable v: *n formulas, part[i] of them, which the caller destroys, whose values it has as variable
 * first + i from now on. At most TRIAD_FORMULA_PARTS; the others stay. No bit of its value changes.
 * TRIAD_ERR_MEMORY. */
enum { TRIAD_FORMULA_PARTS = 8 };
int triad_formula_hoist(triad_formula *formula, unsigned of, int first, triad_formula *part[TRIAD_FORMULA_PARTS],
                        int *n);

/* Number of calls of named functions, not counting those that consist of a few comparisons. */
int triad_formula_calls(const triad_formula *formula);

/* The functions' names, ended by NULL. */
extern const char *const triad_formula_functions[];

#endif
