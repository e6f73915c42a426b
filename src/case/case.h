/* A case: the user's keys, checked against the schema (case/schema.h), with the origin of each value.
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

/* Where the value came from: "default", "case.toml:4", "--set", or that of triad_case_tune. Returns buffer. */
const char *triad_case_origin(const triad_case *c, const char *key, char *buffer, size_t size);

/* The path a text key names: itself when absolute, else in the folder of the case's `name`. malloc'd, or NULL without
 * memory. */
char *triad_case_path(const triad_case *c, const char *key);

#endif
