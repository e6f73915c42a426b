/* Remove the part of a resource estimate that only files need, and add case warnings. */
#include "solvers/needs.h"

#include <stdarg.h>
#include <stdio.h>

void triad_needs_drop_files(triad_rank_needs *needs)
{
  int kept = 0;
  for (int i = 0; i < needs->n; i++) {
    if (needs->row[i].for_files) needs->total -= needs->row[i].bytes;
    else needs->row[kept++] = needs->row[i];
  }
  needs->n = kept;
}

void triad_case_warn(triad_case_warnings *warnings, const char *format, ...)
{
  va_list args;
  if (warnings->n == TRIAD_MAX_CASE_WARNINGS) return;
  va_start(args, format);
  (void)vsnprintf(warnings->text[warnings->n++], sizeof warnings->text[0], format, args);
  va_end(args);
}
