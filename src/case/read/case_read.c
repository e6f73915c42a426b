/* Find all syntax errors of a case file by blanking each bad line and parsing again, and pass its keys on. */
#include "case/case_internal.h"
#include "case/case_default.h"
#include "case/read/case_set_value.h"
#include "case/read/case_read.h"
#include "case/read/case_value.h"
#include "case/read/case_parameters.h"
#include "case/case_errors.h"

#include "base/status.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_REPAIRS = 20 };

/* ---- its syntax ---- */

/* Start of line `number` (from 1) and its length without the line end; 0 when there is no such line. */
static int find_line(const char *text, size_t length, int number, size_t *start, size_t *n)
{
  size_t at = 0;
  for (; number > 1; number--) {
    const char *end = at < length ? memchr(text + at, '\n', length - at) : NULL;
    if (!end) return 0;
    at = (size_t)(end - text) + 1;
  }
  const char *end = at < length ? memchr(text + at, '\n', length - at) : NULL;
  *start = at;
  *n = (end ? (size_t)(end - text) : length) - at;
  return 1;
}

static size_t span(const char *text, size_t n, const char *set)
{
  size_t i = 0;
  while (i < n && text[i] && strchr(set, text[i])) i++;
  return i;
}

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define BLANKS " \t"

/* Offset of what follows `key =` on a line, or 0. */
static size_t after_equals(const char *line, size_t n)
{
  size_t i = span(line, n, BLANKS);
  size_t key = span(line + i, n - i, LETTERS "0123456789_-.\"' \t");
  i += key;
  return key > 0 && i < n && line[i] == '=' ? i + 1 : 0;
}

/* An explanation of the most frequent errors, which the message of the library lacks. */
static const char *hint(const char *error, const char *line, size_t n, char *out, size_t size)
{
  size_t i = after_equals(line, n);
  out[0] = '\0';
  if (strstr(error, "cannot redefine existing")) {
    (void)snprintf(out, size, "; it is given twice");
    return out;
  }
  if (i == 0) return out;
  i += span(line + i, n - i, BLANKS);
  size_t word = span(line + i, n - i, LETTERS "0123456789_-./*");
  size_t rest = i + word + span(line + i + word, n - i - word, BLANKS "\r");
  if (word == 0 || word >= 60 || (rest < n && line[rest] != '#') || span(line + i, 1, LETTERS) == 0) return out;
  if ((word == 4 && strncasecmp(line + i, "true", 4) == 0) || (word == 5 && strncasecmp(line + i, "false", 5) == 0))
    (void)snprintf(out, size, "; flags must be true or false");
  else (void)snprintf(out, size, "; text needs quotes: \"%.*s\"", (int)word, line + i);
  return out;
}

static void note_syntax(triad_case *c, const triad_toml *doc, const char *line, size_t n)
{
  char what[512], advice[128];
  triad_case_place place = {TRIAD_FROM_FILE, doc->error_line, doc->error_column, 0};
  (void)triad_escape(what, sizeof what, doc->error, strlen(doc->error), TRIAD_ESCAPE_PLAIN);
  triad_case_error_at(c, place, "%s%s", what, hint(doc->error, line, n, advice, sizeof advice));
}

/* To find errors further down in the same pass, the line of a syntax error is blanked and the text parsed again. This
 * requires that a statement begins there: everything before it is valid, and the line opens no table. */
static int blank(char *text, size_t start, size_t n)
{
  triad_toml *before = NULL;
  if (n > 0 && span(text + start, n, BLANKS) < n && text[start + span(text + start, n, BLANKS)] == '[') return 0;
  int sound = triad_toml_parse(&before, text, start) == TRIAD_OK;
  triad_toml_destroy(&before);
  if (sound) memset(text + start, ' ', n);
  return sound;
}

/* Note what is wrong at the error of doc; 1 when the text was changed so that it is worth parsing again. */
static int recover(triad_case *c, const triad_toml *doc, char *text, size_t length, int *last_blanked, int *broken)
{
  size_t start = 0, n = 0;
  int line = doc->error_line;
  int exists = find_line(text, length, line, &start, &n);
  /* what follows a blanked line and is no statement is the tail of the blanked one, as of an array over two lines */
  int tail = *last_blanked > 0 && line == *last_blanked + 1 && (!exists || after_equals(text + start, n) == 0);
  if (!tail) {
    note_syntax(c, doc, text + start, n);
    if (!strstr(doc->error, "cannot redefine existing")) *broken = 1;
  }
  if (!exists || line == *last_blanked) return 0;
  *last_blanked = line;
  return blank(text, start, n);
}

int triad_case_parse_file(triad_case *c, const char *text, size_t length, triad_toml **doc, int *broken)
{
  char *copy = malloc(length + 1);
  int status = copy ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a copy of %s", c->name);
  int last_blanked = 0, again = copy != NULL;
  if (copy && length) memcpy(copy, text, length);
  *broken = 0;
  *doc = NULL;
  for (int tries = 0; again; tries++) {
    triad_toml_destroy(doc);
    status = triad_toml_parse(doc, copy, length);
    again = status == TRIAD_ERR_CASE && recover(c, *doc, copy, length, &last_blanked, broken) && tries < MOST_REPAIRS;
  }
  if (status == TRIAD_ERR_CASE) *broken = 1; /* the errors are noted in the case */
  if (status != TRIAD_OK) triad_toml_destroy(doc);
  free(copy);
  return status == TRIAD_ERR_CASE ? TRIAD_OK : status;
}

/* ---- its keys ---- */

static void note_unknown(triad_case *c, const triad_toml_item *item, triad_case_place place)
{
  char quote[TRIAD_QUOTE_SIZE], advice[TRIAD_QUOTE_SIZE], table[64];
  int is_table = item->type == TRIAD_TOML_TABLE;
  const char *near = NULL;
  if (is_table) near = triad_schema_nearest_table(c->schema, item->key, table, sizeof table);
  if (!near) near = triad_schema_nearest(c->schema, item->key);
  triad_case_error_at(c, place, "unknown %s %s%s", is_table ? "table" : "key",
                      triad_quote(quote, item->key, strlen(item->key)), triad_did_you_mean(advice, near));
}

static void note_foreign(triad_case *c, const triad_toml_item *item, triad_case_place place)
{
  char owners[TRIAD_SOLVER_NAMES];
  triad_case_error_at(c, place, "\"%s\" is not a key of solver %s, only of %s", item->key, c->schema->solver,
                      triad_schema_key_solvers(item->key, owners));
}

/* While the solver is not known a key may have several rows: what one of them takes is good, and where none does it is
 * the first that complains. */
static void take_any(triad_case *c, int first, const triad_toml_item *item, triad_case_place place)
{
  const char *name = c->schema->row[first].key->name;
  int n = c->n_errors, good = 0;
  int64_t all = c->all_errors;
  for (int row = first; row < c->schema->n && strcmp(c->schema->row[row].key->name, name) == 0; row++) {
    int64_t before = c->all_errors;
    triad_case_take(c, row, item, place);
    good |= c->all_errors == before;
  }
  if (good) triad_case_forget_errors(c, n, all);
  if (good || c->all_errors == all) return;
  triad_case_forget_errors(c, n, all);
  triad_case_take(c, first, item, place);
}

/* An argument replaces all tables of this name. */
static void forget_tables(triad_case *c, const char *table, size_t length)
{
  for (int i = 0; i < c->schema->n; i++)
    if (strncmp(c->schema->row[i].key->name, table, length) == 0 && c->schema->row[i].key->name[length] == '[')
      c->no_memory |= triad_case_take_default(c, i) == TRIAD_ERR_MEMORY;
}

/* Read items of repeatable tables, or items written as if their table were repeatable. Returns 1 if the item needs no
 * further processing. */
static int read_repeated(triad_case *c, const triad_toml_item *item, triad_case_place place)
{
  char plain[TRIAD_SCHEMA_NAME];
  size_t length = strlen(item->key), table = triad_schema_plain(item->key, item->parent_length, plain);
  int tables = item->type == TRIAD_TOML_ARRAY, number = triad_schema_number(item->key, length);
  for (int64_t i = 0; tables && i < item->n; i++) tables = item->values[i].type == TRIAD_TOML_TABLE;
  if (triad_schema_repeated(item->key, length)) { /* the table itself, without a number */
    if (!tables) triad_case_error_at(c, place, "\"%s\" is a repeated table: write [[%s]]", item->key, item->key);
    else if (place.from == TRIAD_FROM_SET) forget_tables(c, item->key, length);
    return 1;
  }
  if (triad_schema_repeated(plain, table) && number == 0) { /* a key of [particles], which has been complained about */
    if (place.from == TRIAD_FROM_SET)
      triad_case_error_at(c, place, "which [[%s]]? write %s[1].%s for the first", plain, plain, item->key + table + 1);
    return 1;
  }
  if (number == 0) return 0;
  table = triad_schema_plain(item->key, length, plain);
  if (item->type == TRIAD_TOML_TABLE && triad_schema_repeated(plain, table)) {
    if (number == TRIAD_CASE_TABLES + 1)
      triad_case_error_at(c, place, "more than %d [[%s]]: remove some", TRIAD_CASE_TABLES, plain);
    return 1;
  }
  table = triad_schema_plain(item->key, item->parent_length, plain);
  if (!triad_schema_repeated(plain, table)) { /* of a file, the array was complained about */
    if (place.from == TRIAD_FROM_SET && item->type != TRIAD_TOML_TABLE)
      triad_case_error_at(c, place, "there is only one table [%s]: remove the number", plain);
    return 1;
  }
  if (number > TRIAD_CASE_TABLES || (place.from == TRIAD_FROM_FILE && triad_case_tables_set(c, plain) >= 0)) return 1;
  if (place.from == TRIAD_FROM_SET && number > triad_case_tables(c, plain) && triad_schema_any(item->key, length)) {
    triad_case_error_at(c, place, "the case has no [[%s]] number %d: add it to the case file, or use a smaller number",
                        plain, number);
    return 1;
  }
  return 0;
}

void triad_case_read_item(triad_case *c, const triad_toml_item *item, triad_case_place place)
{
  size_t length = strlen(item->key);
  int row = triad_schema_find(c->schema, item->key, length);
  if (triad_case_is_parameter(item->key)) return; /* read before (case_parameters.c) */
  if (row < 0 && read_repeated(c, item, place)) return;
  if (row >= 0) {
    take_any(c, row, item, place);
  } else if (triad_schema_any(item->key, length)) {
    note_foreign(c, item, place);
  } else if (triad_schema_has_table(item->key, length)) {
    if (item->type != TRIAD_TOML_TABLE) triad_case_error_at(c, place, "\"%s\" is a table, not a value", item->key);
  } else if (triad_schema_has_table(item->key, item->parent_length)) {
    note_unknown(c, item, place);
  } /* else the table around it was complained about, once for all it holds */
}

void triad_case_read_items(triad_case *c, const triad_toml *doc, triad_case_reader *read)
{
  for (int64_t i = 0; doc && i < doc->n; i++) {
    triad_case_place place = {TRIAD_FROM_FILE, doc->items[i].line, doc->items[i].column, 0};
    read(c, &doc->items[i], place);
  }
}
