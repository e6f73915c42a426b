/* Write the limit of a column, such as "; resolved: at least 1". */
#include "solvers/info.h"

#include <stdio.h>

const char *triad_limit_words(triad_limit_kind kind) { return kind == TRIAD_LIMIT_MIN ? "at least" : "at most"; }

const char *triad_column_limit_text(const triad_column_info *column, char text[TRIAD_LIMIT_TEXT])
{
  const triad_column_limit *limit = &column->limit;
  text[0] = '\0';
  if (limit->kind != TRIAD_LIMIT_NONE)
    (void)snprintf(text, TRIAD_LIMIT_TEXT, "; resolved: %s %g", triad_limit_words(limit->kind), limit->bound);
  return text;
}
