/* A key of a case file, and the words that a key may take: rows of plain tables, which src/case/keys.c has for what is
 * common to all solvers and each family of solvers for its own (case/part.h). Rows are written with case/rows.h. */
#ifndef TRIAD_CASE_KEY_H
#define TRIAD_CASE_KEY_H

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
  int rising;              /* of two numbers, the first is not above the second                              */
  const char *unit;        /* "length^2/time"; NULL for pure numbers                                         */
  const char *preset;      /* default, values separated by spaces: "2pi 2pi 2pi"; NULL: the key is required  */
  const char *example;     /* for required keys: a sensible value, written likewise                          */
  const char *solvers;     /* of the family, separated by spaces; NULL: all of it                            */
  const triad_word *words; /* ended by one without a name; of an integer key: the word that stands for its default */
  const triad_word *(*word_at)(int i); /* or rows elsewhere that hold the words: number i, NULL behind the last */
  const char *help;        /* one or two sentences                                                           */
} triad_key;

/* Word number i of a key, NULL behind the last. A name may come twice, for different solvers. */
const triad_word *triad_key_word(const triad_key *key, int i);

/* Is `solver` among these names? With `solvers` or `solver` NULL (all; not known): yes. */
int triad_solver_among(const char *solvers, const char *solver);

#endif
