/* Errors of a case: add one, report all, quote user text, suggest a similar word. */
#ifndef TRIAD_CASE_CASE_ERRORS_H
#define TRIAD_CASE_CASE_ERRORS_H

#include "case/case_internal.h"

/* Note an error; sort all by place and make the report. Formats take clean text only (triad_quote). */
void triad_case_error_at(triad_case *c, triad_case_place place, const char *format, ...)
  __attribute__((format(printf, 3, 4)));
int triad_case_report(triad_case *c);
/* "case.toml:12:3" */
void triad_case_write_place(const triad_case *c, triad_case_place place, char *buffer, size_t size);
void triad_case_forget_errors(triad_case *c, int n, int64_t all); /* but the first n, of `all` that were found */

/* User text for messages, in quotation marks, escaped (base/text.h) and cut when long. */
char *triad_quote(char buffer[TRIAD_QUOTE_SIZE], const char *text, size_t length); /* returns buffer */
const char *triad_did_you_mean(char buffer[TRIAD_QUOTE_SIZE], const char *near);   /* "" when near is NULL */
int triad_is_utf8(const char *text, size_t length);

#endif
