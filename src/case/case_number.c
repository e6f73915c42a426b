#include "case/case_own.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct cursor {
  const char *at, *end;
} cursor;

static void skip_blanks(cursor *c)
{
  while (c->at < c->end && *c->at == ' ') c->at++;
}

static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* Digits, with '_' between two of them, as in TOML; copied to out without the '_'. */
static int digits(cursor *c, char *out, size_t size, size_t *used)
{
  const char *first = c->at;
  while (c->at < c->end && (is_digit(*c->at) || (*c->at == '_' && c->at > first && c->end - c->at > 1 &&
                                                 is_digit(c->at[-1]) && is_digit(c->at[1])))) {
    if (*c->at != '_') {
      if (*used + 1 >= size) return -1;
      out[(*used)++] = *c->at;
    }
    c->at++;
  }
  return c->at > first;
}

/* 1, 1.5, .5, 1e-3. strtod alone would also take hexadecimal, inf and nan. */
static int decimal(cursor *c, double *value)
{
  char text[400];
  size_t used = 0;
  int whole = digits(c, text, sizeof text - 8, &used), fraction = 0;
  if (whole < 0) return 0;
  if (c->at < c->end && *c->at == '.') {
    text[used++] = *c->at++;
    fraction = digits(c, text, sizeof text - 8, &used);
    if (fraction < 0) return 0;
  }
  if (!whole && !fraction) return 0;
  if (c->at < c->end && (*c->at == 'e' || *c->at == 'E')) {
    text[used++] = *c->at++;
    if (c->at < c->end && (*c->at == '-' || *c->at == '+')) text[used++] = *c->at++;
    if (digits(c, text, sizeof text - 1, &used) <= 0) return 0;
  }
  text[used] = '\0';
  *value = strtod(text, NULL);
  return 1;
}

static int pi(cursor *c, double *value)
{
  static const char *const names[] = {"pi", "Pi", "PI", "\xcf\x80"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (c->end - c->at >= 2 && memcmp(c->at, names[i], 2) == 0) {
      c->at += 2;
      *value = M_PI;
      return 1;
    }
  return 0;
}

/* number, pi, or number directly followed by pi */
static int factor(cursor *c, double *value)
{
  skip_blanks(c);
  if (pi(c, value)) return 1;
  if (!decimal(c, value)) return 0;
  cursor ahead = *c;
  double times;
  skip_blanks(&ahead);
  if (pi(&ahead, &times)) {
    *c = ahead;
    *value *= times;
  }
  return 1;
}

int triad_number_read(const char *text, size_t length, double *value)
{
  cursor c = {text, text + length};
  double sign = 1, next;
  skip_blanks(&c);
  if (c.at < c.end && (*c.at == '-' || *c.at == '+')) sign = *c.at++ == '-' ? -1 : 1;
  if (!factor(&c, value)) return 0;
  *value *= sign;
  for (;;) {
    skip_blanks(&c);
    if (c.at == c.end) return isfinite(*value) != 0;
    char operation = *c.at++;
    if ((operation != '*' && operation != '/') || !factor(&c, &next)) return 0;
    *value = operation == '*' ? *value * next : *value / next;
  }
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
