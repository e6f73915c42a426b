/* Read one decimal number, as TOML writes it. A number that a double would round to 0 is refused. */
#include "case/case_internal.h"

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
