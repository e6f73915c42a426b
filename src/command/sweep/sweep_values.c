/* Parse --sweep: keys, the values of each, and their combinations. */
#include "command/sweep/sweep_values.h"
#include "command/sweep/sweep.h"

#include "case/formula/formula.h"
#include "case/schema.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number in 0.1, 0.10, 1/10. Not a number: text, a name, or an integer that a double cannot distinguish from its
 * neighbours. */
static int number_of(const triad_sweep_key *key, const char *text, size_t length, double *number)
{
  const triad_key *known = triad_schema_any(key->key, strlen(key->key));
  char why[TRIAD_FORMULA_WHY];
  const int is_text = known && known->type != TRIAD_KEY_REAL && known->type != TRIAD_KEY_INTEGER;
  const int st = is_text ? TRIAD_ERR_CASE : triad_formula_number(text, length, NULL, number, why);
  if (st != TRIAD_OK || !(fabs(*number) < 9007199254740992.0)) *number = NAN;
  return st == TRIAD_ERR_MEMORY ? TRIAD_FAIL(st, "the values of --sweep") : TRIAD_OK;
}

static int has_text(const triad_sweep_key *key, int i, const char *text, size_t length)
{
  return strlen(key->values[i]) == length && memcmp(key->values[i], text, length) == 0;
}

static int add_value(triad_sweep_key *key, const char *text, size_t length)
{
  double number;
  if (key->n == TRIAD_SWEEP_RUNS)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "--sweep %s: more than %d values", key->key, key->n);
  TRIAD_TRY(number_of(key, text, length, &number));
  const int shown = (int)(length < 80 ? length : 80);
  for (int i = 0; i < key->n; i++) {
    if (has_text(key, i, text, length))
      return TRIAD_FAIL(TRIAD_ERR_USAGE, "--sweep %s: %.*s is repeated: both runs would be identical", key->key, shown,
                        text);
    if (key->numbers[i] <= number && key->numbers[i] >= number)
      return TRIAD_FAIL(TRIAD_ERR_USAGE, "--sweep %s: %.80s and %.*s are the same value: both runs would be identical",
                        key->key, key->values[i], shown, text);
  }
  char **longer = realloc(key->values, (size_t)(key->n + 1) * sizeof *longer);
  if (longer) key->values = longer;
  double *numbers = longer ? realloc(key->numbers, (size_t)(key->n + 1) * sizeof *numbers) : NULL;
  if (numbers) key->numbers = numbers;
  char *value = numbers ? strndup(text, length) : NULL;
  if (!value) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the values of --sweep");
  key->numbers[key->n] = number;
  key->values[key->n++] = value;
  return TRIAD_OK;
}

/* "1..8": *from and *to; of numbers that no integer holds *to < *from. */
static int is_range(const char *text, size_t length, long *from, long *to)
{
  char word[64], *end;
  if (length >= sizeof word) return 0;
  memcpy(word, text, length);
  word[length] = '\0';
  char *dots = strstr(word, "..");
  if (!dots || dots == word || !dots[2]) return 0;
  errno = 0;
  *from = strtol(word, &end, 10);
  if (end != dots) return 0;
  *to = strtol(dots + 2, &end, 10);
  if (errno) *from = 1, *to = 0;
  return *end == '\0' && !isspace((unsigned char)dots[2]);
}

static int add_values(triad_sweep_key *key, const char *text, size_t length)
{
  long from, to;
  char number[32];
  while (length > 0 && isspace((unsigned char)*text)) text++, length--;
  while (length > 0 && isspace((unsigned char)text[length - 1])) length--;
  if (length == 0) return TRIAD_FAIL(TRIAD_ERR_USAGE, "--sweep %s: empty value", key->key);
  if (!is_range(text, length, &from, &to)) return add_value(key, text, length);
  if (to < from || (unsigned long)to - (unsigned long)from >= TRIAD_SWEEP_RUNS)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "--sweep %s: %.*s: a range must increase, with at most %d values", key->key,
                      (int)length, text, TRIAD_SWEEP_RUNS);
  for (long i = 0; i <= to - from; i++)
    TRIAD_TRY(add_value(key, number, (size_t)snprintf(number, sizeof number, "%ld", from + i)));
  return TRIAD_OK;
}

static int split(triad_sweep_key *key, const char *text)
{
  int depth = 0;
  char quote = '\0';
  const char *begin = text;
  for (const char *at = text;; at++) {
    if (*at == '\0' || (*at == ',' && depth == 0 && !quote)) {
      TRIAD_TRY(add_values(key, begin, (size_t)(at - begin)));
      if (*at == '\0') return TRIAD_OK;
      begin = at + 1;
    } else if (quote) {
      if (*at == '\\' && quote == '"' && at[1]) at++;
      else if (*at == quote) quote = '\0';
    } else if (*at == '"' || *at == '\'') {
      quote = *at;
    } else {
      depth += (*at == '[' || *at == '{' || *at == '(') - (*at == ']' || *at == '}' || *at == ')');
    }
  }
}

int triad_sweep_parse(triad_sweep *sweep, const char *const *texts, int n)
{
  memset(sweep, 0, sizeof *sweep);
  if (n > TRIAD_SWEEP_KEYS) return TRIAD_FAIL(TRIAD_ERR_USAGE, "more than %d --sweep options", TRIAD_SWEEP_KEYS);
  sweep->n_runs = 1;
  for (int k = 0; k < n; k++) {
    const char *equals = strchr(texts[k], '=');
    triad_sweep_key *key = &sweep->keys[k];
    if (!equals || equals == texts[k])
      return TRIAD_FAIL(TRIAD_ERR_USAGE, "--sweep requires key=values, as in --sweep equations.viscosity=0.01,0.005");
    sweep->n_keys++;
    key->key = strndup(texts[k], (size_t)(equals - texts[k]));
    if (!key->key) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the keys of --sweep");
    for (int j = 0; j < k; j++)
      if (strcmp(sweep->keys[j].key, key->key) == 0)
        return TRIAD_FAIL(TRIAD_ERR_USAGE, "--sweep %.80s twice", key->key);
    TRIAD_TRY(split(key, equals + 1));
    if (sweep->n_runs > TRIAD_SWEEP_RUNS / key->n)
      return TRIAD_FAIL(TRIAD_ERR_USAGE, "--sweep: more than %d runs", TRIAD_SWEEP_RUNS);
    sweep->n_runs *= key->n;
  }
  return TRIAD_OK;
}

void triad_sweep_clear(triad_sweep *sweep)
{
  for (int k = 0; k < sweep->n_keys; k++) {
    for (int i = 0; i < sweep->keys[k].n; i++) free(sweep->keys[k].values[i]);
    free(sweep->keys[k].values);
    free(sweep->keys[k].numbers);
    free(sweep->keys[k].key);
  }
  memset(sweep, 0, sizeof *sweep);
}

const char *triad_sweep_value(const triad_sweep *sweep, int run, int k)
{
  for (int j = sweep->n_keys - 1; j > k; j--) run /= sweep->keys[j].n;
  return sweep->keys[k].values[run % sweep->keys[k].n];
}
