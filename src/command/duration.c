#include "command/duration.h"

#include "base/status.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int triad_duration_read(const char *option, const char *text, double *seconds)
{
  double total = 0, days = 0;
  int parts = 0;
  const char *at = text;
  for (; text[strspn(text, "0123456789.:-")] == '\0';) {
    char *end;
    if (!isdigit((unsigned char)*at)) break;
    double value = strtod(at, &end);
    if (*end == '-' && parts == 0 && days == 0) {
      days = value;
    } else {
      total = 60 * total + value;
      parts++;
    }
    if (*end == '\0' && parts >= 1 && parts <= 3 && (days == 0 || parts == 3)) {
      *seconds = 86400 * days + total;
      if (*seconds > 0) return TRIAD_OK;
      break;
    }
    if (*end != ':' && *end != '-') break;
    at = end + 1;
  }
  return TRIAD_FAIL(TRIAD_ERR_USAGE, "%s %.80s: not a time; write seconds, MM:SS, HH:MM:SS or D-HH:MM:SS", option, text);
}
