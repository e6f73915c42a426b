/* Describe the range, default and words of a key as text, and name the solvers that have a key, word or quantity. */
#include "case/schema.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* Append to a buffer, cutting what does not fit. */
static void append(char *buffer, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void append(char *buffer, size_t size, const char *format, ...)
{
  size_t used = strnlen(buffer, size);
  if (used + 1 >= size) return;
  va_list args;
  va_start(args, format);
  (void)vsnprintf(buffer + used, size - used, format, args);
  va_end(args);
}

/* Each name once. */
static int is_first(const triad_key *key, int number, const char *solver)
{
  const triad_word *word = triad_key_word(key, number);
  for (int i = 0; i < number; i++) {
    const triad_word *w = triad_key_word(key, i);
    if (triad_solver_among(w->solvers, solver) && strcmp(w->name, word->name) == 0) return 0;
  }
  return 1;
}

static void append_words(const triad_key *key, const char *solver, char *buffer, size_t size)
{
  const triad_word *w;
  int n = 0;
  for (int i = 0; (w = triad_key_word(key, i)) != NULL; i++)
    if (triad_solver_among(w->solvers, solver) && is_first(key, i, solver))
      append(buffer, size, "%s\"%s\"", n++ ? ", " : "", w->name);
}

void triad_schema_range(const triad_key *key, const char *solver, char *buffer, size_t size)
{
  buffer[0] = '\0';
  if (key->type == TRIAD_KEY_WORD) {
    append_words(key, solver, buffer, size);
  } else if (isfinite(key->min) && isfinite(key->max)) {
    append(buffer, size, "%.15g to %.15g", key->min, key->max);
  } else if (isfinite(key->min)) {
    append(buffer, size, "%s %.15g", key->above_min ? "above" : "at least", key->min);
  } else if (isfinite(key->max)) {
    append(buffer, size, "at most %.15g", key->max);
  }
  if ((key->type == TRIAD_KEY_INTEGER || key->type == TRIAD_KEY_REAL) && key->words) {
    append(buffer, size, " or ");
    append_words(key, solver, buffer, size);
  }
}

void triad_schema_describe(const triad_key *key, const char *solver, int with_range, char *buffer, size_t size)
{
  static const char *const one[] = {"a number", "an integer", "true or false", "one of", "text"};
  static const char *const many[] = {"numbers", "integers", "flags", "words", "texts"};
  char range[TRIAD_KIND];
  buffer[0] = '\0';
  if (key->count == 1) append(buffer, size, "%s", key->formula ? "a formula of " : one[key->type]);
  else
    append(buffer, size, key->list ? "a list of up to %d %s" : "%d %s", key->count,
           key->formula ? "formulas of " : many[key->type]);
  for (int i = 0; key->formula && key->formula[i]; i++) append(buffer, size, "%s%s", i ? ", " : "", key->formula[i]);
  triad_schema_range(key, solver, range, sizeof range);
  if (key->type == TRIAD_KEY_WORD) append(buffer, size, " %s", range);
  else if (with_range && range[0]) append(buffer, size, "%s%s", strncmp(range, "a", 1) == 0 ? " " : ", ", range);
}

static int is_plain_number(const char *text) { return text[strspn(text, "0123456789+-.eE_")] == '\0'; }

void triad_schema_preset(const triad_key *key, char *buffer, size_t size)
{
  const char *text = key->preset ? key->preset : key->example ? key->example : triad_key_word(key, 0)->name;
  int quoted = key->type == TRIAD_KEY_TEXT || key->type == TRIAD_KEY_WORD;
  buffer[0] = '\0';
  if (key->type == TRIAD_KEY_REAL && key->words) {
    append(buffer, size, "\"%s\"", key->words[0].name);
    return;
  }
  if (key->count > 1) append(buffer, size, "[");
  for (int i = 0; i < key->count && (*text || !key->list); i++) {
    int length = (int)(key->count > 1 ? strcspn(text, " ") : strlen(text));
    char word[128];
    (void)snprintf(word, sizeof word, "%.*s", length, text);
    int quote = quoted || (key->type == TRIAD_KEY_REAL && !is_plain_number(word));
    append(buffer, size, quote ? "%s\"%s\"" : "%s%s", i ? ", " : "", word);
    text += length;
    text += strspn(text, " ");
  }
  if (key->count > 1) append(buffer, size, "]");
}

void triad_schema_facts(const triad_key *key, int with_example, char *buffer, size_t size)
{
  char preset[128];
  triad_schema_describe(key, NULL, 1, buffer, size);
  triad_schema_preset(key, preset, sizeof preset);
  if (key->unit) append(buffer, size, " [%s]", key->unit);
  append(buffer, size, "; %s", key->preset ? "default " : with_example ? "required, such as " : "required");
  if (key->preset || with_example) append(buffer, size, "%s", preset);
}

const triad_word *triad_schema_told(const triad_key *key, int *i, char *buffer, size_t size)
{
  const triad_word *w = NULL;
  while (key->type == TRIAD_KEY_WORD && (w = triad_key_word(key, *i)) != NULL && !w->about) ++*i;
  if (!w) return NULL;
  ++*i;
  (void)snprintf(buffer, size, w->solvers ? "%s (%s)" : "%s", w->name, w->solvers);
  return w;
}

/* Whose is a key, a word: names of solvers for messages and pages. */
/* Append the solvers of a part that are among `solvers`, each once. */
static void append_solvers(char buffer[TRIAD_SOLVER_NAMES], const triad_case_part *part, const char *solvers)
{
  for (int i = 0; part->sets && part->sets[i]; i++) append_solvers(buffer, part->sets[i], solvers);
  for (const triad_solver_row *s = part->solvers; s->word.name; s++) {
    const char *name = s->word.name;
    size_t used = strlen(buffer);
    if (!triad_solver_among(solvers, name) || (used > 0 && triad_solver_among(buffer, name))) continue;
    if (used + strlen(name) + 2 > TRIAD_SOLVER_NAMES) return;
    (void)strcat(strcat(buffer, used ? " " : ""), name);
  }
}

const char *triad_schema_row_solvers(const triad_schema_row *row, char buffer[TRIAD_SOLVER_NAMES])
{
  buffer[0] = '\0';
  if (row->part) append_solvers(buffer, row->part, row->key->solvers);
  return buffer;
}

const char *triad_schema_key_solvers(const char *given, char buffer[TRIAD_SOLVER_NAMES])
{
  char name[TRIAD_SCHEMA_NAME];
  (void)triad_schema_plain(given, strlen(given), name);
  buffer[0] = '\0';
  for (int p = 0; triad_case_part_at(p); p++)
    for (const triad_key *key = triad_case_part_at(p)->keys; key->name; key++)
      if (strcmp(key->name, name) == 0) append_solvers(buffer, triad_case_part_at(p), key->solvers);
  return buffer;
}

/* A word without solvers of its own has those of its key. */
const char *triad_schema_word_solvers(const char *given, const char *word, char buffer[TRIAD_SOLVER_NAMES])
{
  char name[TRIAD_SCHEMA_NAME];
  (void)triad_schema_plain(given, strlen(given), name);
  buffer[0] = '\0';
  for (int p = 0; triad_case_part_at(p); p++)
    for (const triad_key *key = triad_case_part_at(p)->keys; key->name; key++) {
      const triad_word *w = strcmp(key->name, name) == 0 ? triad_key_word(key, 0) : NULL;
      for (int i = 0; w; w = triad_key_word(key, ++i))
        if (strcmp(w->name, word) == 0)
          append_solvers(buffer, triad_case_part_at(p), w->solvers ? w->solvers : key->solvers);
    }
  return buffer;
}

int triad_quantity_reads_alike(const triad_quantity *a, const triad_quantity *b)
{
  return strcmp(a->name, b->name) == 0 && strcmp(a->unit, b->unit) == 0 && strcmp(a->long_name, b->long_name) == 0;
}

const char *triad_schema_quantity_solvers(const char *name, const triad_quantity *alike,
                                          char buffer[TRIAD_SOLVER_NAMES])
{
  buffer[0] = '\0';
  for (int p = 0; triad_case_part_at(p); p++)
    for (const triad_quantity *q = triad_case_part_at(p)->quantities; q->name; q++)
      if (alike ? triad_quantity_reads_alike(q, alike) : strcmp(q->name, name) == 0)
        append_solvers(buffer, triad_case_part_at(p), q->solvers);
  return buffer;
}

const char *triad_schema_quantity_shown_by(const triad_quantity *alike, char buffer[TRIAD_SOLVER_NAMES])
{
  buffer[0] = '\0';
  for (int p = 0; triad_case_part_at(p); p++)
    for (const triad_quantity *q = triad_case_part_at(p)->quantities; q->name; q++)
      if (q->shown && triad_quantity_reads_alike(q, alike)) append_solvers(buffer, triad_case_part_at(p), q->solvers);
  return buffer;
}
