#include "solvers/needs.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void triad_needs_drop_files(triad_rank_needs *needs)
{
  if (needs->for_files == 0) return;
  const int i = needs->for_files - 1;
  needs->total -= needs->row[i].bytes;
  memmove(&needs->row[i], &needs->row[i + 1], (size_t)(--needs->n - i) * sizeof needs->row[0]);
  needs->for_files = 0;
}

void triad_doubts_add(triad_doubts *doubts, const char *format, ...)
{
  va_list args;
  if (doubts->n == TRIAD_MOST_DOUBTS) return;
  va_start(args, format);
  (void)vsnprintf(doubts->text[doubts->n++], sizeof doubts->text[0], format, args);
  va_end(args);
}
