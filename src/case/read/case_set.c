/* Read the arguments of --set, as TOML values or as bare words, and apply them to a case. */
#include "case/case_internal.h"
#include "case/case_default.h"
#include "case/read/case_set_value.h"
#include "case/read/case_set.h"
#include "case/read/case_read.h"
#include "case/read/case_parameters.h"
#include "case/case_errors.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

static int is_known(const char *key)
{
  const char *dot = strrchr(key, '.');
  size_t length = strlen(key);
  if (triad_case_is_parameter(key)) return 1;
  return triad_schema_any(key, length) || triad_schema_has_table(key, length) ||
         triad_schema_has_table(key, dot ? (size_t)(dot - key) : 0);
}

static int read_argument(triad_case *c, int number)
{
  triad_case_place place = {.from = TRIAD_FROM_SET, .set = number};
  char *key, quote[TRIAD_QUOTE_SIZE], advice[TRIAD_QUOTE_SIZE];
  const char *value;
  int status = triad_case_split_set(c->sets[number], &key, &value);
  if (status != TRIAD_OK) return status;
  if (!key) triad_case_error_at(c, place, "expected key=value, such as grid.n=[32,32,32]");
  else if (is_known(key)) status = triad_case_read_set(c, key, value, place, triad_case_read_item);
  else
    triad_case_error_at(c, place, "unknown key %s%s", triad_quote(quote, key, strlen(key)),
                        triad_did_you_mean(advice, triad_schema_nearest(c->schema, key)));
  free(key);
  return status;
}

/* Both fix the step. What is typed on the command line takes the place of the other in the file. */
static int settle_step(triad_case *c)
{
  static const char *const name[2] = {"time.dt", "time.cfl"};
  for (int i = 0; i < 2; i++) {
    const triad_case_slot *typed = triad_case_slot_of(c, name[i]), *other = triad_case_slot_of(c, name[1 - i]);
    if (typed->place.from == TRIAD_FROM_SET && typed->real[0] > 0 && other->place.from == TRIAD_FROM_FILE &&
        !other->bad)
      return triad_case_take_default(c, triad_schema_find(c->schema, name[1 - i], strlen(name[1 - i])));
  }
  return TRIAD_OK;
}

int triad_case_read_sets(triad_case *c, int n_sets)
{
  for (int i = 0; i < n_sets; i++) TRIAD_TRY(read_argument(c, i));
  return settle_step(c);
}
