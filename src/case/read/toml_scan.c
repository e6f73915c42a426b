/* Scan a TOML text before the library parses it, and refuse deep nesting, keys of many parts, and numbers too small
 * for a double. */
#include "case/read/toml.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Our own keys have one dot, our values one bracket. */
enum { MOST_DOTS = 64, MOST_BRACKETS = 32 };

typedef struct scan {
  const char *at, *end;
  int line, column;
  enum { KEY, VALUE, INSIDE } state; /* in or before a key; before a value; in or after a value, up to , ] } or \n */
  int dots;                          /* of this key                                                                */
  int depth;
  char open[MOST_BRACKETS]; /* [ or { around here */
  const char *error;
} scan;

static int left(const scan *s, const char *what)
{
  size_t n = strlen(what);
  return (size_t)(s->end - s->at) >= n && memcmp(s->at, what, n) == 0;
}

static int is_ascii(char c) { return (unsigned char)c < 0x80; }

static void step(scan *s)
{
  char c = *s->at++;
  if (c == '\n') {
    s->line++;
    s->column = 1;
  } else if (((unsigned char)c & 0xc0) != 0x80) { /* the first byte of a character */
    s->column++;
  }
}

/* Past a backslash and what it escapes: a character, or in text of several lines the white space up to the next. */
static void step_escape(scan *s, int lines)
{
  const char *slash = s->at;
  step(s);
  while (lines && s->at < s->end && memchr(" \t\r\n", *s->at, 4)) step(s);
  if (s->at == s->end || *s->at == '\n') return;
  if (!is_ascii(*s->at)) s->error = "only ASCII may follow a backslash";
  else if (s->at == slash + 1) step(s);
}

/* Skip a quoted text of either kind, on one line or several; an unclosed one extends to the end, and the library
 * reports it. */
static void step_text(scan *s, int ascii_only)
{
  char quote = *s->at;
  const char *close = quote == '"' ? left(s, "\"\"\"") ? "\"\"\"" : "\"" : left(s, "'''") ? "'''" : "'";
  size_t n = strlen(close);
  int lines = n == 3;
  for (size_t i = 0; i < n; i++) step(s);
  while (s->at < s->end && !s->error) {
    if (left(s, close)) {
      for (size_t i = 0; i < n; i++) step(s);
      for (int i = 0; lines && i < 2 && s->at < s->end && *s->at == quote; i++) step(s); /* """a""""" ends in two " */
      return;
    }
    if (*s->at == '\n' && !lines) s->at = s->end;
    else if (ascii_only && !is_ascii(*s->at)) s->error = "a key contains a character outside ASCII";
    else if (*s->at == '\\' && quote == '"') step_escape(s, lines);
    else step(s);
  }
}

/* A number that the library would read as 0, or with fewer digits than a double has: not 0, and below 2.2e-308.
 * Longer texts than these are numbers of another kind. */
static int is_lost(const scan *s)
{
  char text[400];
  size_t n = 0, used = 0;
  const size_t all = (size_t)(s->end - s->at);
  while (n < all && n + 1 < sizeof text && strchr("+-.eE_0123456789", s->at[n]) && s->at[n]) n++;
  for (size_t i = 0; i < n; i++)
    if (s->at[i] != '_') text[used++] = s->at[i];
  text[used] = '\0';
  char *end;
  const size_t first = strcspn(text, "123456789eE");
  if (used == 0 || n + 1 == sizeof text || text[first] == '\0' || text[first] == 'e' || text[first] == 'E') return 0;
  const double value = strtod(text, &end);
  return *end == '\0' && fabs(value) < DBL_MIN;
}

static char around(const scan *s) { return s->depth > 0 ? s->open[s->depth - 1] : '\n'; }

static void open_bracket(scan *s, char c)
{
  if (s->state != VALUE) return; /* a table's header, or an error */
  if (s->depth == MOST_BRACKETS) {
    s->error = "nested too deep";
    return;
  }
  s->open[s->depth++] = c;
  s->state = c == '[' ? VALUE : KEY;
}

/* A character that is neither blank nor quoted. */
static void take(scan *s, char c)
{
  if (c == '=' && s->state == KEY) s->state = VALUE;
  else if (c == '[' || c == '{') open_bracket(s, c);
  else if ((c == ']' && around(s) == '[') || (c == '}' && around(s) == '{')) {
    s->depth--;
    s->state = INSIDE;
  } else if (c == ',' && s->depth > 0) {
    s->state = around(s) == '[' ? VALUE : KEY;
  } else if (c == '\n') {
    if (s->depth == 0) s->state = KEY;
  } else if (s->state == VALUE) {
    if (is_lost(s)) s->error = "this number is too small: the smallest number above 0 is 2.3e-308";
    s->state = INSIDE;
  } else if (s->state == KEY && c == '.' && ++s->dots > MOST_DOTS) {
    s->error = "too many dots in a key";
  }
  if (c == '\n' || c == ',' || s->state != KEY) s->dots = 0;
}

const char *triad_toml_scan(const char *text, size_t length, int *line, int *column)
{
  scan s = {.at = text, .end = text + length, .line = 1, .column = 1, .state = KEY};
  if (left(&s, "\xef\xbb\xbf")) s.at += 3;
  while (s.at < s.end && !s.error) {
    char c = *s.at;
    if (c == '#') {
      while (s.at < s.end && *s.at != '\n') step(&s);
    } else if ((c == '"' || c == '\'') && s.state != INSIDE) {
      step_text(&s, s.state == KEY);
      if (s.state == VALUE) s.state = INSIDE;
    } else if (c == '"' || c == '\'') {
      s.error = "misplaced quotation mark"; /* the library would look for the number's end across the text */
    } else if (!is_ascii(c)) {
      s.error = "a character outside ASCII requires quotes";
    } else {
      if (c != ' ' && c != '\t' && c != '\r') take(&s, c);
      if (!s.error) step(&s);
    }
  }
  *line = s.line;
  *column = s.column;
  return s.error;
}
