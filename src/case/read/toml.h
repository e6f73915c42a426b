/* TOML text as a flat list: the only door to the C++ library that parses it. Knows nothing of Triad's keys.
 *
 * Nothing here throws or touches the disk, and any bytes are safe to pass in. */
#ifndef TRIAD_CASE_READ_TOML_H
#define TRIAD_CASE_READ_TOML_H

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

/* One scalar, or a placeholder for a nested value. Lines and columns count from 1; columns count characters, not bytes.
 */
typedef struct triad_toml_value {
  triad_toml_type type;
  int64_t integer;
  double real;
  int flag;
  const char *text; /* `length` bytes and a closing NUL; may hold NULs of its own */
  size_t length;
  int line, column;
} triad_toml_value;

/* A key and its value. A scalar has n = 1; an array its n elements (nested ones are placeholders); a table n = 0, since
 * its keys are separate items. An array of tables, [[name]], is the array of their placeholders, followed by each
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

/* A first pass over TOML text. It refuses two things that the parsing library cannot handle: dotted keys so deep that
 * the nested tables overflow the stack, and characters beyond ASCII in places where only ASCII is valid, for which its
 * tests for white space have no defined result (toml++ 3.3, 3.4: is_non_ascii_horizontal_whitespace). */
/* Returns NULL, or the error with its position (from 1, columns in characters). Ignores all other errors: it follows
 * the text only up to the first one, where the library stops too. Not collective. */
const char *triad_toml_scan(const char *text, size_t length, int *line, int *column);

#ifdef __cplusplus
}
#endif
#endif
