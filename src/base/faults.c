/* Gather errors and names in text buffers of fixed size. An entry that does not fit is omitted and counted, so that
 * adding one cannot fail. */
#include "base/faults.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_OF = 160 };

/* One more behind those of text[size], if there is room for it whole and none before it was left out. */
static void append(char *text, size_t size, size_t *used, int64_t *untold, const char *between, const char *one)
{
  const char *separator = *used > 0 ? between : "";
  const size_t length = strlen(separator) + strlen(one);
  if (*untold > 0 || *used + length >= size) {
    ++*untold;
    return;
  }
  (void)snprintf(text + *used, size - *used, "%s%s", separator, one);
  *used += length;
}

/* ---- faults ---- */

void triad_faults_of(triad_faults *f, const char *what)
{
  f->of = what;
  f->said = 0;
}

void triad_fault(triad_faults *f, const char *format, ...)
{
  char one[TRIAD_FAULT_TEXT];
  int at = 0;
  va_list args;
  if (f->of && !f->said) {
    const size_t length = strlen(f->of), cut = length > LONGEST_OF ? length - LONGEST_OF : 0;
    at = snprintf(one, sizeof one, "%s%s: ", cut > 0 ? "..." : "", f->of + cut);
    f->said = 1;
  }
  va_start(args, format);
  (void)vsnprintf(one + at, sizeof one - (size_t)at, format, args);
  va_end(args);
  f->n++;
  append(f->text, sizeof f->text, &f->used, &f->untold, "; ", one);
}

int triad_faults_take(triad_faults *f, int status)
{
  char why[sizeof f->text];
  if (status != TRIAD_ERR_CASE || !triad_message()[0]) return status;
  triad_message_reason(why, sizeof why);
  const size_t length = f->of ? strlen(f->of) : 0;
  const int again = length > 0 && strncmp(why, f->of, length) == 0 && strncmp(why + length, ": ", 2) == 0;
  triad_fault(f, "%s", why + (again ? length + 2 : 0));
  return TRIAD_OK;
}

int triad_faults_end(triad_faults *f, int status)
{
  if (f->n == 0) return status; /* whose message is whole */
  status = triad_faults_take(f, status);
  return status == TRIAD_OK || status == TRIAD_ERR_CASE ? triad_faults_tell(f) : status;
}

int triad_faults_tell(const triad_faults *f)
{
  if (f->n == 0) return TRIAD_OK;
  if (f->untold == 0) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s", f->text);
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s; and %" PRId64 " more", f->text, f->untold);
}

/* ---- names ---- */

void triad_names_add(triad_names *names, const char *name)
{
  names->n++;
  append(names->text, sizeof names->text, &names->used, &names->untold, ", ", name);
}

const char *triad_names_text(triad_names *names)
{
  if (names->untold == 0) return names->text;
  (void)snprintf(names->whole, sizeof names->whole, "%s and %" PRId64 " more", names->text, names->untold);
  return names->whole;
}
