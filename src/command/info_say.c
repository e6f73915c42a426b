#include "command/info_own.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void say(FILE *to, const char *before, const char *format, va_list args)
{
  char *text = NULL, *safe = NULL;
  int length = vasprintf(&text, format, args);
  if (length < 0) text = NULL;
  size_t room = text ? 6 * (size_t)length + 1 : 0;
  safe = text ? malloc(room) : NULL;
  if (safe) (void)triad_escape(safe, room, text, (size_t)length, TRIAD_ESCAPE_PLAIN);
  (void)fprintf(to, "%s%s\n", before, safe ? safe : "(no memory for this line)");
  free(safe);
  free(text);
}

void triad_info_line(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  say(stdout, "", format, args);
  va_end(args);
}

int triad_info_wrong(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  say(stdout, "  WRONG: ", format, args);
  va_end(args);
  return TRIAD_ERR_CASE;
}

static void __attribute__((format(printf, 1, 2))) complain(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  say(stderr, "triad: ", format, args);
  va_end(args);
}

void triad_info_tell(void)
{
  if (*triad_message()) complain("%s", triad_message());
  triad_message_clear();
}

void triad_info_why(char *why, size_t size)
{
  const char *text = triad_message(), *behind_place = strstr(text, ".c:");
  if (behind_place) behind_place = strstr(behind_place, ": ");
  (void)snprintf(why, size, "%s", behind_place ? behind_place + 2 : text);
  triad_message_clear();
}

int triad_info_blame(int status)
{
  char why[1024];
  if (status != TRIAD_ERR_CASE && status != TRIAD_ERR_INPUT) return status;
  triad_info_why(why, sizeof why);
  if (why[0]) return triad_info_wrong("%s", why);
  return TRIAD_ERR_CASE; /* told already */
}

const char *triad_info_size(char buffer[32], double bytes)
{
  static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
  int unit = 0;
  while (bytes >= 999.5 && unit < 4) {
    bytes /= 1000;
    unit++;
  }
  (void)snprintf(buffer, 32, "%.3g %s", bytes, units[unit]);
  return buffer;
}
