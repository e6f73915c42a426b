#include "solvers/needs.h"

#include <stdarg.h>
#include <stdio.h>

void triad_doubts_add(triad_doubts *doubts, const char *format, ...)
{
  va_list args;
  if (doubts->n == TRIAD_MOST_DOUBTS) return;
  va_start(args, format);
  (void)vsnprintf(doubts->text[doubts->n++], sizeof doubts->text[0], format, args);
  va_end(args);
}
