/* Gather the errors of a case, sort them by their place in the file, and quote user text in messages. */
#include "case/case_internal.h"
#include "case/case_errors.h"

#include "base/status.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A file with more errors than this is not a case at all; the rest is only counted. */
enum { MOST_ERRORS = 100 };

void triad_case_write_place(const triad_case *c, triad_case_place place, char *buffer, size_t size)
{
  if (place.from == TRIAD_FROM_SET) {
    char shown[TRIAD_QUOTE_SIZE];
    (void)triad_quote(shown, c->sets[place.set], strlen(c->sets[place.set]));
    (void)snprintf(buffer, size, "--set %.*s", (int)strlen(shown) - 2, shown + 1); /* without the marks */
  } else if (place.line > 0) {
    (void)snprintf(buffer, size, "%s:%d:%d", c->name, place.line, place.column);
  } else {
    (void)snprintf(buffer, size, "%s", c->name);
  }
}

void triad_case_error_at(triad_case *c, triad_case_place place, const char *format, ...)
{
  char where[512], what[1024], *text = NULL;
  va_list args;
  c->all_errors++;
  if (c->n_errors == MOST_ERRORS) return;
  va_start(args, format);
  (void)vsnprintf(what, sizeof what, format, args);
  va_end(args);
  triad_case_write_place(c, place, where, sizeof where);
  if (c->n_errors == c->room) {
    int room = c->room ? 2 * c->room : 8;
    triad_case_error *more = realloc(c->errors, (size_t)room * sizeof *more);
    if (!more) {
      c->no_memory = 1;
      return;
    }
    c->errors = more;
    c->room = room;
  }
  if (asprintf(&text, "%s: error: %s\n", where, what) < 0) {
    c->no_memory = 1;
    return;
  }
  c->errors[c->n_errors] = (triad_case_error){place, c->n_errors, text};
  c->n_errors++;
}

void triad_case_forget_errors(triad_case *c, int n, int64_t all)
{
  while (c->n_errors > n) free(c->errors[--c->n_errors].text);
  c->all_errors = all;
}

/* Errors of the file by line, then what is missing from it, then the arguments. */
static int group(triad_case_place p) { return p.from == TRIAD_FROM_SET ? 2 : p.line == 0; }

static int compare(const void *left, const void *right)
{
  const triad_case_error *a = left, *b = right;
  int order[] = {group(a->place) - group(b->place), a->place.line - b->place.line, a->place.column - b->place.column,
                 a->place.set - b->place.set, a->number - b->number};
  for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
    if (order[i] != 0) return order[i];
  return 0;
}

int triad_case_report(triad_case *c)
{
  size_t length = 0;
  free(c->report);
  c->report = NULL;
  if (!c->no_memory) {
    FILE *out = open_memstream(&c->report, &length);
    if (out) {
      if (c->n_errors > 0) qsort(c->errors, (size_t)c->n_errors, sizeof *c->errors, compare);
      int sources = c->n_errors > 0 ? 0 : 1; /* 1: the file, 2: --set */
      for (int i = 0; i < c->n_errors; i++) {
        (void)fputs(c->errors[i].text, out);
        sources |= c->errors[i].place.from == TRIAD_FROM_SET ? 2 : 1;
      }
      if (c->all_errors > c->n_errors)
        (void)fprintf(out, "%s: error: and %lld more\n", c->name, (long long)(c->all_errors - c->n_errors));
      if (c->all_errors > 0)
        (void)fprintf(out, "%lld error%s in %s%s\n", (long long)c->all_errors, c->all_errors > 1 ? "s" : "",
                      sources & 1 ? c->name : "",
                      sources == 3   ? " and --set"
                      : sources == 2 ? "--set"
                                     : "");
      if (fclose(out) == 0) return c->all_errors > 0 ? TRIAD_ERR_CASE : TRIAD_OK;
    }
  }
  return TRIAD_FAIL(TRIAD_ERR_MEMORY, "reading %s", c->name);
}

const char *triad_case_errors(const triad_case *c) { return c->report ? c->report : ""; }

int triad_case_error_count(const triad_case *c) { return c->all_errors > INT32_MAX ? INT32_MAX : (int)c->all_errors; }

/* ---- text of users in messages ---- */

char *triad_quote(char buffer[TRIAD_QUOTE_SIZE], const char *text, size_t length)
{
  size_t room = TRIAD_QUOTE_SIZE - 5; /* without the quotation marks and dots */
  buffer[0] = '"';
  int cut = triad_escape(buffer + 1, room, text, length, TRIAD_ESCAPE_PLAIN) >= room;
  (void)strcat(buffer, cut ? "...\"" : "\"");
  return buffer;
}

const char *triad_did_you_mean(char buffer[TRIAD_QUOTE_SIZE], const char *near)
{
  buffer[0] = '\0';
  if (near) (void)snprintf(buffer, TRIAD_QUOTE_SIZE, ", did you mean \"%s\"?", near);
  return buffer;
}

/* RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. */
static size_t utf8_length(const unsigned char *text, size_t left)
{
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  unsigned char c = text[0];
  size_t n = c < 0x80 ? 1 : c < 0xc0 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf8 ? 4 : 0;
  if (n == 0 || n > left) return 0;
  uint32_t code = n == 1 ? c : c & (0x7fu >> n);
  for (size_t i = 1; i < n; i++) {
    if ((text[i] & 0xc0) != 0x80) return 0;
    code = code << 6 | (text[i] & 0x3fu);
  }
  return code < least[n] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? 0 : n;
}

int triad_is_utf8(const char *text, size_t length)
{
  for (size_t i = 0, n; i < length; i += n) {
    n = utf8_length((const unsigned char *)text + i, length - i);
    if (n == 0) return 0;
  }
  return 1;
}
