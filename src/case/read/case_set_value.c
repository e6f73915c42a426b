/* Read the values of arguments key=value, and find the arguments of one key. */
#include "case/case_internal.h"
#include "case/read/case_set_value.h"
#include "base/status.h"
#include <stdlib.h>
#include <string.h>

/* The value of an argument, read as `value = ...` of a one-line file; NULL with *status TRIAD_OK when it is no TOML. */
static triad_toml *parse_value(const char *raw, int *status)
{
  char *text = NULL;
  triad_toml *doc = NULL;
  int length = asprintf(&text, "value = %s\n", raw);
  *status = length < 0 ? TRIAD_FAIL(TRIAD_ERR_MEMORY, "--set") : triad_toml_parse(&doc, text, (size_t)length);
  if (length >= 0) free(text);
  /* "1\nother = 2" would be two statements */
  int whole = *status == TRIAD_OK;
  for (int64_t i = 0; whole && i < doc->n; i++)
    whole = strncmp(doc->items[i].key, "value", 5) == 0 && strchr(".[", doc->items[i].key[5]) != NULL;
  if (!whole) triad_toml_destroy(&doc);
  if (*status == TRIAD_ERR_CASE) *status = TRIAD_OK;
  return doc;
}

/* [2pi, 2pi, 1/3]: an array of bare words, rewritten with marks around what is no TOML by itself. NULL when it is not
 * of this kind. malloc'd. */
static char *quote_elements(const char *raw, int *status)
{
  size_t n = strlen(raw), size = 0;
  char *quoted = NULL;
  *status = TRIAD_OK;
  if (n < 2 || raw[0] != '[' || raw[n - 1] != ']' || strpbrk(raw + 1, "[\"'\\{\n") || strchr(raw, ']') != raw + n - 1)
    return NULL;
  FILE *out = open_memstream(&quoted, &size);
  if (!out) {
    *status = TRIAD_FAIL(TRIAD_ERR_MEMORY, "--set");
    return NULL;
  }
  (void)fputc('[', out);
  for (const char *at = raw + 1; at < raw + n - 1;) {
    at += strspn(at, " ");
    int length = (int)strcspn(at, ",]");
    int bare = (int)strspn(at, "0123456789+-.eE_"), shown = length;
    while (shown > 0 && at[shown - 1] == ' ') shown--;
    (void)fprintf(out, bare >= shown ? "%.*s, " : "\"%.*s\", ", shown, at);
    at += length + 1;
  }
  (void)fputc(']', out);
  if (fclose(out) != 0) *status = TRIAD_FAIL(TRIAD_ERR_MEMORY, "--set");
  return quoted;
}

/* Hand on each key that the argument sets: one, or all those of an inline table. */
static int read_document(triad_case *c, const char *key, const triad_toml *doc, triad_case_place place,
                         triad_case_reader *read)
{
  for (int64_t i = 0; i < doc->n; i++) {
    triad_toml_item item = doc->items[i];
    char *full = NULL;
    if (asprintf(&full, "%s%s", key, item.key + strlen("value")) < 0)
      return TRIAD_FAIL(TRIAD_ERR_MEMORY, "--set %s", key);
    const char *dot = strrchr(key, '.');
    item.key = full;
    item.parent_length = item.parent_length ? item.parent_length - strlen("value") + strlen(key)
                         : dot              ? (size_t)(dot - key)
                                            : 0;
    read(c, &item, place);
    free(full);
  }
  return TRIAD_OK;
}

static int read_bare(triad_case *c, const char *key, const char *raw, triad_case_place place, triad_case_reader *read)
{
  triad_toml_value value = {.type = TRIAD_TOML_TEXT, .text = raw, .length = strlen(raw)};
  triad_toml_item item = {.key = key, .type = TRIAD_TOML_TEXT, .n = 1, .values = &value};
  read(c, &item, place);
  return TRIAD_OK;
}

int triad_case_read_set(triad_case *c, const char *key, const char *raw, triad_case_place place,
                        triad_case_reader *read)
{
  int status, row = c->schema ? triad_schema_find(c->schema, key, strlen(key)) : -1;
  const triad_key *known = row >= 0 ? c->schema->row[row].key : triad_schema_any(key, strlen(key));
  triad_toml *doc = parse_value(raw, &status);
  if (status != TRIAD_OK) return status;
  if (!doc && (!known || known->count > 1)) {
    char *quoted = quote_elements(raw, &status);
    if (status == TRIAD_OK && quoted) doc = parse_value(quoted, &status);
    free(quoted);
    if (status != TRIAD_OK) return status;
  }
  /* a file called 2024 is text, whatever TOML makes of it */
  int is_text = known && known->type == TRIAD_KEY_TEXT && known->count == 1;
  int as_typed = !doc || (is_text && doc->n == 1 && doc->items[0].type != TRIAD_TOML_TEXT);
  status = as_typed ? read_bare(c, key, raw, place, read) : read_document(c, key, doc, place, read);
  triad_toml_destroy(&doc);
  return status;
}

/* Split "  grid.n = 4". *key is malloc'd, or NULL if there is none; *value is the text after the sign. */
int triad_case_split_set(const char *argument, char **key, const char **value)
{
  const char *equals = strchr(argument, '='), *first = argument + strspn(argument, " \t");
  size_t length = equals && equals > first ? (size_t)(equals - first) : 0;
  while (length > 0 && strchr(" \t", first[length - 1])) length--;
  *key = length > 0 ? strndup(first, length) : NULL;
  *value = length > 0 ? equals + 1 : NULL;
  return length > 0 && !*key ? TRIAD_FAIL(TRIAD_ERR_MEMORY, "--set %s", argument) : TRIAD_OK;
}

int triad_case_sets_of(triad_case *c, int n_sets, const char *key, triad_case_reader *read)
{
  size_t table = strcspn(key, ".");
  for (int i = 0; i < n_sets; i++) {
    char *name;
    const char *value;
    int status = triad_case_split_set(c->sets[i], &name, &value);
    int wanted = name && (strcmp(name, key) == 0 || (strlen(name) == table && strncmp(name, key, table) == 0));
    if (name && !key[table]) wanted |= strncmp(name, key, table) == 0 && name[table] == '.'; /* any of a table */
    triad_case_place place = {.from = TRIAD_FROM_SET, .set = i};
    if (status == TRIAD_OK && wanted) status = triad_case_read_set(c, name, value, place, read);
    free(name);
    if (status != TRIAD_OK) return status;
  }
  return TRIAD_OK;
}

/* Count the repeatable tables in the arguments, which then replace all others. The array itself comes first. */
static void count_set(triad_case *c, const triad_toml_item *item, triad_case_place place)
{
  (void)place;
  if (item->type == TRIAD_TOML_ARRAY && triad_schema_repeated(item->key, strlen(item->key)))
    c->tables_set = item->n < TRIAD_CASE_TABLES ? (int)item->n : TRIAD_CASE_TABLES;
}

int triad_case_tables_set(triad_case *c, const char *table)
{
  c->tables_set = -1;
  if (triad_case_sets_of(c, c->n_sets, table, count_set) != TRIAD_OK) c->no_memory = 1;
  return c->tables_set;
}
