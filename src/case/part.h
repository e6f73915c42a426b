/* The part of the case of one family of solvers: its solvers, keys, words, rules and quantities, as plain const data.
 *
 * The case knows no solver by name: a program hands over the parts of its families with triad_case_set_parts before it
 * reads its first case. solvers/list.h has the one list of families. */
#ifndef TRIAD_CASE_PART_H
#define TRIAD_CASE_PART_H

#include "case/case.h"
#include "case/slice.h"

/* A key of a case file, and the words that a key may take: rows of plain tables, which src/case/keys.c has for what is
 * common to all solvers and each family of solvers for its own. Rows are written with case/rows.h. */
typedef enum triad_key_type {
  TRIAD_KEY_REAL,    /* a number, or text such as "2pi", "pi/2", "1/400"       */
  TRIAD_KEY_INTEGER, /* an integer; 1e6 will do, 1.5 will not                  */
  TRIAD_KEY_FLAG,    /* true or false                                          */
  TRIAD_KEY_WORD,    /* text, one of `words`                                   */
  TRIAD_KEY_TEXT     /* any text without NUL                                   */
} triad_key_type;

typedef struct triad_word {
  const char *name;
  const char *solvers; /* of the family, separated by spaces; NULL: all of it                                */
  const char *about;   /* what it means, for the help; NULL where the key's help says it                     */
  const char *needs;   /* a text key that may not be empty with this word; NULL                              */
} triad_word;

typedef struct triad_key {
  const char *name; /* "grid.n" */
  triad_key_type type;
  int count;               /* values: 1, or an array of 2 or more (words: of 2); of a list, the most         */
  int list;                /* an array of 0 to count values                                                  */
  double min, max;         /* of each real or integer; infinite where open                                   */
  int above_min;           /* min itself is not allowed                                                      */
  int repeated;            /* of a repeatable table, [[table]]; all its keys say so */
  int rising;              /* of two numbers, the first is not above the second                              */
  const char *unit;        /* "length^2/time"; NULL for pure numbers                                         */
  const char *preset;      /* default, values separated by spaces: "2pi 2pi 2pi"; NULL: the key is required  */
  const char *example;     /* for required keys: a sensible value, written likewise                          */
  const char *solvers;     /* of the family, separated by spaces; NULL: all of it                            */
  const triad_word *words; /* ended by one without a name; of a number: the word that stands for its default */
  const triad_word *(*word_at)(int i); /* or rows elsewhere that hold the words: number i, NULL behind the last */
  int lasting; /* a number that belongs to the whole of a run: `triad set` must not change it   */
  /* of text: it is a formula (case/formula.h) of these variables, ended by NULL           */
  const char *const *formula;
  /* when it has an effect, NULL: always; see below                                           */
  const char *used;
  const char *help; /* one or two sentences                                                           */
} triad_key;

/* `used` are conditions, separated by blanks, all of which must hold: "key=word|word" and "key!=word|word" for
 * words, texts and integers (of a pair, either counts); "key" for a number other than 0, true, a text or a list that
 * is not empty; "!key" for the opposite. Alternatives are separated by "or": "initial.kind=random or initial.noise".
 * Else the key is void: one that the user gives is a warning, and the resolved case leaves it out. A key that the
 * solver does not have has no value. */

/* Word number i of a key, NULL behind the last. A name may come twice, for different solvers. */
const triad_word *triad_key_word(const triad_key *key, int i);

/* Is `solver` among these names? With `solvers` or `solver` NULL (all; not known): yes. */
int triad_solver_among(const char *solvers, const char *solver);

typedef struct triad_solver_row {
  triad_word word;  /* name and about */
  const char *mark; /* a dataset that distinguishes its files of fields from those of earlier solvers in the list, for
                     * `triad spectra`; or NULL */
  const char *rest; /* a word of initial.kind that asks for no other key */
} triad_solver_row;

/* A published work that a method is from, for those who cite it. */
typedef struct triad_reference {
  const char *when; /* "equations.weights=teno": if these keys have these words, separated by blanks; NULL: always */
  const char *name; /* "Fu2016"                                                                                    */
  const char *author, *title, *journal, *volume, *pages, *year; /* as in BibTeX; journal NULL: a report */
  const char *solvers;                                          /* of the family; NULL: all of it                  */
} triad_reference;

typedef struct triad_case_part triad_case_part;

struct triad_case_part {
  const char *family;
  const triad_solver_row *solvers; /* ended by one without a name */

  /* What single solvers of the family add, a part of theirs each, ended by NULL: their keys, rules and quantities come
   * behind the family's, which then hold for the solvers of these parts too. NULL: none. */
  const triad_case_part *const *sets;

  /* Ended by one without a name. A row with the name of a common key (triad_common_keys) replaces it; another family
   * may have a row of the same name. Keys of a table are consecutive. A table that is not among the common ones
   * precedes the next one that is. */
  const triad_key *keys;

  /* Keys that others stand for: called before anything is checked, for triad_case_tune. May be NULL. */
  void (*choose)(triad_case *c);

  /* Rules that concern several keys: called for a case of this family, with triad_case_good and triad_case_error_of.
   * May be NULL. */
  void (*rules)(triad_case *c);

  int layers;                        /* slices are layers of cells of blocks, not planes in space */
  const triad_quantity *quantities;  /* what slices may show; ended by one without a name */
  const triad_reference *references; /* that its methods are from; ended by one without a name; NULL: none */
};

/* Call the function for each work that the methods of a valid case are from: references.c. Not collective. */
void triad_case_references(const triad_case *c, void (*tell)(void *who, const triad_reference *reference), void *who);

/* The families' parts, ended by NULL; they live as long as the process. Before they are set a case has no solver to
 * name. Set them once, before the first case is read and before there are threads. Not collective. */
void triad_case_set_parts(const triad_case_part *const *parts);

/* Family number i, without its sets; NULL behind the last. */
const triad_case_part *triad_case_family_at(int i);

/* The keys of every solver, in the order in which tables are shown. Ended by one without a name. */
extern const triad_key triad_common_keys[];

/* Solver number i of all families, NULL behind the last; and as a word of equations.solver. */
const triad_solver_row *triad_solver_row_at(int i);
const triad_word *triad_solver_word(int i);

/* Part number i: each family's, and behind it those of its sets. NULL behind the last. */
const triad_case_part *triad_case_part_at(int i);

/* Does a part speak for a solver: its own, or one of its sets'? With solver NULL (not known): yes. */
int triad_case_part_has(const triad_case_part *part, const char *solver);

/* ---- for rules ---- */

/* Has the key of this case a good value, given or its default? Others must not be asked for. 0 for keys that do not
 * apply. */
int triad_case_good(const triad_case *c, const char *key);

/* Note an error at the position of the key, or of its value i. Formats accept clean text only. */
void triad_case_error_of(triad_case *c, const char *key, const char *format, ...) __attribute__((format(printf, 3, 4)));
void triad_case_error_of_value(triad_case *c, const char *key, int i, const char *format, ...)
  __attribute__((format(printf, 4, 5)));

/* Note a warning where the key is given. Formats accept clean text only. */
void triad_case_warn_of(triad_case *c, const char *key, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A rule could not be checked for want of memory: the case is not to be had then, TRIAD_ERR_MEMORY. */
void triad_case_lacks_memory(triad_case *c);

#endif
