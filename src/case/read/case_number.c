/* Read numbers of a case, which may be formulas, and write them. */
#include "case/case_internal.h"

#include "base/status.h"
#include "case/formula/formula_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int triad_number_read(const char *text, size_t length, double *value)
{
  char why[TRIAD_FORMULA_WHY];
  return triad_formula_number(text, length, NULL, value, why) == TRIAD_OK;
}

void triad_number_write(double value, char buffer[32])
{
  for (int figures = 1; figures <= 17; figures++) {
    (void)snprintf(buffer, 32, "%.*g", figures, value);
    if (strtod(buffer, NULL) == value) break;
  }
  if (strchr(buffer, 'e') && fabs(value) >= 1 && fabs(value) < 1e16) /* 10, not 1e+01 */
    (void)snprintf(buffer, 32, "%.0f", value);
  if (!strpbrk(buffer, ".en")) (void)strcat(buffer, ".0");
}
