/* Parse the limit of a column, such as "at least 1". */
#include "solvers/info.h"

#include <stdio.h>
#include <string.h>

int triad_column_limit(const triad_column_info *column, int *is_least, double *bound)
{
  const char *at = strstr(column->formula, "; resolved: at ");
  if (!at) return 0;
  *is_least = sscanf(at, "; resolved: at least %lf", bound) == 1;
  return *is_least || sscanf(at, "; resolved: at most %lf", bound) == 1;
}
