/* Read and write decimal numbers of a case. A number that a double would round to 0 is refused. */
#include "case/case_internal.h"

#include "base/status.h"
#include "case/formula/formula_internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* Digits, with '_' between two of them, as in TOML; copied to out without the '_'. */
static int digits(const char **at, const char *end, char *out, size_t size, size_t *used)
{
  const char *first = *at;
  while (*at < end && (is_digit(**at) ||
                       (**at == '_' && *at > first && end - *at > 1 && is_digit((*at)[-1]) && is_digit((*at)[1])))) {
    if (**at != '_') {
      if (*used + 1 >= size) return -1;
      out[(*used)++] = **at;
    }
    ++*at;
  }
  return *at > first;
}

/* Is a number that is not 0 read as 0, or with fewer digits than a double has? Below 2.2e-308. */
static int is_lost(const char *text, double value)
{
  return fabs(value) < DBL_MIN && text[strcspn(text, "123456789eE")] != '\0' &&
         !strchr("eE", text[strcspn(text, "123456789eE")]);
}

/* 1, 1.5, .5, 1e-3. strtod alone would also take hexadecimal, inf and nan. */
int triad_number_next(const char **at, const char *end, double *value)
{
  char text[400];
  size_t used = 0;
  int whole = digits(at, end, text, sizeof text - 8, &used), fraction = 0;
  if (whole < 0) return -1;
  if (*at < end && **at == '.') {
    text[used++] = *(*at)++;
    fraction = digits(at, end, text, sizeof text - 8, &used);
    if (fraction < 0) return -1;
  }
  if (!whole && !fraction) return 0;
  if (*at < end && (**at == 'e' || **at == 'E')) {
    text[used++] = *(*at)++;
    if (*at < end && (**at == '-' || **at == '+')) text[used++] = *(*at)++;
    if (digits(at, end, text, sizeof text - 1, &used) <= 0) return -1;
  }
  text[used] = '\0';
  *value = strtod(text, NULL);
  return is_lost(text, *value) ? -1 : 1;
}

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
