/* Report missing keys, and check the rules that join several common keys. */
#include "case/case_internal.h"
#include "case/case_rules.h"
#include "case/read/case_value.h"
#include "case/case_errors.h"
#include "base/status.h"
#include "case/field_list.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The value of a key of this case that is good, to be looked at by a rule; NULL otherwise. */
static const triad_case_slot *good(const triad_case *c, const char *key)
{
  const triad_case_slot *slot = triad_case_slot_of(c, key);
  return slot && !slot->bad ? slot : NULL;
}

int triad_case_good(const triad_case *c, const char *key) { return good(c, key) != NULL; }

static void error_with(triad_case *c, triad_case_place place, const char *format, va_list args)
{
  char what[1024];
  (void)vsnprintf(what, sizeof what, format, args);
  triad_case_error_at(c, place, "%s", what);
}

void triad_case_error_of(triad_case *c, const char *key, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  error_with(c, triad_case_slot_of(c, key)->place, format, args);
  va_end(args);
}

void triad_case_lacks_memory(triad_case *c) { c->no_memory = 1; }

void triad_case_error_of_value(triad_case *c, const char *key, int i, const char *format, ...)
{
  va_list args;
  const triad_case_slot *slot = triad_case_slot_of(c, key);
  triad_case_place place = slot->place;
  if (place.from == TRIAD_FROM_FILE) {
    place.line = slot->at[i].line;
    place.column = slot->at[i].column;
  }
  va_start(args, format);
  error_with(c, place, format, args);
  va_end(args);
}

/* Is the key required whatever the solver is? */
static int is_everyones(const char *name)
{
  char owners[TRIAD_SOLVER_NAMES];
  const triad_word *w;
  if (!*triad_schema_key_solvers(name, owners)) return 1;
  for (int i = 0; (w = triad_solver_word(i)) != NULL; i++)
    if (!triad_solver_among(owners, w->name)) return 0;
  return 1;
}

static void check_missing(triad_case *c)
{
  char kind[TRIAD_KIND];
  const triad_schema *s = c->schema;
  for (int i = 0; i < s->n; i++) {
    const triad_key *key = s->row[i].key;
    triad_case_place nowhere = {.from = TRIAD_FROM_FILE};
    if (key->preset || c->slots[i].seen || triad_schema_find(s, key->name, strlen(key->name)) != i) continue;
    if (!s->solver && !is_everyones(key->name)) continue; /* nobody knows yet */
    triad_schema_describe(key, s->solver, 1, kind, sizeof kind);
    triad_case_error_at(c, nowhere, "missing required key \"%s\" (%s)", key->name, kind);
  }
}

/* Two numbers that have an order. */
static void check_order(triad_case *c, const triad_key *key, const triad_case_slot *slot)
{
  char low[32], high[32];
  if (slot->real[0] <= slot->real[1]) return;
  triad_number_write(slot->real[0], low);
  triad_number_write(slot->real[1], high);
  triad_case_error_at(c, slot->place, "%s: the lower end %s is above the upper end %s: exchange them", key->name, low,
                      high);
}

/* A word that is another solver's, or needs what another key holds. */
static void check_word(triad_case *c, const triad_key *key, const triad_case_slot *slot, const char *word)
{
  char owners[TRIAD_SOLVER_NAMES], all[TRIAD_KIND];
  const char *solver = c->schema->solver;
  const triad_word *w = triad_find_word(key, solver, word, strlen(word));
  if (!w && solver) {
    triad_schema_range(key, solver, all, sizeof all);
    triad_case_error_at(c, slot->place, "%s = \"%s\" is not available in solver %s, only in %s: use %s", key->name,
                        word, solver, triad_schema_word_solvers(key->name, word, owners), all);
  }
  const triad_case_slot *needed = w && w->needs ? good(c, w->needs) : NULL;
  if (needed && !needed->text[0][0])
    triad_case_error_at(c, slot->place, "%s \"%s\" needs %s", key->name, word, w->needs);
}

/* What the rows ask for. */
static void check_rows(triad_case *c)
{
  for (int i = 0; i < c->schema->n; i++) {
    const triad_key *key = c->schema->row[i].key;
    const triad_case_slot *slot = &c->slots[i];
    if (slot->bad) continue;
    if (key->rising) check_order(c, key, slot);
    for (int j = 0; key->type == TRIAD_KEY_WORD && j < slot->n; j++) check_word(c, key, slot, slot->word[j]);
  }
}

/* 30 years at 10 us a step. */
static const double MOST_STEPS = 1e14;

static void check_step(triad_case *c)
{
  const triad_case_slot *dt = good(c, "time.dt"), *cfl = good(c, "time.cfl");
  if (dt && cfl && dt->real[0] > 0 && cfl->place.from != TRIAD_FROM_DEFAULT)
    triad_case_error_at(c, dt->place, "time.dt and time.cfl both set the time step: give one of them");
  const triad_case_slot *end = good(c, "time.end"), *most = good(c, "time.max_steps");
  if (dt && end && most && dt->real[0] > 0 && most->integer[0] == 0 && end->real[0] / dt->real[0] > MOST_STEPS)
    triad_case_error_at(c, dt->place,
                        "time.dt = %g makes %.2g steps until time.end = %g, but the maximum is %g: increase time.dt, "
                        "or set time.max_steps",
                        dt->real[0], end->real[0] / dt->real[0], end->real[0], MOST_STEPS);
}

/* The case's own quantities; 0 where what there is of them is not good. */
static int own_of(triad_case *c, triad_own_names *own)
{
  static const char *const keys[] = {".name", ".unit", ".formula"};
  char key[TRIAD_OWN_KEY];
  own->n = 0;
  for (int i = 0; i < triad_case_tables(c, "output.quantities"); i++)
    for (int k = 0; k < 3; k++) {
      if (!triad_case_applies(c, triad_own_key(i, keys[k], key))) return 1; /* not of this solver */
      if (!good(c, key)) return 0;
    }
  if (c->schema->solver) triad_own_names_of(c, own);
  return 1;
}

/* Check that each user-defined quantity has a formula and a unique name that is valid in files and lists. */
static int check_own(triad_case *c, triad_own_names *own)
{
  char quote[TRIAD_QUOTE_SIZE], key[TRIAD_OWN_KEY];
  int fine = 1;
  if (!own_of(c, own)) return 0;
  if (own->n > 0 && triad_case_tables(c, "output.quantities") > TRIAD_OWN_QUANTITIES) {
    triad_case_error_of(c, triad_own_key(TRIAD_OWN_QUANTITIES, ".name", key),
                        "more than %d [[output.quantities]]: remove some", TRIAD_OWN_QUANTITIES);
    return 0;
  }
  for (int i = 0; i < own->n; i++) {
    const char *name = own->name[i];
    int named = 0;
    for (int j = 0; j < i; j++) named |= strcmp(own->name[j], name) == 0;
    (void)triad_quote(quote, name, strlen(name));
    const char *why = !triad_formula_is_free_name(name) || strlen(name) > 31
                        ? "is not a valid name: use letters, digits and _, at most 31"
                      : triad_quantity_exists(name) ? "is the name of an existing quantity"
                      : named                       ? "is given twice"
                      : !*own->formula[i]           ? "has no formula"
                                                    : NULL;
    if (why) triad_case_error_of(c, triad_own_key(i, ".name", key), "output.quantities: %s %s", quote, why);
    fine &= !why;
  }
  return fine;
}

static void check_slices(triad_case *c)
{
  const triad_case_slot *slices = good(c, "output.slices");
  char why[512];
  triad_slice slice;
  triad_own_names own = {0};
  if (!check_own(c, &own)) return;
  for (int i = 0; slices && i < slices->n; i++)
    if (!triad_slice_read(slices->text[i], c->schema->solver, &own, &slice, why, sizeof why))
      triad_case_error_of_value(c, "output.slices", i, "output.slices: value %d of %d: %s", i + 1, slices->n, why);
}

static void check_fields(triad_case *c)
{
  const triad_case_slot *fields = good(c, "output.fields");
  char why[512];
  triad_field_list list = {0};
  triad_own_names own = {0};
  if (!own_of(c, &own)) return;
  for (int i = 0; fields && i < fields->n; i++)
    if (!triad_field_list_take(&list, fields->text[i], c->schema->solver, &own, why, sizeof why))
      triad_case_error_of_value(c, "output.fields", i, "output.fields: value %d of %d: %s", i + 1, fields->n, why);
}

void triad_case_check_rules(triad_case *c)
{
  for (int p = 0; c->schema->solver && triad_case_part_at(p); p++)
    if (triad_case_part_at(p)->choose && triad_case_part_has(triad_case_part_at(p), c->schema->solver))
      triad_case_part_at(p)->choose(c);
  check_missing(c);
  check_rows(c);
  check_step(c);
  check_slices(c);
  check_fields(c);
  for (int p = 0; c->schema->solver && triad_case_part_at(p); p++)
    if (triad_case_part_at(p)->rules && triad_case_part_has(triad_case_part_at(p), c->schema->solver))
      triad_case_part_at(p)->rules(c);
}
