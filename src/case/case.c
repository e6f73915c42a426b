/* Parse a case into slots, one for each key of its solver, and return the values by key. The solver is found first
 * because it decides which keys exist. */
#include "case/case_own.h"

#include "base/status.h"
#include "base/text.h"

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

static int set_names(triad_case *c, const char *name)
{
  const char *slash = strrchr(name, '/');
  size_t length = strlen(name), size = 6 * length + 1;
  c->folder = strndup(name, slash ? (size_t)(slash - name) + 1 : 0);
  c->name = malloc(size);
  if (!c->folder || !c->name) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a case");
  (void)triad_escape(c->name, size, name, length, TRIAD_ESCAPE_PLAIN);
  return TRIAD_OK;
}

typedef struct tables_of {
  triad_case *c;
  const triad_toml *doc;
} tables_of;

/* The last one that is given counts, if it is the name of a solver. */
static void find_solver(triad_case *c, const triad_toml_item *item, triad_case_place place)
{
  (void)place;
  if (strcmp(item->key, "equations.solver") != 0) return;
  const triad_word *w = NULL;
  c->solver = NULL;
  for (int i = 0; item->type == TRIAD_TOML_TEXT && (w = triad_solver_word(i)) != NULL; i++)
    if (strlen(w->name) == item->values->length && strcmp(w->name, item->values->text) == 0) c->solver = w->name;
}

/* How often the arguments have a table that may stand several times, which is then all there is of it: the array
 * itself comes first. */
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

/* How often the case has it. */
static int count_tables(void *who, const char *table, size_t length)
{
  const tables_of *in = who;
  char plain[TRIAD_SCHEMA_NAME];
  int most = 0;
  (void)snprintf(plain, sizeof plain, "%.*s", (int)length, table);
  if (triad_case_tables_set(in->c, plain) >= 0) return in->c->tables_set;
  for (int64_t i = 0; in->doc && i < in->doc->n; i++) {
    const triad_toml_item *item = &in->doc->items[i];
    int number = item->type == TRIAD_TOML_TABLE ? triad_schema_number(item->key, strlen(item->key)) : 0;
    if (number > most && triad_schema_plain(item->key, strlen(item->key), plain) == length &&
        memcmp(plain, table, length) == 0)
      most = number;
  }
  return most < TRIAD_CASE_TABLES ? most : TRIAD_CASE_TABLES;
}

/* The keys, which the solver decides, and their defaults. */
static int prepare(triad_case *c, const triad_toml *doc, int n_sets)
{
  triad_case_read_items(c, doc, find_solver);
  TRIAD_TRY(triad_case_sets_of(c, n_sets, "equations.solver", find_solver));
  TRIAD_TRY(triad_case_read_parameters(c, doc, n_sets));
  TRIAD_TRY(triad_schema_create(&c->schema, c->solver));
  TRIAD_TRY(triad_schema_repeat(c->schema, count_tables, &(tables_of){c, doc}));
  c->slots = calloc((size_t)c->schema->n, sizeof *c->slots);
  if (!c->slots) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a case");
  for (int i = 0; i < c->schema->n; i++) TRIAD_TRY(triad_case_take_default(c, i));
  return TRIAD_OK;
}

static int fill(triad_case *c, const char *name, const char *text, size_t length, int n_sets)
{
  int broken = 0;
  triad_toml *doc = NULL;
  TRIAD_TRY(set_names(c, name));
  int status = triad_case_parse_file(c, text, length, &doc, &broken);
  if (status == TRIAD_OK) status = prepare(c, doc, n_sets);
  if (status == TRIAD_OK) triad_case_read_items(c, doc, triad_case_read_item);
  triad_toml_destroy(&doc);
  if (status == TRIAD_OK) status = triad_case_read_sets(c, n_sets);
  if (status != TRIAD_OK) return status;
  if (!broken) triad_case_check_rules(c);
  if (!broken && c->schema->solver && c->all_errors == 0) triad_case_warn_void(c);
  return triad_case_report(c);
}

int triad_case_parse(triad_case **out, const char *name, const char *text, size_t length, const char *const *sets,
                     int n_sets)
{
  triad_case *c = calloc(1, sizeof *c);
  if (c) c->sets = sets, c->n_sets = n_sets;
  int status = c ? fill(c, name, text, length, n_sets) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a case");
  if (c) c->sets = NULL;
  if (status != TRIAD_OK && status != TRIAD_ERR_CASE) triad_case_destroy(&c);
  *out = c;
  return status;
}

void triad_case_destroy(triad_case **c)
{
  if (!c || !*c) return;
  for (int i = 0; (*c)->slots && i < (*c)->schema->n; i++) triad_case_empty(&(*c)->slots[i]);
  triad_schema_destroy(&(*c)->schema);
  for (int i = 0; i < (*c)->n_errors; i++) free((*c)->errors[i].text);
  triad_case_free_parameters(*c);
  triad_case_free_warnings(*c);
  free((*c)->slots);
  free((*c)->errors);
  free((*c)->report);
  free((*c)->name);
  free((*c)->folder);
  free((*c)->tuned);
  free(*c);
  *c = NULL;
}

static const triad_key *key_of(const triad_case *c, const triad_case_slot *slot)
{
  return c->schema->row[slot - c->slots].key;
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

int triad_case_formula(const triad_case *c, const char *key, int i, triad_formula **out)
{
  char why[TRIAD_FORMULA_WHY];
  const triad_case_slot *slot = triad_case_slot_of(c, key);
  *out = NULL;
  if (!slot || !key_of(c, slot)->formula) fatal("\"%s\" is not a formula of this case", key);
  if (i >= slot->n || !slot->text[i][0]) return TRIAD_OK;
  int status = triad_case_compile(c, key_of(c, slot), slot->text[i], out, why);
  return status == TRIAD_ERR_CASE ? TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s: %s", key, why) : status;
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

int triad_case_applies(const triad_case *c, const char *key)
{
  return triad_case_find_parameter(c, key) || (!triad_case_is_parameter(key) && triad_case_slot_of(c, key));
}

const char *triad_case_origin(const triad_case *c, const char *key, char *buffer, size_t size)
{
  const triad_case_parameter *parameter = triad_case_find_parameter(c, key);
  triad_case_place place = parameter ? parameter->place : triad_case_slot_of(c, key)->place;
  if (place.from == TRIAD_FROM_FILE) (void)snprintf(buffer, size, "%s:%d", c->name, place.line);
  else
    (void)snprintf(buffer, size, "%s",
                   place.from == TRIAD_FROM_SET     ? "--set"
                   : place.from == TRIAD_FROM_TUNED ? c->tuned
                                                    : "default");
  return buffer;
}

char *triad_case_path(const triad_case *c, const char *key)
{
  const char *path = checked(c, key, TRIAD_KEY_TEXT, 1)->text[0];
  char *full = NULL;
  if (asprintf(&full, "%s%s", path[0] == '/' ? "" : c->folder, path) < 0) return NULL;
  return full;
}
