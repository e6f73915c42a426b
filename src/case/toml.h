/* TOML text as a flat list: the only door to the C++ library that parses it. Knows nothing of Triad's keys.
 *
 * Nothing here throws or touches the disk, and any bytes are safe to pass in. */
#ifndef TRIAD_CASE_TOML_H
#define TRIAD_CASE_TOML_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum triad_toml_type {
  TRIAD_TOML_TEXT,
  TRIAD_TOML_INTEGER,
  TRIAD_TOML_REAL, /* may be inf or nan */
  TRIAD_TOML_FLAG,
  TRIAD_TOML_DATE, /* dates and times; their value is not kept */
  TRIAD_TOML_ARRAY,
  TRIAD_TOML_TABLE
} triad_toml_type;

/* One scalar, or a mark that something nested stands in its place. Lines and columns count from 1; columns count
 * characters, not bytes. */
typedef struct triad_toml_value {
  triad_toml_type type;
  int64_t integer;
  double real;
  int flag;
  const char *text; /* `length` bytes and a closing NUL; may hold NULs of its own */
  size_t length;
  int line, column;
} triad_toml_value;

/* A key and what stands there. A scalar has n = 1; an array its n elements (nested ones only as a mark); a table n =
 * 0, its keys being items of their own. An array of tables, [[name]], is the array of their marks, and besides each
 * table, "name[1]", and its keys. */
typedef struct triad_toml_item {
  const char *key;      /* dotted, "grid.n"; parts that are not bare words are quoted and escaped; cut when very long */
  size_t parent_length; /* bytes of `key` that name the table around it: 4; 0 at top level                            */
  int line, column;     /* of the key */
  triad_toml_type type;
  int64_t n;
  const triad_toml_value *values;
} triad_toml_item;

typedef struct triad_toml {
  const triad_toml_item *items; /* by place in the text; empty when there was a syntax error */
  int64_t n;
  const char *error; /* NULL, or the first syntax error (duplicate keys too) and its place */
  int error_line, error_column;
} triad_toml;

/* Parse `length` bytes of UTF-8. TRIAD_OK; TRIAD_ERR_CASE with (*out)->error set; TRIAD_ERR_MEMORY with *out NULL.
 * Not collective. */
int triad_toml_parse(triad_toml **out, const char *text, size_t length);
void triad_toml_destroy(triad_toml **document);

/* A first look at TOML text, which refuses what the parsing library does not stand: dotted keys so deep that tables
 * nested as deep overflow the stack, and characters beyond ASCII where only ASCII can be right, on which its tests for
 * white space have no defined result (toml++ 3.3, 3.4: is_non_ascii_horizontal_whitespace). */
/* NULL, or what is wrong and where (from 1, columns in characters). Says nothing of other errors: it follows the
 * text only as far as that is well formed, and the library stops there too. Not collective. */
const char *triad_toml_scan(const char *text, size_t length, int *line, int *column);

#ifdef __cplusplus
}
#endif
#endif
