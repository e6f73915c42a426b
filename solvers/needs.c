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

void triad_doubts_add(triad_doubts *doubts, const char *format, ...)
{
  va_list args;
  if (doubts->n == TRIAD_MOST_DOUBTS) return;
  va_start(args, format);
  (void)vsnprintf(doubts->text[doubts->n++], sizeof doubts->text[0], format, args);
  va_end(args);
}
