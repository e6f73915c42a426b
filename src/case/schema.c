/* Build the list of keys of one solver from the common rows and those of its family, and find keys, tables and words
 * in it, also misspelt ones. */
#include "case/schema.h"

#include "base/status.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

const triad_word *triad_key_word(const triad_key *key, int i)
{
  if (key->word_at) return key->word_at(i);
  return key->words && key->words[i].name ? &key->words[i] : NULL;
}

static int same_table(const triad_key *a, const triad_key *b)
{
  size_t length = triad_schema_table_length(a);
  return length == triad_schema_table_length(b) && memcmp(a->name, b->name, length) == 0;
}

static int is_called(const triad_key *key, const char *name, size_t length)
{
  return strncmp(key->name, name, length) == 0 && key->name[length] == '\0';
}

/* Row of a plain table, or NULL. */
static const triad_key *find_in(const triad_key *rows, const char *name, size_t length)
{
  for (; rows->name; rows++)
    if (is_called(rows, name, length)) return rows;
  return NULL;
}

static int has_table_of(const triad_key *rows, const triad_key *key)
{
  for (; rows->name; rows++)
    if (same_table(rows, key)) return 1;
  return 0;
}

/* ---- the list ---- */

static int count_rows(void)
{
  int n = 0;
  for (const triad_key *key = triad_common_keys; key->name; key++) n++;
  for (int p = 0; triad_case_part_at(p); p++)
    for (const triad_key *key = triad_case_part_at(p)->keys; key->name; key++) n++;
  return n;
}

static int is_wanted(const triad_schema *s, const triad_case_part *part)
{
  return triad_case_part_has(part, s->solver);
}

static void add(triad_schema *s, const triad_key *key, const triad_case_part *part)
{
  s->row[s->n++] = (triad_schema_row){key, part};
}

/* Add the rows of this name from a part, for the requested solver. Returns their number. */
static int add_named(triad_schema *s, const triad_case_part *part, const char *name)
{
  int before = s->n;
  if (!is_wanted(s, part)) return 0;
  for (const triad_key *key = part->keys; key->name; key++)
    if (strcmp(key->name, name) == 0 && triad_solver_among(key->solvers, s->solver)) add(s, key, part);
  return s->n - before;
}

/* Add a common key, or the rows that replace it. If every family replaces it, the common row belongs to no solver. */
static void add_common(triad_schema *s, const triad_key *key)
{
  int everywhere = 1, at = s->n;
  add(s, key, NULL);
  for (int p = 0; triad_case_family_at(p); p++) {
    const triad_case_part *family = triad_case_family_at(p);
    int n = add_named(s, family, key->name);
    for (int k = 0; family->sets && family->sets[k]; k++) n += add_named(s, family->sets[k], key->name);
    if (n == 0 && is_wanted(s, family)) everywhere = 0;
  }
  if (!everywhere || s->n == at + 1) return;
  memmove(&s->row[at], &s->row[at + 1], (size_t)(s->n - at - 1) * sizeof *s->row);
  s->n--;
}

/* What the families add to the table of a key; rows of one name together, in the order of the first that has them. */
static void add_own(triad_schema *s, const triad_key *table)
{
  for (int p = 0; triad_case_part_at(p); p++)
    for (const triad_key *key = triad_case_part_at(p)->keys; is_wanted(s, triad_case_part_at(p)) && key->name; key++) {
      size_t length = strlen(key->name);
      if (!same_table(key, table) || find_in(triad_common_keys, key->name, length) ||
          triad_schema_find(s, key->name, length) >= 0)
        continue;
      for (int q = p; triad_case_part_at(q); q++) (void)add_named(s, triad_case_part_at(q), key->name);
    }
}

/* The first key after a family's table that belongs to a common table; NULL if there is none. */
static const triad_key *common_behind(const triad_key *key)
{
  while (key->name && !has_table_of(triad_common_keys, key)) key++;
  return key->name ? key : NULL;
}

/* Tables that only families have, and that come before `next` (NULL: at the end), each once. */
static void add_tables_before(triad_schema *s, const triad_key *next)
{
  for (int p = 0; triad_case_part_at(p); p++) {
    const triad_key *keys = triad_case_part_at(p)->keys;
    for (const triad_key *key = keys; is_wanted(s, triad_case_part_at(p)) && key->name; key++) {
      if ((key > keys && same_table(key, key - 1)) || has_table_of(triad_common_keys, key)) continue;
      const triad_key *behind = common_behind(key);
      int is_here = next ? behind && same_table(behind, next) : !behind, done = 0;
      for (int i = 0; i < s->n; i++) done |= same_table(s->row[i].key, key);
      if (is_here && !done) add_own(s, key);
    }
  }
}

int triad_schema_create(triad_schema **out, const char *solver)
{
  triad_schema *s = *out = calloc(1, sizeof *s);
  triad_schema_row *row = calloc((size_t)count_rows(), sizeof *row);
  if (!s || !row) {
    free(row);
    free(s);
    *out = NULL;
    return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the keys of a case");
  }
  s->solver = solver;
  s->row = row;
  for (const triad_key *key = triad_common_keys; key->name; key++) {
    if (key == triad_common_keys || !same_table(key, key - 1)) add_tables_before(s, key);
    add_common(s, key);
    if (!key[1].name || !same_table(key, key + 1)) add_own(s, key);
  }
  add_tables_before(s, NULL);
  return TRIAD_OK;
}

void triad_schema_destroy(triad_schema **schema)
{
  if (!*schema) return;
  triad_schema_unmake(*schema);
  free((*schema)->row);
  free(*schema);
  *schema = NULL;
}

/* ---- finding ---- */

int triad_schema_find(const triad_schema *s, const char *name, size_t length)
{
  for (int i = 0; i < s->n; i++)
    if (is_called(s->row[i].key, name, length)) return i;
  return -1;
}

/* Rows of all tables of keys, the common one (number 0) and the families'. */
static const triad_key *table_of(int i)
{
  const triad_case_part *part = i > 0 ? triad_case_part_at(i - 1) : NULL;
  return i == 0 ? triad_common_keys : part ? part->keys : NULL;
}

const triad_key *triad_schema_any(const char *given, size_t given_length)
{
  char name[TRIAD_SCHEMA_NAME];
  size_t length = triad_schema_plain(given, given_length, name);
  for (int i = 0; table_of(i); i++) {
    const triad_key *key = find_in(table_of(i), name, length);
    if (key) return key;
  }
  return NULL;
}

static const triad_word *find_word(const triad_key *key, const char *word)
{
  const triad_word *w = NULL;
  for (int j = 0; key && (w = triad_key_word(key, j)) != NULL; j++)
    if (strcmp(w->name, word) == 0) return w;
  return NULL;
}

const triad_word *triad_schema_any_word(const char *given, const char *word)
{
  char name[TRIAD_SCHEMA_NAME];
  (void)triad_schema_plain(given, strlen(given), name);
  const triad_word *w = NULL;
  for (int i = 0; table_of(i) && !w; i++) w = find_word(find_in(table_of(i), name, strlen(name)), word);
  return w;
}

int triad_schema_has_table(const char *given, size_t given_length)
{
  char name[TRIAD_SCHEMA_NAME];
  size_t length = triad_schema_plain(given, given_length, name);
  if (given_length == 0) return 1;
  if (length == 0) return 0;
  for (int i = 0; table_of(i); i++)
    for (const triad_key *key = table_of(i); key->name; key++)
      if (strlen(key->name) > length && key->name[length] == '.' && memcmp(key->name, name, length) == 0) return 1;
  return 0;
}

/* A key is misspelt, or spelt well in the wrong table ("grid.cfl"). */
const char *triad_schema_nearest(const triad_schema *s, const char *name)
{
  const char *dot = strrchr(name, '.'), *last = dot ? dot + 1 : name, *list[512];
  int n = 0;
  for (; n < s->n && n < 512; n++) {
    list[n] = s->row[n].key->name;
    if (strcmp(last, triad_schema_short_name(s->row[n].key)) == 0) return list[n];
  }
  int best = triad_nearest(name, list, n);
  return best < 0 ? NULL : list[best];
}

const char *triad_schema_nearest_table(const triad_schema *s, const char *name, char *buffer, size_t size)
{
  int best_edits = (int)strlen(name) / 3 + 1;
  const triad_key *best = NULL;
  for (int i = 0; i < s->n; i++) {
    (void)snprintf(buffer, size, "%.*s", (int)triad_schema_table_length(s->row[i].key), s->row[i].key->name);
    int edits = buffer[0] ? triad_edits(name, buffer) : best_edits;
    if (edits >= best_edits) continue;
    best = s->row[i].key;
    best_edits = edits;
  }
  if (best) (void)snprintf(buffer, size, "%.*s", (int)triad_schema_table_length(best), best->name);
  return best ? buffer : NULL;
}
