/* [parameters]: user-defined names and numbers, for formulas and for the numbers of any key. */
#include "case/case_internal.h"
#include "case/read/case_parameters.h"
#include "case/parameters.h"

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

triad_case_parameter *triad_case_parameter_find(const triad_case *c, const char *name)
{
  for (int i = 0; i < c->n_parameters; i++)
    if (strcmp(c->parameters[i].name, name) == 0) return &c->parameters[i];
  return NULL;
}

const triad_case_parameter *triad_case_find_parameter(const triad_case *c, const char *key)
{
  return triad_case_is_parameter(key) && key[sizeof table - 1] ? triad_case_parameter_find(c, key + sizeof table)
                                                               : NULL;
}

/* Those that are known, or all. */
triad_formula_scope triad_case_scope(const triad_case *c, int all, const char **name, double *value)
{
  int n = 0;
  for (int i = 0; i < c->n_parameters; i++) {
    if (!all && (!c->parameters[i].known || c->parameters[i].wrong)) continue;
    name[n] = c->parameters[i].name;
    value[n++] = c->parameters[i].value;
  }
  return (triad_formula_scope){.n = n, .name = name, .value = value};
}

triad_formula_scope triad_case_numbers(const triad_case *c, const char **name, double *value)
{
  return triad_case_scope(c, 0, name, value);
}

int triad_case_number(const triad_case *c, const char *text, size_t length, double *value, char why[TRIAD_FORMULA_WHY])
{
  const char *name[TRIAD_CASE_PARAMETERS];
  double number[TRIAD_CASE_PARAMETERS];
  const triad_formula_scope scope = triad_case_scope(c, 1, name, number);
  return triad_formula_number(text, length, &scope, value, why);
}

int triad_case_compile(const triad_case *c, const triad_key *key, const char *text, triad_formula **out,
                       char why[TRIAD_FORMULA_WHY])
{
  const char *name[TRIAD_CASE_PARAMETERS];
  double number[TRIAD_CASE_PARAMETERS];
  triad_formula_scope scope = triad_case_scope(c, 1, name, number);
  scope.variable = key->formula;
  return triad_formula_compile(out, text, strlen(text), &scope, why);
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
    const triad_case_parameter *p = &of->parameters[i], *q = triad_case_parameter_find(other, p->name);
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
