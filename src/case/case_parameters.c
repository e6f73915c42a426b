/* [parameters]: names and numbers of the user's own, for formulas and for the numbers of any key. They are read before
 * the keys, those of the arguments replacing those of the file, and may be formulas of each other in any order. */
#include "case/case_internal.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char table[] = "parameters";

int triad_case_is_parameter(const char *key)
{
  const size_t n = sizeof table - 1;
  return strncmp(key, table, n) == 0 && (key[n] == '\0' || key[n] == '.');
}

static triad_case_parameter *find(const triad_case *c, const char *name)
{
  for (int i = 0; i < c->n_parameters; i++)
    if (strcmp(c->parameters[i].name, name) == 0) return &c->parameters[i];
  return NULL;
}

const triad_case_parameter *triad_case_find_parameter(const triad_case *c, const char *key)
{
  return triad_case_is_parameter(key) && key[sizeof table - 1] ? find(c, key + sizeof table) : NULL;
}

static triad_case_parameter *add(triad_case *c, const char *name, triad_case_place place)
{
  triad_case_parameter *p = find(c, name);
  char quote[TRIAD_QUOTE_SIZE];
  if (p) return p;
  if (!triad_formula_is_free_name(name)) {
    triad_case_error_at(
      c, place,
      "[%s]: %s is not a valid parameter name: use letters, digits and _, but not a function, x, y, z, t, pi or e",
      table, triad_quote(quote, name, strlen(name)));
    return NULL;
  }
  if (c->n_parameters == TRIAD_CASE_PARAMETERS) {
    triad_case_error_at(c, place, "[%s]: more than %d", table, TRIAD_CASE_PARAMETERS);
    return NULL;
  }
  if (!c->parameters) c->parameters = calloc(TRIAD_CASE_PARAMETERS, sizeof *c->parameters);
  p = c->parameters ? &c->parameters[c->n_parameters] : NULL;
  if (p) p->name = strdup(name);
  c->no_memory |= !p || !p->name;
  if (!p || !p->name) return NULL;
  c->n_parameters++;
  return p;
}

/* A number, or a text that waits for its value. */
static void take(triad_case *c, const triad_toml_item *item, triad_case_place place)
{
  const triad_toml_value *v = item->values;
  if (!triad_case_is_parameter(item->key)) return;
  if (strcmp(item->key, table) == 0) {
    if (item->type != TRIAD_TOML_TABLE) triad_case_error_at(c, place, "\"%s\" is a table, not a value", table);
    return;
  }
  triad_case_parameter *p = add(c, item->key + sizeof table, place);
  if (!p) return;
  free(p->text);
  p->text = NULL;
  p->place = place;
  p->known = 1;
  p->wrong = 0;
  if (item->type == TRIAD_TOML_INTEGER) {
    p->value = (double)v->integer;
  } else if (item->type == TRIAD_TOML_REAL && isfinite(v->real)) {
    p->value = v->real;
  } else if (item->type == TRIAD_TOML_TEXT) {
    p->text = malloc(v->length + 1);
    c->no_memory |= !p->text;
    if (p->text) memcpy(p->text, v->text, v->length + 1);
    p->length = v->length;
    p->known = 0;
  } else {
    p->value = p->wrong = 1; /* no word of what uses it */
    triad_case_error_at(c, place, "%s: expected a finite number, or a formula as text", item->key);
  }
}

/* Those that are known, or all. */
static triad_formula_scope scope_of(const triad_case *c, int all, const char **name, double *value)
{
  int n = 0;
  for (int i = 0; i < c->n_parameters; i++) {
    if (!all && (!c->parameters[i].known || c->parameters[i].wrong)) continue;
    name[n] = c->parameters[i].name;
    value[n++] = c->parameters[i].value;
  }
  return (triad_formula_scope){NULL, n, name, value};
}

int triad_case_number(const triad_case *c, const char *text, size_t length, double *value, char why[TRIAD_FORMULA_WHY])
{
  const char *name[TRIAD_CASE_PARAMETERS];
  double number[TRIAD_CASE_PARAMETERS];
  const triad_formula_scope scope = scope_of(c, 1, name, number);
  return triad_formula_number(text, length, &scope, value, why);
}

int triad_case_compile(const triad_case *c, const triad_key *key, const char *text, triad_formula **out,
                       char why[TRIAD_FORMULA_WHY])
{
  const char *name[TRIAD_CASE_PARAMETERS];
  double number[TRIAD_CASE_PARAMETERS];
  triad_formula_scope scope = scope_of(c, 1, name, number);
  scope.variable = key->formula;
  return triad_formula_compile(out, text, strlen(text), &scope, why);
}

/* Work out what hangs on nothing unknown; 1 while that brings something. */
static int settle_some(triad_case *c)
{
  const char *name[TRIAD_CASE_PARAMETERS];
  double number[TRIAD_CASE_PARAMETERS];
  char why[TRIAD_FORMULA_WHY];
  int more = 0;
  for (int i = 0; i < c->n_parameters; i++) {
    triad_case_parameter *p = &c->parameters[i];
    const triad_formula_scope scope = scope_of(c, 0, name, number);
    if (p->known || !p->text) continue;
    p->known = triad_formula_number(p->text, p->length, &scope, &p->value, why) == TRIAD_OK;
    more |= p->known;
  }
  return more;
}

/* What has no value is wrong in itself, every name being known to be something; or it hangs on what is wrong, which has
 * been said; or, where nothing is, on itself. */
static void complain(triad_case *c)
{
  char why[TRIAD_FORMULA_WHY];
  double value;
  int wrong = 0;
  for (int i = 0; i < c->n_parameters; i++)
    if (!c->parameters[i].known) c->parameters[i].value = 1; /* so that only its own formula can be at fault */
  for (int i = 0; i < c->n_parameters; i++) {
    triad_case_parameter *p = &c->parameters[i];
    if (!p->known && p->text && triad_case_number(c, p->text, p->length, &value, why) != TRIAD_OK) {
      triad_case_error_at(c, p->place, "%s.%s: %s", table, p->name, why);
      p->wrong = 1;
    }
    wrong |= p->wrong;
  }
  for (int i = 0; i < c->n_parameters && !wrong; i++)
    if (!c->parameters[i].known)
      triad_case_error_at(c, c->parameters[i].place, "%s.%s: its value depends on itself", table,
                          c->parameters[i].name);
}

int triad_case_read_parameters(triad_case *c, const triad_toml *doc, int n_sets)
{
  triad_case_read_items(c, doc, take);
  TRIAD_TRY(triad_case_sets_of(c, n_sets, table, take));
  while (settle_some(c)) continue;
  complain(c);
  return c->no_memory ? TRIAD_FAIL(TRIAD_ERR_MEMORY, "the parameters of %s", c->name) : TRIAD_OK;
}

void triad_case_write_parameters(const triad_case *c, FILE *file)
{
  char number[32];
  if (c->n_parameters > 0) (void)fprintf(file, "\n[%s]\n", table);
  for (int i = 0; i < c->n_parameters; i++) {
    const triad_case_parameter *p = &c->parameters[i];
    char key[128], origin[512];
    triad_number_write(p->value, number);
    (void)snprintf(key, sizeof key, "%s.%s", table, p->name);
    (void)fprintf(file, "%s = %s # %s\n", p->name, number, triad_case_origin(c, key, origin, sizeof origin));
  }
}

/* Each that differs, by the names of the first; or that the second does not have. */
static void compare(const triad_case *of, const triad_case *other, int is_new, triad_case_difference *call, void *who)
{
  for (int i = 0; i < of->n_parameters; i++) {
    const triad_case_parameter *p = &of->parameters[i], *q = find(other, p->name);
    char key[128], here[32], there[32] = "";
    (void)snprintf(key, sizeof key, "%s.%s", table, p->name);
    triad_number_write(p->value, here);
    if (q) triad_number_write(q->value, there);
    if ((!is_new && q) || strcmp(here, there) == 0) continue;
    call(who, key, is_new ? there : here, is_new ? here : there);
  }
}

void triad_case_compare_parameters(const triad_case *was, const triad_case *is, triad_case_difference *call, void *who)
{
  compare(is, was, 1, call, who);
  compare(was, is, 0, call, who);
}

void triad_case_free_parameters(triad_case *c)
{
  for (int i = 0; i < c->n_parameters; i++) {
    free(c->parameters[i].name);
    free(c->parameters[i].text);
  }
  free(c->parameters);
}

int triad_case_formula(const triad_case *c, const char *key, int i, triad_formula **out)
{
  char why[TRIAD_FORMULA_WHY];
  const triad_key *row = triad_case_key_of(c, key);
  const triad_case_slot *slot = triad_case_slot_of(c, key);
  *out = NULL;
  if (!slot || !row->formula) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "\"%s\" is not a formula of this case", key);
  if (i >= slot->n || !slot->text[i][0]) return TRIAD_OK;
  int status = triad_case_compile(c, row, slot->text[i], out, why);
  return status == TRIAD_ERR_CASE ? TRIAD_FAIL(TRIAD_ERR_INTERNAL, "%s: %s", key, why) : status;
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
