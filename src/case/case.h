/* A case: what a user asked for, checked against the schema (case/schema.h), with the origin of each value.
 *
 * Reading touches no disk beyond triad_case_load_text and is the same on every rank, so that one rank loads the
 * text, shares it, and all parse it. */
#ifndef TRIAD_CASE_CASE_H
#define TRIAD_CASE_CASE_H

#include "case/formula/formula.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct triad_case triad_case;

enum { TRIAD_CASE_MOST_BYTES = 1 << 20 }; /* a case file is text that a person wrote */

/* Read a case file. *text is malloc'd, *length bytes and a closing NUL; the caller frees it. TRIAD_ERR_INPUT: missing;
 * TRIAD_ERR_CASE: a directory, a device, longer than 1 MiB, or holding NUL bytes; TRIAD_ERR_IO; TRIAD_ERR_MEMORY.
 * Not collective. */
int triad_case_load_text(const char *path, char **text, size_t *length);

/* Parse `length` bytes of TOML, then the n_sets arguments of --set ("a.b=value"), the later the stronger and all
 * stronger than the file; of time.dt and time.cfl, one that is set replaces the other from the file. `name` is what
 * messages and origins call the text.
 * TRIAD_OK; TRIAD_ERR_CASE: *out is made all the same, good only for triad_case_errors and destroy;
 * TRIAD_ERR_MEMORY: *out is NULL. Any bytes are safe. Not collective. */
int triad_case_parse(triad_case **out, const char *name, const char *text, size_t length, const char *const *sets,
                     int n_sets);
void triad_case_destroy(triad_case **c);

/* All that is wrong, a line each as `case.toml:12:3: error: unknown key "grid.lenght", did you mean "grid.length"?`,
 * then `3 errors in case.toml`; "" for a good case. The text is safe to print: control characters are escaped. */
const char *triad_case_errors(const triad_case *c);
int triad_case_error_count(const triad_case *c);

/* Warning number i of a valid case: text that has no effect as written, such as a key that another one makes void:
 * "case.toml:12:3: ..". NULL after the last. The text lives as long as the case. */
const char *triad_case_warning(const triad_case *c, int i);

/* Values by key. An unknown key, a wrong type or a key of another solver is our bug: a message, then abort(). */
double triad_case_real(const triad_case *c, const char *key);
int64_t triad_case_integer(const triad_case *c, const char *key);
int triad_case_flag(const triad_case *c, const char *key);
const char *triad_case_word(const triad_case *c, const char *key);                /* words and text                  */
int triad_case_is(const triad_case *c, const char *key, const char *word);        /* word equals; `word` must exist  */
const char *triad_case_word_of_pair(const triad_case *c, const char *key, int i); /* i = 0, 1: of two words      */
void triad_case_reals(const triad_case *c, const char *key, double *out, int n);  /* n as in the schema           */
void triad_case_integers(const triad_case *c, const char *key, int64_t *out, int n);

/* Number of tables of a repeatable kind, [[particles]]. Keys of number i, from 1, have the name "particles[i].count".
 */
enum { TRIAD_CASE_TABLES = 64 /* at most */ };
int triad_case_tables(const triad_case *c, const char *table);

/* A list: how many values it has; and these, to out[room], which must be as many at least. Both return the number. */
int triad_case_length(const triad_case *c, const char *key);
int triad_case_list(const triad_case *c, const char *key, double *out, int room);

/* A list of texts: they go to out[room of the schema's count] and live as long as the case. Returns their number. */
int triad_case_texts(const triad_case *c, const char *key, const char **out, int room);

/* Formula number i of a key that takes one or a list of them, compiled; NULL where there is none, or an empty text.
 * TRIAD_ERR_MEMORY. Not collective. */
int triad_case_formula(const triad_case *c, const char *key, int i, triad_formula **out);

/* 1 when the value came from the file or --set, 0 when it is the default. */
int triad_case_given(const triad_case *c, const char *key);

/* 1 if the key belongs to this case's solver, so that its value may be read. A parameter applies if it is defined. */
int triad_case_applies(const triad_case *c, const char *key);

/* Replace the value of a key; `value` is text as for --set. triad_case_origin returns `origin` for it from then on; all
 * such keys have the same one. TRIAD_ERR_CASE if the schema does not allow the value; triad_case_errors has the
 * messages. Not collective. */
int triad_case_tune(triad_case *c, const char *key, const char *value, const char *origin);

/* Where the value came from: "default", "case.toml:4", "--set", or that of triad_case_tune. Returns buffer. */
const char *triad_case_origin(const triad_case *c, const char *key, char *buffer, size_t size);

/* The path a text key names: itself when absolute, else in the folder of the case's `name`. malloc'd, or NULL without
 * memory. */
char *triad_case_path(const triad_case *c, const char *key);

/* Each key whose value differs between two cases, or that only one of them has, in the order of `is`: its values as
 * TOML, "" where there is none. TRIAD_ERR_MEMORY. Not collective. */
typedef void triad_case_difference(void *who, const char *key, const char *was, const char *is);
int triad_case_compare(const triad_case *was, const triad_case *is, triad_case_difference *call, void *who);

/* The value of a key as TOML, "" where the case has no such key, or where another key makes it void (time.cfl with
 * time.dt). malloc'd; NULL without memory. */
char *triad_case_value(const triad_case *c, const char *key);

/* May the value of a key change during a run? 1 for keys that affect only the arithmetic of steps or the times and
 * format of files: times, intervals and flags of [time] and [output], numbers of [equations], [solver] and [forcing]
 * that determine no size. 0 for rows marked as `lasting`, for other keys, and for unknown ones. */
int triad_case_may_change(const triad_case *c, const char *key);

/* Every key that applies, as a valid TOML file with the origin of each as a comment. Parsing it gives the same values,
 * bit for bit. TRIAD_ERR_IO. */
int triad_case_write_resolved(const triad_case *c, FILE *file);

/* Likewise into memory: *text is malloc'd, NULL on failure. TRIAD_ERR_MEMORY. */
int triad_case_resolved(const triad_case *c, char **text, size_t *length);

#endif
