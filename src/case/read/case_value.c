/* Convert TOML values to the type and shape that a key requires, and report those that do not fit. */
#include "case/case_internal.h"
#include "case/read/case_value.h"
#include "case/read/case_parameters.h"
#include "case/case_errors.h"

#include "base/status.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "the integer 64", "text "ten"": what the user wrote, for messages. */
static const char *found(const triad_toml_value *v, char *buffer, size_t size)
{
  char quote[TRIAD_QUOTE_SIZE], number[32];
  switch (v->type) {
  case TRIAD_TOML_TEXT: (void)snprintf(buffer, size, "text %s", triad_quote(quote, v->text, v->length)); break;
  case TRIAD_TOML_INTEGER: (void)snprintf(buffer, size, "the integer %lld", (long long)v->integer); break;
  case TRIAD_TOML_REAL:
    triad_number_write(v->real, number);
    (void)snprintf(buffer, size, "the number %s", isfinite(v->real) ? number : isnan(v->real) ? "nan" : "inf");
    break;
  case TRIAD_TOML_FLAG: (void)snprintf(buffer, size, "%s", v->flag ? "true" : "false"); break;
  case TRIAD_TOML_DATE: (void)snprintf(buffer, size, "a date or time"); break;
  case TRIAD_TOML_ARRAY: (void)snprintf(buffer, size, "an array"); break;
  case TRIAD_TOML_TABLE: (void)snprintf(buffer, size, "a table"); break;
  }
  return buffer;
}

/* Everything a complaint needs to say where and of what. */
typedef struct subject {
  triad_case *c;
  const triad_key *key;
  const triad_toml_value *value;
  triad_case_place place;
  char element[48]; /* ": value 2 of 3" of an array, else "" */
} subject;

static int complain_type(const subject *s)
{
  char wanted[TRIAD_KIND], got[TRIAD_QUOTE_SIZE + 16];
  triad_key one = *s->key;
  one.count = 1;
  triad_schema_describe(&one, s->c->schema->solver, 0, wanted, sizeof wanted);
  triad_case_error_at(s->c, s->place, "%s%s: expected %s, found %s", s->key->name, s->element, wanted,
                      found(s->value, got, sizeof got));
  return 0;
}

static int complain_range(const subject *s)
{
  const triad_toml_value *v = s->value;
  const int endless = v->type == TRIAD_TOML_REAL && !isfinite(v->real);
  char range[TRIAD_KIND], got[TRIAD_QUOTE_SIZE + 16];
  triad_schema_range(s->key, NULL, range, sizeof range);
  triad_case_error_at(s->c, s->place, "%s%s: %s is out of range, must be %s", s->key->name, s->element,
                      found(s->value, got, sizeof got), range[0] && !endless ? range : "finite");
  return 0;
}

int triad_in_range(const triad_key *key, double value)
{
  return value <= key->max && (key->above_min ? value > key->min : value >= key->min);
}

/* A number as text: "2pi", "U*L/Re" of the parameters. */
static int take_number(const subject *s, double *out)
{
  const triad_toml_value *v = s->value;
  char quote[TRIAD_QUOTE_SIZE], why[TRIAD_FORMULA_WHY];
  int status = triad_case_number(s->c, v->text, v->length, out, why);
  s->c->no_memory |= status == TRIAD_ERR_MEMORY;
  if (status == TRIAD_ERR_CASE)
    triad_case_error_at(s->c, s->place,
                        s->key->type == TRIAD_KEY_INTEGER ? "%s%s: expected an integer, found text %s: %s"
                                                          : "%s%s: %s is not a number: %s",
                        s->key->name, s->element, triad_quote(quote, v->text, v->length), why);
  return status == TRIAD_OK;
}

/* A word in the place of a number, and of all numbers of an array: the preset, whose numbers are then alike. */
static int is_word_for_preset(const triad_key *key, const triad_toml_value *v)
{
  return v->type == TRIAD_TOML_TEXT && key->words && (key->type == TRIAD_KEY_REAL || key->type == TRIAD_KEY_INTEGER) &&
         strcmp(v->text, key->words[0].name) == 0 && v->length == strlen(v->text);
}

static int take_real(const subject *s, double *out)
{
  const triad_toml_value *v = s->value;
  if (is_word_for_preset(s->key, v)) {
    *out = strtod(s->key->preset, NULL);
    return 1;
  }
  if (v->type == TRIAD_TOML_TEXT) {
    if (!take_number(s, out)) return 0;
  } else if (v->type == TRIAD_TOML_INTEGER) {
    *out = (double)v->integer;
  } else if (v->type == TRIAD_TOML_REAL) {
    *out = v->real;
  } else {
    return complain_type(s);
  }
  return (isfinite(*out) && triad_in_range(s->key, *out)) || complain_range(s);
}

static int take_integer(const subject *s, int64_t *out)
{
  const triad_toml_value *v = s->value;
  if (is_word_for_preset(s->key, v)) {
    *out = strtoll(s->key->preset, NULL, 10);
    return 1;
  }
  double real = v->real;
  if (v->type == TRIAD_TOML_TEXT && !take_number(s, &real)) return 0;
  if (v->type == TRIAD_TOML_INTEGER) *out = v->integer;
  else if ((v->type == TRIAD_TOML_REAL || v->type == TRIAD_TOML_TEXT) && fabs(real) <= 9007199254740992.0 &&
           floor(real) == real)
    *out = (int64_t)real; /* 1e6 is a real to TOML */
  else return complain_type(s);
  return triad_in_range(s->key, (double)*out) || complain_range(s);
}

const triad_word *triad_find_word(const triad_key *key, const char *solver, const char *text, size_t length)
{
  const triad_word *w;
  for (int i = 0; (w = triad_key_word(key, i)) != NULL; i++)
    if (strlen(w->name) == length && memcmp(w->name, text, length) == 0 && triad_solver_among(w->solvers, solver))
      return w;
  return NULL;
}

/* Words of all solvers are accepted here: the value may still be replaced, and the rules check the final one. */
static int take_word(const subject *s, const char **out)
{
  const triad_toml_value *v = s->value;
  const char *solver = s->c->schema->solver, *names[256];
  char quote[TRIAD_QUOTE_SIZE], advice[TRIAD_QUOTE_SIZE], all[TRIAD_KIND];
  int n = 0;
  if (v->type != TRIAD_TOML_TEXT) return complain_type(s);
  const triad_word *w = triad_find_word(s->key, solver, v->text, v->length);
  if (!w && strlen(v->text) == v->length) w = triad_schema_any_word(s->key->name, v->text);
  if (w) {
    *out = w->name;
    return 1;
  }
  for (int i = 0; (w = triad_key_word(s->key, i)) != NULL && n < 256; i++)
    if (triad_solver_among(w->solvers, solver)) names[n++] = w->name;
  triad_schema_range(s->key, solver, all, sizeof all);
  int near = triad_nearest(v->text, names, n);
  triad_case_error_at(s->c, s->place, "%s: %s is not %s%s%s", s->key->name, triad_quote(quote, v->text, v->length),
                      n > 1 ? "one of " : "", all, triad_did_you_mean(advice, near < 0 ? NULL : names[near]));
  return 0;
}

/* Check a formula, or accept a number. Users of the values compile the formula themselves. */
static int take_formula(const subject *s, char **out)
{
  const triad_toml_value *v = s->value;
  triad_formula *f = NULL;
  char quote[TRIAD_QUOTE_SIZE], why[TRIAD_FORMULA_WHY], number[32] = "";
  int is_number = v->type == TRIAD_TOML_INTEGER || (v->type == TRIAD_TOML_REAL && isfinite(v->real)), status = TRIAD_OK;
  if (!is_number && v->type != TRIAD_TOML_TEXT) return complain_type(s);
  if (is_number) triad_number_write(v->type == TRIAD_TOML_INTEGER ? (double)v->integer : v->real, number);
  *out = is_number ? strdup(number) : malloc(v->length + 1);
  if (*out && !is_number) memcpy(*out, v->text, v->length + 1);
  if (*out && v->length != strlen(*out) && !is_number) (void)snprintf(why, sizeof why, "it contains NULs");
  if (*out && !is_number && v->length != strlen(*out)) status = TRIAD_ERR_CASE;
  else if (*out && **out) status = triad_case_compile(s->c, s->key, *out, &f, why);
  triad_formula_destroy(&f);
  if (status == TRIAD_ERR_CASE)
    triad_case_error_at(s->c, s->place, "%s%s: %s: %s", s->key->name, s->element,
                        triad_quote(quote, v->text, v->length), why);
  s->c->no_memory |= !*out || status == TRIAD_ERR_MEMORY;
  return *out && status == TRIAD_OK;
}

static int take_text(const subject *s, char **out)
{
  const triad_toml_value *v = s->value;
  if (s->key->formula) return take_formula(s, out);
  if (v->type != TRIAD_TOML_TEXT) return complain_type(s);
  if (memchr(v->text, '\0', v->length) || !triad_is_utf8(v->text, v->length)) {
    triad_case_error_at(s->c, s->place, "%s: text must be UTF-8 without NUL", s->key->name);
    return 0;
  }
  *out = strdup(v->text);
  if (!*out) s->c->no_memory = 1;
  return *out != NULL;
}

static int take_one(const subject *s, int i, triad_case_slot *slot)
{
  switch (s->key->type) {
  case TRIAD_KEY_REAL: return take_real(s, &slot->real[i]);
  case TRIAD_KEY_INTEGER: return take_integer(s, &slot->integer[i]);
  case TRIAD_KEY_WORD: return take_word(s, &slot->word[i]);
  case TRIAD_KEY_TEXT: return take_text(s, &slot->text[i]);
  case TRIAD_KEY_FLAG: slot->flag = s->value->flag; return s->value->type == TRIAD_TOML_FLAG || complain_type(s);
  }
  return 0;
}

int triad_case_room(triad_case_slot *slot, const triad_key *key, int n)
{
  size_t count = n > 0 ? (size_t)n : 1; /* an empty list is no lack of memory */
  slot->n = n;
  if (key->type == TRIAD_KEY_REAL) slot->real = calloc(count, sizeof *slot->real);
  if (key->type == TRIAD_KEY_INTEGER) slot->integer = calloc(count, sizeof *slot->integer);
  if (key->type == TRIAD_KEY_TEXT) slot->text = calloc(count, sizeof *slot->text);
  slot->at = calloc(count, sizeof *slot->at);
  return slot->at && (key->type != TRIAD_KEY_REAL || slot->real) && (key->type != TRIAD_KEY_INTEGER || slot->integer) &&
         (key->type != TRIAD_KEY_TEXT || slot->text);
}

void triad_case_empty(triad_case_slot *slot)
{
  for (int i = 0; slot->text && i < slot->n; i++) free(slot->text[i]);
  free(slot->text);
  free(slot->real);
  free(slot->integer);
  free(slot->at);
  slot->text = NULL;
  slot->real = NULL;
  slot->integer = NULL;
  slot->at = NULL;
}

/* Of an array, the number of values is looked at before any of them. */
static int has_right_shape(triad_case *c, const triad_key *key, const triad_toml_item *item, triad_case_place place)
{
  char wanted[TRIAD_KIND], got[TRIAD_QUOTE_SIZE + 16];
  int many = key->count > 1, array = item->type == TRIAD_TOML_ARRAY;
  triad_schema_describe(key, c->schema->solver, 0, wanted, sizeof wanted);
  if (item->type == TRIAD_TOML_TABLE)
    triad_case_error_at(c, place, "\"%s\" is a value (%s), not a table", key->name, wanted);
  else if (array && (!many || (key->list ? item->n > key->count : item->n != key->count)))
    triad_case_error_at(c, place, "%s: expected %s, found an array of %lld", key->name, wanted, (long long)item->n);
  else if (many && !array && !is_word_for_preset(key, item->values))
    triad_case_error_at(c, place, "%s: expected %s, found %s", key->name, wanted, found(item->values, got, sizeof got));
  else return 1;
  return 0;
}

void triad_case_take(triad_case *c, int row, const triad_toml_item *item, triad_case_place place)
{
  const triad_key *key = c->schema->row[row].key;
  triad_case_slot *slot = &c->slots[row], fresh = {.place = place, .seen = 1};
  int good = has_right_shape(c, key, item, place);
  slot->seen = 1;
  if (good && !triad_case_room(&fresh, key, key->list ? (int)item->n : key->count)) {
    c->no_memory = 1;
    good = 0;
  }
  for (int i = 0, shaped = good; shaped && i < fresh.n; i++) {
    subject s = {c, key, &item->values[item->type == TRIAD_TOML_ARRAY ? i : 0], place, ""};
    if (place.from == TRIAD_FROM_FILE) {
      s.place.line = s.value->line;
      s.place.column = s.value->column;
      fresh.at[i].line = s.value->line;
      fresh.at[i].column = s.value->column;
    }
    if (key->count > 1) (void)snprintf(s.element, sizeof s.element, ": value %d of %d", i + 1, fresh.n);
    good &= take_one(&s, i, &fresh);
  }
  slot->bad |= !good;
  if (!good) {
    triad_case_empty(&fresh);
    return;
  }
  triad_case_empty(slot);
  *slot = fresh;
}
