/* Evaluate the condition `used` of each key (part.h), and warn about keys that have no effect. */
#include "case/case_internal.h"
#include "case/case_text.h"
#include "case/case_void.h"
#include "case/case_errors.h"

#include "base/status.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAME = 96, MOST_REASON = 400 };

/* One condition of a row: "key", "!key", "key=word|word" or "key!=word|word". */
typedef struct condition {
  char key[MOST_NAME];
  const char *words; /* behind the sign, up to a blank; NULL: the key must have a value */
  int is_not;
} condition;

/* The condition at `at`, and where the next one begins. The key of a repeated table is that of the same table. */
static const char *read_condition(const triad_case *c, const char *of, const char *at, condition *out)
{
  *out = (condition){.is_not = *at == '!'};
  at += out->is_not;
  const size_t n = strcspn(at, "!= ");
  (void)snprintf(out->key, sizeof out->key, "%.*s", (int)n, at);
  if (at[n] == '!') out->is_not = 1;
  if (at[n] == '!' || at[n] == '=') out->words = at + n + (at[n] == '!') + 1;
  const char *bracket = strchr(of, '['), *dot = strchr(out->key, '.');
  if (bracket && dot && !triad_case_slot_of(c, out->key) && strncmp(of, out->key, (size_t)(dot - out->key)) == 0)
    (void)snprintf(out->key, sizeof out->key, "%.*s%.*s", (int)(strchr(of, ']') + 1 - of), of,
                   (int)(at + n - strchr(at, '.')), strchr(at, '.'));
  at += strcspn(at, " ");
  return at + strspn(at, " ");
}

static int is_among(const char *words, const char *word)
{
  const size_t length = strlen(word);
  for (const char *at = words;; at++) {
    const size_t n = strcspn(at, "| ");
    if (n == length && strncmp(at, word, n) == 0) return 1;
    at += n;
    if (*at != '|') return 0;
  }
}

static int has_value(const triad_key *key, const triad_case_slot *slot)
{
  if (slot->n == 0) return 0;
  switch (key->type) {
  case TRIAD_KEY_REAL:
    for (int i = 0; i < slot->n; i++)
      if (fabs(slot->real[i]) > 0) return 1;
    return 0;
  case TRIAD_KEY_INTEGER:
    for (int i = 0; i < slot->n; i++)
      if (slot->integer[i] != 0) return 1;
    return 0;
  case TRIAD_KEY_FLAG: return slot->flag;
  case TRIAD_KEY_TEXT: return slot->text[0] && slot->text[0][0] != '\0';
  case TRIAD_KEY_WORD: return 1;
  }
  return 0;
}

/* A key that the solver does not have has no value. A wrong value leaves the condition open, which is no reason. */
static int holds(const triad_case *c, const condition *k)
{
  const triad_case_slot *slot = triad_case_slot_of(c, k->key);
  if (!slot) return k->is_not;
  if (slot->bad) return 1;
  const triad_key *key = c->schema->row[slot - c->slots].key;
  if (!k->words) return has_value(key, slot) != k->is_not;
  int among = 0;
  for (int i = 0; i < slot->n; i++) {
    char number[24] = "";
    if (key->type == TRIAD_KEY_INTEGER) (void)snprintf(number, sizeof number, "%lld", (long long)slot->integer[i]);
    among |= is_among(k->words, key->type == TRIAD_KEY_TEXT   ? slot->text[i]
                                : key->type == TRIAD_KEY_WORD ? slot->word[i]
                                                              : number);
  }
  return among != k->is_not;
}

static void add_reason(const triad_case *c, const char *key, char *why)
{
  char name[MOST_NAME + 4];
  const size_t said = strlen(why);
  (void)snprintf(name, sizeof name, "%s = ", key);
  if (!triad_case_slot_of(c, key) || strstr(why, name)) return;
  const triad_key *row = c->schema->row[triad_case_slot_of(c, key) - c->slots].key;
  char *value = triad_case_slot_text(c, row);
  (void)snprintf(why + said, MOST_REASON - said, "%s%s%.80s", said ? ", " : "", name, value ? value : "");
  free(value);
}

/* Alternatives are separated by "or"; of each all conditions must hold. why[MOST_REASON]: what is in the way. */
static int is_used(const triad_case *c, const triad_key *key, char *why)
{
  why[0] = '\0';
  for (const char *at = key->used; at && *at;) {
    int all = 1;
    while (*at && strncmp(at, "or ", 3) != 0) {
      condition one;
      at = read_condition(c, key->name, at, &one);
      if (holds(c, &one)) continue;
      all = 0;
      add_reason(c, one.key, why);
    }
    if (all) return 1;
    if (*at) at += 3;
  }
  return !key->used;
}

int triad_case_is_void(const triad_case *c, const triad_key *key, char *why, size_t size)
{
  char reason[MOST_REASON];
  if (!key->used || is_used(c, key, reason)) return 0;
  if (why) (void)snprintf(why, size, "%s", reason);
  return 1;
}

/* ---- warnings ---- */

static void warn(triad_case *c, triad_case_place place, const char *format, va_list args)
{
  char what[1024], where[512], *text = NULL;
  (void)vsnprintf(what, sizeof what, format, args);
  triad_case_write_place(c, place, where, sizeof where);
  char **more = realloc(c->warnings, (size_t)(c->n_warnings + 1) * sizeof *more);
  if (more) c->warnings = more;
  if (!more || asprintf(&text, "%s: %s", where, what) < 0) {
    c->no_memory = 1;
    return;
  }
  c->warnings[c->n_warnings++] = text;
}

void triad_case_warn_of(triad_case *c, const char *key, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  warn(c, triad_case_slot_of(c, key)->place, format, args);
  va_end(args);
}

void triad_case_warn_void(triad_case *c)
{
  char why[MOST_REASON];
  for (int i = 0; i < c->schema->n; i++) {
    const triad_key *key = c->schema->row[i].key;
    const triad_case_slot *slot = &c->slots[i];
    const int given = slot->place.from == TRIAD_FROM_FILE || slot->place.from == TRIAD_FROM_SET;
    if (!given || slot->bad || !triad_case_is_void(c, key, why, sizeof why)) continue;
    triad_case_warn_of(c, key->name, "%s is not used with %s: remove it", key->name, why);
  }
}

const char *triad_case_warning(const triad_case *c, int i) { return i < c->n_warnings ? c->warnings[i] : NULL; }

void triad_case_free_warnings(triad_case *c)
{
  for (int i = 0; i < c->n_warnings; i++) free(c->warnings[i]);
  free(c->warnings);
}
