/* From trees of formulas to sums of terms. For the files of this folder. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_EXPAND_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_EXPAND_H

#include "case/formula/formula_tree.h"
#include "case/parameters.h"
#include "solvers/spectral/text/compile/algebra.h"

enum { TRIAD_TEXT_ARGUMENTS = 6, TRIAD_TEXT_NAMES = 128 };

/* Functions of the language, in the order of `words` in source.c; macros of the case follow. */
enum {
  TRIAD_TEXT_DX,
  TRIAD_TEXT_DY,
  TRIAD_TEXT_DZ,
  TRIAD_TEXT_LAP,
  TRIAD_TEXT_GRAD,
  TRIAD_TEXT_DIV,
  TRIAD_TEXT_CURL,
  TRIAD_TEXT_CROSS,
  TRIAD_TEXT_INVERT,
  TRIAD_TEXT_DT,
  TRIAD_TEXT_MEAN,
  TRIAD_TEXT_CONJ,
  TRIAD_TEXT_REAL_PART,
  TRIAD_TEXT_IMAGINARY_PART,
  TRIAD_TEXT_ABS2,
  TRIAD_TEXT_WORDS
};

/* What the variables of a formula are. */
typedef enum triad_text_name_kind {
  TRIAD_TEXT_IS_POSITION,
  TRIAD_TEXT_IS_TIME,
  TRIAD_TEXT_IS_IMAGINARY, /* i */
  TRIAD_TEXT_IS_FIELD,
  TRIAD_TEXT_IS_VECTOR,  /* number: its first component */
  TRIAD_TEXT_IS_COMPLEX, /* number: its real part */
  TRIAD_TEXT_IS_LET,     /* number: of its definition    */
  TRIAD_TEXT_IS_ARGUMENT
} triad_text_name_kind;

/* A piece of text and its tree. */
typedef struct triad_text_source {
  const char *key, *text;
  int index;
  triad_formula_node *node;
  int n;
} triad_text_source;

/* An entry of equations.let: name = .., name(a, b) = .., name = invert(.., ..). */
typedef struct triad_text_definition {
  char name[TRIAD_TEXT_NAME];
  int n_arguments; /* of a macro; 0: none */
  char argument[TRIAD_TEXT_ARGUMENTS][TRIAD_TEXT_NAME];
  int unknown;   /* number of the variable that invert defines, or of its real part; -1 */
  int imaginary; /* number of the imaginary part; -1: the variable is real */
  int open;      /* being expanded */
  triad_text_source source;
} triad_text_definition;

/* A scalar or a vector, real (without imaginary terms) or complex. */
typedef struct triad_text_value {
  int rank; /* 1 or 3 */
  triad_text_sum part[3], imaginary[3];
} triad_text_value;

/* Where the arguments of a macro are. */
typedef struct triad_text_frame {
  int n;
  const triad_text_source *source;
  int node[TRIAD_TEXT_ARGUMENTS];
  const struct triad_text_frame *outer;
} triad_text_frame;

typedef struct triad_text_compiler {
  triad_text *text;
  triad_text_error *error;
  triad_formula_scope numbers;
  const char *number_name[TRIAD_CASE_MOST_PARAMETERS];
  double number[TRIAD_CASE_MOST_PARAMETERS];
  /* names of variables; the last n_arguments of a macro come behind them */
  int n_names;
  const char *name[TRIAD_TEXT_NAMES + TRIAD_TEXT_ARGUMENTS + 1];
  struct {
    triad_text_name_kind kind;
    int number;
  } meaning[TRIAD_TEXT_NAMES + TRIAD_TEXT_ARGUMENTS];
  triad_formula_word word[TRIAD_TEXT_WORDS + TRIAD_TEXT_LETS + 1];
  int macro[TRIAD_TEXT_LETS]; /* definition of word number TRIAD_TEXT_WORDS + i */
  int n_definitions;
  triad_text_definition definition[TRIAD_TEXT_LETS];
  int depth;
  int in_evolve, in_invariant;
} triad_text_compiler;

/* Note what is wrong at a node of a source, or (node < 0) with all of it. Return 0. */
int triad_text_wrong(triad_text_compiler *c, const triad_text_source *s, int node, int status, const char *format, ...)
  __attribute__((format(printf, 5, 6)));
int triad_text_no_memory(triad_text_compiler *c);

/* The text of a node, shortened: piece[size]. */
const char *triad_text_piece(const triad_text_source *s, int node, char *piece, size_t size);

/* source.c: names of fields; definitions; a text's tree, of bytes begin .. end - 1, with the arguments of a definition
 * (NULL: none). The caller frees source->node. All return 0 where something is wrong. */
int triad_text_read_fields(triad_text_compiler *c, const char *const *texts, int n);
int triad_text_read_lets(triad_text_compiler *c, const char *const *texts, int n);
int triad_text_read(triad_text_compiler *c, triad_text_source *s, int begin, int end,
                    const triad_text_definition *arguments);
/* The place of the sign = that is in no parentheses and no comparison; -1: there is none, -2: more than one. */
int triad_text_equals(const char *text);

/* expand.c: the value of a node. */
int triad_text_expand(triad_text_compiler *c, const triad_text_source *s, int node, const triad_text_frame *frame,
                      triad_text_value *out);

/* solve.c: the variables of invert; the rates of all fields; the invariants. */
int triad_text_solve_lets(triad_text_compiler *c);
int triad_text_solve_rates(triad_text_compiler *c, const char *const *texts, int n);
int triad_text_read_invariants(triad_text_compiler *c, const char *const *texts, int n);

#endif
