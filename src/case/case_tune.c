/* Parse a value that the program chose, as --set would, and record its origin. */
#include "case/case_tune.h"

#include "base/status.h"
#include "case/case_errors.h"
#include "case/read/case_read.h"
#include "case/read/case_set_value.h"

#include <stdlib.h>
#include <string.h>

int triad_case_tune(triad_case *c, const char *key, const char *value, const char *origin)
{
  char *name = strdup(origin);
  int st = name ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s", origin);
  if (name) {
    free(c->tuned);
    c->tuned = name;
    st = triad_case_read_set(c, key, value, (triad_case_place){.from = TRIAD_FROM_TUNED}, triad_case_read_item);
  }
  c->no_memory |= st == TRIAD_ERR_MEMORY; /* rules that set keys leave it to the report */
  TRIAD_TRY(st);
  return triad_case_error_count(c) > 0 || c->no_memory ? triad_case_report(c) : TRIAD_OK;
}
