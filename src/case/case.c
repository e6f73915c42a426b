/* Parse a case into slots, one for each key of its solver. The solver is found first because it decides which keys
 * exist. */
#include "case/case_internal.h"
#include "case/case_rules.h"
#include "case/case_default.h"
#include "case/read/case_set_value.h"
#include "case/read/case_set.h"
#include "case/read/case_read.h"
#include "case/read/case_value.h"
#include "case/case_void.h"
#include "case/read/case_parameters_read.h"
#include "case/read/case_parameters.h"
#include "case/case_errors.h"

#include "base/status.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

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
