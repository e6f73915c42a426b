/* Read [parameters] before the keys: those of the arguments replace those of the file, and they may be formulas of each
 * other in any order. */
#include "case/case_internal.h"
#include "case/read/case_set_value.h"
#include "case/read/case_read.h"
#include "case/read/case_parameters_read.h"
#include "case/read/case_parameters.h"
#include "case/case_errors.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char table[] = "parameters";

static triad_case_parameter *add(triad_case *c, const char *name, triad_case_place place)
{
  triad_case_parameter *p = triad_case_parameter_find(c, name);
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
    triad_case_error_at(c, place, "[%s]: more than %d parameters: remove some", table, TRIAD_CASE_PARAMETERS);
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

/* Work out what hangs on nothing unknown; 1 while that brings something. */
static int settle_some(triad_case *c)
{
  const char *name[TRIAD_CASE_PARAMETERS];
  double number[TRIAD_CASE_PARAMETERS];
  char why[TRIAD_FORMULA_WHY];
  int more = 0;
  for (int i = 0; i < c->n_parameters; i++) {
    triad_case_parameter *p = &c->parameters[i];
    const triad_formula_scope scope = triad_case_scope(c, 0, name, number);
    if (p->known || !p->text) continue;
    p->known = triad_formula_number(p->text, p->length, &scope, &p->value, why) == TRIAD_OK;
    more |= p->known;
  }
  return more;
}

/* A parameter without a value has an error of its own, since every name is known to be defined; or it depends on one
 * with an error, which has been reported; or, if there is no error, on itself. */
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
