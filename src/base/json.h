/* JSON (RFC 8259): a writer for objects and lists up to 64 deep, and a reader that checks text from anywhere.
 *
 * The writer puts commas, quotes and line breaks; text is escaped, so that the result is always valid. A number that
 * is infinite or NaN is written as null, for JSON has neither. The reader allocates nothing: a value is a part of the
 * text. Not collective; only decoding can fail, without memory. Numbers have a decimal point if the caller's locale
 * has (base/locale.h). */
#ifndef TRIAD_BASE_JSON_H
#define TRIAD_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- writing ---- */

typedef enum triad_json_layout {
  TRIAD_JSON_COMPACT, /* {"a":1,"b":2}                                        */
  TRIAD_JSON_LINE,    /* {"a": 1, "b": 2}                                     */
  TRIAD_JSON_LINES,   /* one item per line, indented by two blanks            */
  TRIAD_JSON_FLUSH    /* one item per line, indented like what it belongs to  */
} triad_json_layout;

enum {
  TRIAD_JSON_DEPTH = 64, /* the most containers within each other that the writer opens; more is a fault of ours */
  TRIAD_JSON_EXACT = 17  /* digits after which a number read again is the same                                   */
};

/* A writer. Set `out`, or `put` and `to`; the other members are 0 at first. */
typedef struct triad_json {
  FILE *out;
  void (*put)(void *to, const char *bytes, size_t n); /* instead of `out`; NULL: `out` */
  void *to;
  bool html; /* < > & are escaped, for text inside a <script> */
  int depth, indent;
  struct {
    triad_json_layout layout;
    char close;
    bool some; /* has an item */
  } open[TRIAD_JSON_DEPTH];
} triad_json;

/* Open an object or a list. Here and below, `name` is that of the member in an object; NULL in a list and for the
 * outermost value. */
void triad_json_object(triad_json *j, const char *name, triad_json_layout layout);
void triad_json_list(triad_json *j, const char *name, triad_json_layout layout);
/* Close the innermost one. */
void triad_json_end(triad_json *j);

/* Write a value. A text that is NULL is written as null. `digits`: significant digits, at most TRIAD_JSON_EXACT. */
void triad_json_text(triad_json *j, const char *name, const char *text);
void triad_json_chars(triad_json *j, const char *name, const char *text, size_t length);
void triad_json_number(triad_json *j, const char *name, double value, int digits);
void triad_json_whole(triad_json *j, const char *name, double value); /* rounded to a whole number */
void triad_json_integer(triad_json *j, const char *name, int64_t value);
void triad_json_bool(triad_json *j, const char *name, bool value);
void triad_json_null(triad_json *j, const char *name);
/* Write a value that is JSON already; null if it is NULL. */
void triad_json_raw(triad_json *j, const char *name, const char *json);
/* Write the items of an object or a list that is JSON already into the innermost one; none if it is NULL. */
void triad_json_copy(triad_json *j, const char *container);

/* ---- reading ---- */

/* A value as it is written, from `at` up to `end`. */
typedef struct triad_json_value {
  const char *at, *end;
} triad_json_value;

/* Is text[0 .. length - 1] one value, valid UTF-8 and nested at most 64 deep? If so, *value is that value without the
 * blanks around it. Otherwise *bad is the number of bytes before the first fault. */
bool triad_json_parse(triad_json_value *value, const char *text, size_t length, size_t *bad);

/* The items of an object or a list, one after the other. A walk over other values has none. */
typedef struct triad_json_walk {
  const char *at, *end;
  char close;
  bool some, whole; /* whole: after the last item, the container was closed */
} triad_json_walk;

/* Begin at a value, or at a text that may not be one: what is valid before a fault is found nevertheless. `length`
 * counts from `text`. */
triad_json_walk triad_json_items(triad_json_value container);
triad_json_walk triad_json_items_of(const char *text, size_t length);
/* The next item; *name is empty in a list and has its quotes in an object. false: there are no more, or w->at is at a
 * fault (w->whole says which). */
bool triad_json_next(triad_json_walk *w, triad_json_value *name, triad_json_value *value);

/* The member with this name, the last one if there are several, as Python has it; false if there is none, or if
 * `object` is none. The last item of a list. */
bool triad_json_member(triad_json_value object, const char *name, triad_json_value *value);
bool triad_json_last(triad_json_value list, triad_json_value *value);

bool triad_json_is_object(triad_json_value value);
bool triad_json_is_list(triad_json_value value);
bool triad_json_is_text(triad_json_value value);

/* The text of a string, malloc'd; NULL if `value` is no string or there is no memory. Escapes are decoded to UTF-8;
 * half of a surrogate pair and U+0000, which a C string cannot hold, become U+FFFD. */
char *triad_json_decode(triad_json_value value);
/* Is it the string `text`? */
bool triad_json_equals(triad_json_value value, const char *text);

/* The number; false, and *number is unchanged, if `value` is none. An integer is one without fraction and exponent that
 * int64_t can hold. A number too large for a double is infinite, as in Python. */
bool triad_json_to_number(triad_json_value value, double *number);
bool triad_json_to_integer(triad_json_value value, int64_t *number);

#endif
