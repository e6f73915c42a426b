/* All keys of a case of a given solver, in order: the common ones and those of its family (case/part.h). Validation,
 * defaults, help and the reference page use this list. */
#ifndef TRIAD_CASE_SCHEMA_H
#define TRIAD_CASE_SCHEMA_H

#include "case/part.h"

#include <stddef.h>
#include <stdio.h>

enum { TRIAD_SOLVER_NAMES = 512 /* room for the names of solvers */, TRIAD_KIND = 1024 /* and for a description */ };

typedef struct triad_schema_row {
  const triad_key *key;
  const triad_case_part *part; /* whose row it is; NULL: common */
} triad_schema_row;

typedef struct triad_schema {
  const char *solver; /* NULL: keys of all solvers, where a name may come more than once */
  int n;
  triad_schema_row *row; /* keys of a table together, those of the top level first */
  int made;              /* some of the rows are its own: triad_schema_repeat */
} triad_schema;

/* The keys of a solver, or of all (NULL). TRIAD_ERR_MEMORY. Not collective. */
int triad_schema_create(triad_schema **out, const char *solver);
void triad_schema_destroy(triad_schema **schema);

/* First row of `name` (`length` bytes), or -1. */
int triad_schema_find(const triad_schema *s, const char *name, size_t length);

/* The same for any solver, without a list; and the first row of this name that has this word, for any solver. NULL. */
const triad_key *triad_schema_any(const char *name, size_t length);
const triad_word *triad_schema_any_word(const char *name, const char *word);

/* schema/schema_repeat.c: repeatable tables. Replace "particles.count" by one row for each table, "particles[1].count"
 * ..; `count` gives the number of tables of a name of `length` bytes. destroy frees the new rows (triad_schema_unmake).
 * TRIAD_ERR_MEMORY. */
typedef int triad_schema_count(void *who, const char *table, size_t length);
int triad_schema_repeat(triad_schema *s, triad_schema_count *count, void *who);
void triad_schema_unmake(triad_schema *s);

/* triad_schema_repeated: the first key of such a table, for any solver; NULL: the table is not repeatable.
 * triad_schema_number: the number in a name, from 1; 0: none. triad_schema_plain: the name without it, and its length;
 * "" if it is longer than any. */
enum { TRIAD_SCHEMA_NAME = 300 };
const triad_key *triad_schema_repeated(const char *table, size_t length);
int triad_schema_number(const char *name, size_t length);
size_t triad_schema_plain(const char *name, size_t length, char out[TRIAD_SCHEMA_NAME]);

/* Is there a key inside table `name`, of any solver? The top level, length 0, is a table. */
int triad_schema_has_table(const char *name, size_t length);

/* Bytes of the name that name its table (0 at top level), and the name within the table. */
size_t triad_schema_table_length(const triad_key *key);
const char *triad_schema_short_name(const triad_key *key);

/* The known key, or table, nearest to a misspelt one, or NULL. */
const char *triad_schema_nearest(const triad_schema *s, const char *name);
const char *triad_schema_nearest_table(const triad_schema *s, const char *name, char *buffer, size_t size);

/* Names, separated by spaces: the solvers of a row, of the families' rows of a name, of a word at these; "" of a common
 * row. Or of the quantities of a name, all of them or those that read alike, or of those that are shown where
 * nothing is asked for. Returns buffer. */
const char *triad_schema_row_solvers(const triad_schema_row *row, char buffer[TRIAD_SOLVER_NAMES]);
const char *triad_schema_key_solvers(const char *name, char buffer[TRIAD_SOLVER_NAMES]);
const char *triad_schema_word_solvers(const char *name, const char *word, char buffer[TRIAD_SOLVER_NAMES]);
const char *triad_schema_quantity_solvers(const char *name, const triad_quantity *alike,
                                          char buffer[TRIAD_SOLVER_NAMES]);
const char *triad_schema_quantity_shown_by(const triad_quantity *alike, char buffer[TRIAD_SOLVER_NAMES]);

/* Can one line describe both? They have the same name, unit and words. */
int triad_quantity_reads_alike(const triad_quantity *a, const triad_quantity *b);

/* In words: "3 integers, 1 to 1048576" (with_range) or "3 integers"; "" range where there is none. Words are those of a
 * solver, or of all (NULL). */
void triad_schema_describe(const triad_key *key, const char *solver, int with_range, char *buffer, size_t size);
void triad_schema_range(const triad_key *key, const char *solver, char *buffer, size_t size);

/* Default (or example) as TOML: `["2pi", "2pi", "2pi"]`. */
void triad_schema_preset(const triad_key *key, char *buffer, size_t size);

/* "a number at least 0 [length^2/time]; default 0.5", or "..; required", with an example if requested. */
void triad_schema_facts(const triad_key *key, int with_example, char *buffer, size_t size);

/* "NAME (its solvers)" of the next word of a key, from number *i on, that says what it is; NULL: none. */
const triad_word *triad_schema_told(const triad_key *key, int *i, char *buffer, size_t size);

/* Does row i open a table? */
int triad_schema_opens(const triad_schema *s, int i);

/* Call `write` with each row of all solvers. TRIAD_ERR_MEMORY; TRIAD_ERR_IO "writing WHAT". */
typedef void triad_schema_writer(FILE *file, const triad_schema *s, int i);
int triad_schema_each(FILE *file, const char *what, triad_schema_writer *write);

/* A complete, valid case: each key with its help, unit, range and default; required ones with an example. This and
 * the pages: TRIAD_ERR_IO when writing failed, TRIAD_ERR_MEMORY. */
int triad_schema_write_defaults(FILE *file);

/* The quantities of slices, for docs/reference/fields.md. */
int triad_schema_write_quantities(FILE *file);

/* Plain text on every key that is `prefix` or lies in table `prefix` ("" or NULL: all); *written is their number. */
int triad_schema_write_help(FILE *file, const char *prefix, int *written);

#endif
