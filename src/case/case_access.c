/* Return the values of a case by key. A key that does not exist, or has another type, is a mistake in the program and
 * ends it. */
#include "case/case_internal.h"

#include "base/status.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void fatal(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
static void fatal(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  (void)fputs("triad: bug: case: ", stderr);
  (void)vfprintf(stderr, format, args);
  (void)fputc('\n', stderr);
  va_end(args);
  abort();
}

triad_case_slot *triad_case_slot_of(const triad_case *c, const char *key)
{
  int row = triad_schema_find(c->schema, key, strlen(key));
  if (row < 0 && !triad_schema_any(key, strlen(key))) fatal("unknown key \"%s\"", key);
  return row < 0 ? NULL : &c->slots[row];
}

static const triad_key *key_of(const triad_case *c, const triad_case_slot *slot)
{
  return c->schema->row[slot - c->slots].key;
}

const triad_key *triad_case_key_of(const triad_case *c, const char *key)
{
  const triad_case_slot *slot = triad_case_slot_of(c, key);
  return slot ? key_of(c, slot) : NULL;
}

/* The slot of a key that is asked for with the right type and number of values. */
static const triad_case_slot *checked(const triad_case *c, const char *key, triad_key_type type, int count)
{
  const triad_case_slot *slot = triad_case_slot_of(c, key);
  if (!slot) fatal("\"%s\" does not belong to this case's solver", key);
  const triad_key *row = key_of(c, slot);
  if (row->type != type || row->count != count) {
    char kind[TRIAD_KIND];
    triad_schema_describe(row, NULL, 0, kind, sizeof kind);
    fatal("\"%s\" is %s, asked for as another type", key, kind);
  }
  if (slot->bad) fatal("\"%s\" has no value", key);
  return slot;
}

double triad_case_real(const triad_case *c, const char *key) { return checked(c, key, TRIAD_KEY_REAL, 1)->real[0]; }

int64_t triad_case_integer(const triad_case *c, const char *key)
{
  return checked(c, key, TRIAD_KEY_INTEGER, 1)->integer[0];
}

int triad_case_flag(const triad_case *c, const char *key) { return checked(c, key, TRIAD_KEY_FLAG, 1)->flag; }

const char *triad_case_word(const triad_case *c, const char *key)
{
  const triad_case_slot *slot = triad_case_slot_of(c, key);
  if (slot && key_of(c, slot)->type == TRIAD_KEY_TEXT) return checked(c, key, TRIAD_KEY_TEXT, 1)->text[0];
  return checked(c, key, TRIAD_KEY_WORD, 1)->word[0];
}

const char *triad_case_word_of_pair(const triad_case *c, const char *key, int i)
{
  return checked(c, key, TRIAD_KEY_WORD, 2)->word[i];
}

int triad_case_is(const triad_case *c, const char *key, const char *word)
{
  const triad_case_slot *slot = checked(c, key, TRIAD_KEY_WORD, 1);
  if (strcmp(slot->word[0], word) == 0) return 1;
  if (!triad_schema_any_word(key, word)) fatal("\"%s\" is never \"%s\"", key, word);
  return 0;
}

void triad_case_reals(const triad_case *c, const char *key, double *out, int n)
{
  memcpy(out, checked(c, key, TRIAD_KEY_REAL, n)->real, (size_t)n * sizeof *out);
}

/* Of a list, whatever most it may have. */
static const triad_case_slot *checked_list(const triad_case *c, const char *key)
{
  const triad_case_slot *slot = triad_case_slot_of(c, key);
  if (!slot || !key_of(c, slot)->list) fatal("\"%s\" is not a list of this case", key);
  return checked(c, key, TRIAD_KEY_REAL, key_of(c, slot)->count);
}

int triad_case_length(const triad_case *c, const char *key) { return checked_list(c, key)->n; }

int triad_case_list(const triad_case *c, const char *key, double *out, int room)
{
  const triad_case_slot *slot = checked_list(c, key);
  if (slot->n > room) fatal("\"%s\" has %d values, but the array has %d", key, slot->n, room);
  memcpy(out, slot->real, (size_t)slot->n * sizeof *out);
  return slot->n;
}

int triad_case_texts(const triad_case *c, const char *key, const char **out, int room)
{
  const triad_case_slot *slot = checked(c, key, TRIAD_KEY_TEXT, room);
  for (int i = 0; i < slot->n; i++) out[i] = slot->text[i];
  return slot->n;
}

void triad_case_integers(const triad_case *c, const char *key, int64_t *out, int n)
{
  memcpy(out, checked(c, key, TRIAD_KEY_INTEGER, n)->integer, (size_t)n * sizeof *out);
}

int triad_case_given(const triad_case *c, const char *key)
{
  const triad_case_slot *slot = triad_case_slot_of(c, key);
  return slot && slot->place.from != TRIAD_FROM_DEFAULT;
}

int triad_case_tables(const triad_case *c, const char *table)
{
  int most = 0;
  size_t length = strlen(table);
  for (int i = 0; i < c->schema->n; i++) {
    const char *name = c->schema->row[i].key->name;
    int number = strncmp(name, table, length) == 0 && name[length] == '[' ? triad_schema_number(name, strlen(name)) : 0;
    if (number > most) most = number;
  }
  return most;
}

char *triad_case_path(const triad_case *c, const char *key)
{
  const char *path = checked(c, key, TRIAD_KEY_TEXT, 1)->text[0];
  char *full = NULL;
  if (asprintf(&full, "%s%s", path[0] == '/' ? "" : c->folder, path) < 0) return NULL;
  return full;
}
