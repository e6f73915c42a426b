/* Every key of a case file: one table that drives validation, defaults, help and the reference page. Adding a key is
 * one row in schema_table.c; adding an equation set is its name in TRIAD_SOLVER_WORDS and in the rows it uses. */
#ifndef TRIAD_CASE_SCHEMA_H
#define TRIAD_CASE_SCHEMA_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum triad_key_type {
  TRIAD_KEY_REAL,    /* a number, or text such as "2pi", "pi/2", "1/400"       */
  TRIAD_KEY_INTEGER, /* an integer; 1e6 will do, 1.5 will not                  */
  TRIAD_KEY_FLAG,    /* true or false                                          */
  TRIAD_KEY_WORD,    /* text, one of `words`                                   */
  TRIAD_KEY_TEXT     /* any text without NUL                                   */
} triad_key_type;

typedef struct triad_key {
  const char *name; /* "grid.n" */
  triad_key_type type;
  int count;               /* values: 1, or an array of 2 or more (words: of 2); of a list, the most         */
  int list;                /* an array of 0 to count values                                                  */
  double min, max;         /* of each real or integer; infinite where open                                   */
  int above_min;           /* min itself is not allowed                                                      */
  const char *unit;        /* "length^2/time"; NULL for pure numbers                                         */
  const char *preset;      /* default, values separated by spaces: "2pi 2pi 2pi"; NULL: the key is required  */
  const char *own_preset;  /* a solver's name, a blank, and the default of that solver; or NULL              */
  const char *example;     /* for required keys: a sensible value, written likewise                          */
  const char *solvers;     /* names separated by spaces, or NULL: all                                        */
  const char *const *words; /* NULL-ended; of an integer key: the word that stands for its default            */
  const char *help;        /* one or two sentences                                                           */
} triad_key;

extern const triad_key triad_schema[];
extern const int triad_schema_size;

/* Row of `name` (`length` bytes), or -1. */
int triad_schema_find(const char *name, size_t length);

/* Is there a key inside table `name`? The top level, length 0, is a table. */
int triad_schema_has_table(const char *name, size_t length);

/* Does the key belong to this solver? With solver NULL (not known): yes. */
int triad_schema_applies(const triad_key *key, const char *solver);

/* Bytes of the name that name its table (0 at top level), and the name within the table. */
size_t triad_schema_table_length(const triad_key *key);
const char *triad_schema_short_name(const triad_key *key);

/* The known key, or table, nearest to a misspelt one, or NULL. Keys of other solvers are not suggested. */
const char *triad_schema_nearest(const char *name, const char *solver);
const char *triad_schema_nearest_table(const char *name, char *buffer, size_t size);

/* In words: "3 integers, 1 to 1048576" (with_range) or "3 integers"; "" range where there is none. */
void triad_schema_describe(const triad_key *key, int with_range, char *buffer, size_t size);
void triad_schema_range(const triad_key *key, char *buffer, size_t size);

/* Default (or example) as TOML: `["2pi", "2pi", "2pi"]`. */
void triad_schema_preset(const triad_key *key, char *buffer, size_t size);

/* A complete, valid case: each key with its help, unit, range and default; required ones with an example.
 * TRIAD_ERR_IO when writing failed. */
int triad_schema_write_defaults(FILE *file);

/* The reference page in Markdown, docs/case.md: a section a table, a row a key. TRIAD_ERR_IO. */
int triad_schema_write_reference(FILE *file);

/* The manual page triad-case(5), in man(7). TRIAD_ERR_IO. */
int triad_schema_write_manual(FILE *file);

/* Branches of a shell's `case`, one a key: `grid.truncation=) echo sphere box none ;;`. TRIAD_ERR_IO. */
int triad_schema_write_words(FILE *file);

/* Plain text on every key that is `prefix` or lies in table `prefix` ("" or NULL: all); *written is their number.
 * TRIAD_ERR_IO. */
int triad_schema_write_help(FILE *file, const char *prefix, int *written);

#endif
