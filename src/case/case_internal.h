/* What the files case*.c share. Not for others. */
#ifndef TRIAD_CASE_CASE_INTERNAL_H
#define TRIAD_CASE_CASE_INTERNAL_H

#include "case/case.h"
#include "case/formula/formula.h"
#include "case/schema.h"
#include "case/toml.h"

enum triad_case_from { TRIAD_FROM_DEFAULT, TRIAD_FROM_FILE, TRIAD_FROM_SET, TRIAD_FROM_TUNED };

/* Position of a value or an error: in the file (line 0: no particular line), or in a --set argument. */
typedef struct triad_case_place {
  enum triad_case_from from;
  int line, column;
  int set; /* number of the --set argument */
} triad_case_place;

/* Value of one key, in the member of its type. */
typedef struct triad_case_slot {
  triad_case_place place; /* of the key */
  int seen, bad;          /* seen: given, even with an error; bad: there is no valid value */
  int n;                  /* values: the key's count, or as many as a list has */
  double *real;           /* [n], malloc'd, of a real key; else NULL    */
  int64_t *integer;       /* [n], malloc'd, of an integer key; else NULL */
  int flag;
  const char *word[2]; /* of the key's words; of a pair of words, both */
  char **text;         /* [n], malloc'd, and each of them, of a text key; else NULL */
  struct {
    int line, column;
  } * at; /* [n], malloc'd: of each value, in the file  */
} triad_case_slot;

typedef struct triad_case_error {
  triad_case_place place;
  int number; /* of its finding: keeps the sort stable */
  char *text;
} triad_case_error;

/* A name of [parameters] and what it stands for. */
typedef struct triad_case_parameter {
  char *name, *text; /* malloc'd; text, of `length` bytes: its formula, NULL where a number was given */
  size_t length;
  double value;
  int known, wrong; /* value is good; it never will be, and has been complained about */
  triad_case_place place;
} triad_case_parameter;

enum { TRIAD_CASE_PARAMETERS = 128 };

struct triad_case {
  char *name;              /* as messages print it */
  char *folder;            /* of the case file: "" or ending in '/' */
  char *tuned;             /* where tuned values come from; NULL */
  const char *solver;      /* NULL: not known */
  const char *const *sets; /* the caller's; only while parsing */
  triad_schema *schema;    /* of its solver; of all where that is not known; NULL before it is looked for */
  triad_case_slot *slots;  /* [schema->n] */

  int n_sets, tables_set; /* of sets; what triad_case_tables_set has found */

  triad_case_parameter *parameters; /* NULL: none */
  int n_parameters;

  triad_case_error *errors;
  int n_errors, room; /* kept with their text */
  int64_t all_errors; /* found */
  char *report;       /* what triad_case_errors gives */
  char **warnings;    /* [n_warnings], malloc'd, and each of them */
  int n_warnings;
  int no_memory;
};

/* case_errors.c: note an error; sort all by place and make the report. Formats take clean text only (triad_quote). */
void triad_case_error_at(triad_case *c, triad_case_place place, const char *format, ...)
  __attribute__((format(printf, 3, 4)));
int triad_case_report(triad_case *c);
/* "case.toml:12:3" */
void triad_case_write_place(const triad_case *c, triad_case_place place, char *buffer, size_t size);
void triad_case_forget_errors(triad_case *c, int n, int64_t all); /* but the first n, of `all` that were found */

/* case_errors.c: user text for messages, in quotation marks, escaped (base/text.h) and cut when long. */
enum { TRIAD_QUOTE_SIZE = 128 };
char *triad_quote(char buffer[TRIAD_QUOTE_SIZE], const char *text, size_t length); /* returns buffer */
const char *triad_did_you_mean(char buffer[TRIAD_QUOTE_SIZE], const char *near);   /* "" when near is NULL */
int triad_is_utf8(const char *text, size_t length);

/* case_number.c, case_digits.c: "2pi", "-5/3", "2*pi/3" -> *value, as triad_formula_number; 0 when it is no number or
 * not finite. The shortest decimal text that reads back as the same bits, always with a point or an exponent. */
int triad_number_read(const char *text, size_t length, double *value);
void triad_number_write(double value, char buffer[32]);

/* case_parameters.c: the parameter of this name, NULL if there is none; names and values of all, or of those that are
 * known, for formulas: name[TRIAD_CASE_PARAMETERS] and value[TRIAD_CASE_PARAMETERS] are filled in. */
triad_case_parameter *triad_case_parameter_find(const triad_case *c, const char *name);
triad_formula_scope triad_case_scope(const triad_case *c, int all, const char **name, double *value);

/* case_parameters.c, case_parameters_read.c: the table [parameters], which is read before the keys; is a key in it, or
 * itself? A number that may use them, a formula of a key: as in case/formula.h. What a case writes, compares and gives
 * back. */
int triad_case_read_parameters(triad_case *c, const triad_toml *doc, int n_sets);
int triad_case_is_parameter(const char *key);
const triad_case_parameter *triad_case_find_parameter(const triad_case *c, const char *key); /* "parameters.U"; NULL */
int triad_case_number(const triad_case *c, const char *text, size_t length, double *value, char why[TRIAD_FORMULA_WHY]);
int triad_case_compile(const triad_case *c, const triad_key *key, const char *text, triad_formula **out,
                       char why[TRIAD_FORMULA_WHY]);
void triad_case_write_parameters(const triad_case *c, FILE *file);
void triad_case_compare_parameters(const triad_case *was, const triad_case *is, triad_case_difference *call, void *who);
void triad_case_free_parameters(triad_case *c);

/* case_void.c: is the key of this case without effect, and by which values, "grid.file = \"a.msh\"" (why may be
 * NULL)? A warning for each such key that the user gives. */
int triad_case_is_void(const triad_case *c, const triad_key *key, char *why, size_t size);
void triad_case_warn_void(triad_case *c);
void triad_case_free_warnings(triad_case *c);

/* case_text.c: the value of a key as TOML, also of a void one; malloc'd, NULL without memory. */
/* The same to a file. */
void triad_case_write_value(FILE *file, const triad_key *key, const triad_case_slot *slot);
char *triad_case_slot_text(const triad_case *c, const triad_key *key);

/* case_value.c: room for n values of a key in an empty slot, 0 without memory; give back what a slot holds. */
int triad_case_room(triad_case_slot *slot, const triad_key *key, int n);
void triad_case_empty(triad_case_slot *slot);

/* case_value.c: convert the value of a key into its slot. Errors are noted at `place`, or for a file at the value; the
 * slot then keeps its previous value. */
void triad_case_take(triad_case *c, int row, const triad_toml_item *item, triad_case_place place);
int triad_in_range(const triad_key *key, double value); /* false for NaN */
const triad_word *triad_find_word(const triad_key *key, const char *solver, const char *text, size_t length);

/* case_read.c, case_set.c, case_set_value.c: the file's items; what an argument sets, item by item. *broken: the file
 * has syntax errors, so that nothing can be said of keys that were not seen; *doc may be NULL then. */
typedef void triad_case_reader(triad_case *c, const triad_toml_item *item, triad_case_place place);
int triad_case_parse_file(triad_case *c, const char *text, size_t length, triad_toml **doc, int *broken);
void triad_case_read_items(triad_case *c, const triad_toml *doc, triad_case_reader *read);
void triad_case_read_item(triad_case *c, const triad_toml_item *item, triad_case_place place);
int triad_case_read_sets(triad_case *c, int n_sets);
/* case_set_value.c: an argument "key=value" as key, malloc'd, and value; a value as items for `read`. */
int triad_case_split_set(const char *argument, char **key, const char **value);
int triad_case_read_set(triad_case *c, const char *key, const char *raw, triad_case_place place,
                        triad_case_reader *read);
int triad_case_sets_of(triad_case *c, int n_sets, const char *key, triad_case_reader *read); /* of one key only */

/* case_set_value.c: how many tables of a repeatable kind the arguments define, which then replace those of the file; -1: the
 * arguments define none. */
int triad_case_tables_set(triad_case *c, const char *table);

/* case_default.c: put the default of a row into its slot, TRIAD_ERR_INTERNAL when the row is wrong. */
int triad_case_take_default(triad_case *c, int row);

/* case_rules.c: keys that are missing, and what must hold between keys. */
void triad_case_check_rules(triad_case *c);

/* case_access.c: the slot of a key of this case, and its row; NULL where it belongs to other solvers only. */
const triad_key *triad_case_key_of(const triad_case *c, const char *key);
triad_case_slot *triad_case_slot_of(const triad_case *c, const char *key);

#endif
