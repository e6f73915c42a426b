/* Write text as a string of JSON. */

#include "base/text.h"

#include <stdlib.h>

void triad_watch_text(FILE *out, const char *text, size_t length)
{
  size_t room = 6 * length + 1;
  char *safe = malloc(room);
  (void)fputc('"', out);
  if (safe) (void)triad_escape(safe, room, text, length, TRIAD_ESCAPE_JSON);
  for (const char *c = safe; c && *c; c++) {
    if (*c == '<' || *c == '>' || *c == '&') (void)fprintf(out, "\\u%04x", (unsigned)*c);
    else (void)fputc(*c, out);
  }
  (void)fputc('"', out);
  free(safe);
}
