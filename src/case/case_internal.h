/* Declarations shared by the files case*.c. */
#ifndef TRIAD_CASE_CASE_INTERNAL_H
#define TRIAD_CASE_CASE_INTERNAL_H

#include "case/case.h"
#include "case/formula/formula.h"
#include "case/schema.h"
#include "case/read/toml.h"

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

enum { TRIAD_QUOTE_SIZE = 128 /* of a text in a message */ };

/* read/case_number.c, case_digits.c: "2pi", "-5/3", "2*pi/3" -> *value, as triad_formula_number; 0 when it is no number
 * or not finite. The shortest decimal text that reads back as the same bits, always with a point or an exponent. */
int triad_number_read(const char *text, size_t length, double *value);
void triad_number_write(double value, char buffer[32]);

/* Takes the items of a file or an argument, one by one. */
typedef void triad_case_reader(triad_case *c, const triad_toml_item *item, triad_case_place place);

/* case_access.c: the slot of a key of this case, and its row; NULL where it belongs to other solvers only. */
const triad_key *triad_case_key_of(const triad_case *c, const char *key);
triad_case_slot *triad_case_slot_of(const triad_case *c, const char *key);

#endif
