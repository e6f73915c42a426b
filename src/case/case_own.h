/* What the files case*.c share. Not for others. */
#ifndef TRIAD_CASE_CASE_OWN_H
#define TRIAD_CASE_CASE_OWN_H

#include "case/case.h"
#include "case/schema.h"
#include "case/toml.h"

enum triad_case_from { TRIAD_FROM_DEFAULT, TRIAD_FROM_FILE, TRIAD_FROM_SET, TRIAD_FROM_TUNED };

/* Where a value or an error stands: in the file (line 0: nowhere in particular), or in a --set argument. */
typedef struct triad_case_place {
  enum triad_case_from from;
  int line, column;
  int set; /* number of the --set argument */
} triad_case_place;

/* Value of one key, in the member of its type. */
typedef struct triad_case_slot {
  triad_case_place place; /* of the key */
  int seen, bad;          /* it was given, if only wrongly; no good value stands here */
  int n;                  /* values: the key's count, or as many as a list has */
  double *real;      /* [n], malloc'd, of a real key; else NULL    */
  int64_t *integer;  /* [n], malloc'd, of an integer key; else NULL */
  int flag, word;    /* word: place in the schema's list           */
  int second;        /* of a pair of words, the other one's        */
  char **text;       /* [n], malloc'd, and each of them, of a text key; else NULL */
  struct {
    int line, column;
  } *at;             /* [n], malloc'd: of each value, in the file  */
} triad_case_slot;

typedef struct triad_case_error {
  triad_case_place place;
  int number; /* of its finding: keeps the sort stable */
  char *text;
} triad_case_error;

struct triad_case {
  char *name;   /* as messages print it */
  char *folder; /* of the case file: "" or ending in '/' */
  char *tuned;  /* where tuned values come from; NULL */
  const char *const *sets; /* the caller's; only while parsing */
  triad_case_slot *slots;  /* [triad_schema_size] */

  triad_case_error *errors;
  int n_errors, room; /* kept with their text */
  int64_t all_errors; /* found */
  char *report;       /* what triad_case_errors gives */
  int no_memory;
};

/* case_errors.c: note an error; sort all by place and make the report. Formats take clean text only (triad_quote). */
void triad_case_error_at(triad_case *c, triad_case_place place, const char *format, ...)
  __attribute__((format(printf, 3, 4)));
int triad_case_report(triad_case *c);

/* case_text.c: user text for messages, in quotation marks, escaped (base/escape.h) and cut when long. */
enum { TRIAD_QUOTE_SIZE = 128 };
char *triad_quote(char buffer[TRIAD_QUOTE_SIZE], const char *text, size_t length); /* returns buffer */
const char *triad_did_you_mean(char buffer[TRIAD_QUOTE_SIZE], const char *near); /* "" when near is NULL */
int triad_is_utf8(const char *text, size_t length);

/* case_number.c: "2pi", "-5/3", "2*pi/3" -> *value; 0 when it is not such a number or not finite. The shortest
 * decimal text that reads back as the same bits, always with a point or an exponent. */
int triad_number_read(const char *text, size_t length, double *value);
void triad_number_write(double value, char buffer[32]);

/* case_value.c: room for n values of a key in an empty slot, 0 without memory; give back what a slot holds. */
int triad_case_room(triad_case_slot *slot, const triad_key *key, int n);
void triad_case_empty(triad_case_slot *slot);

/* case_value.c: turn what stands at a key into its slot. Errors are noted at `place`, or in a file at the value; the
 * slot then keeps what it had. */
void triad_case_take(triad_case *c, int row, const triad_toml_item *item, triad_case_place place);
int triad_in_range(const triad_key *key, double value); /* false for NaN */

/* case_default.c: put the schema's default into the slot. TRIAD_ERR_INTERNAL when the schema is wrong. */
int triad_case_take_default(triad_case *c, int row);

/* Once the solver is known: the default that it has of its own, where nothing was given. Likewise. */
int triad_case_take_own_default(triad_case *c, int row);

/* case_read.c, case_set.c: the file, then the arguments, into slots. *broken: the file has syntax errors, so that
 * nothing can be said of keys that were not seen. */
int triad_case_read_file(triad_case *c, const char *text, size_t length, int *broken);
int triad_case_read_sets(triad_case *c, int n_sets);
void triad_case_read_item(triad_case *c, const triad_toml_item *item, triad_case_place place);

/* case_rules.c: keys that are missing or belong to another solver, and what must hold between keys. */
void triad_case_check_rules(triad_case *c);


/* case.c: the slot of a key of the schema; the solver's name, or NULL while it is not known. */
triad_case_slot *triad_case_slot_of(const triad_case *c, const char *key);
const char *triad_case_solver(const triad_case *c);

#endif
