/* Ask on a terminal; read sizes, durations and numbers from text. */
#include "command/new/ask.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int triad_ask(const char *question, const char *preset, char *answer, size_t size)
{
  char line[1024];
  (void)printf("%s [%s]: ", question, preset);
  (void)fflush(stdout);
  if (!fgets(line, sizeof line, stdin)) {
    (void)printf("\n");
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "the input ended before this answer: %.200s", question);
  }
  char *at = line + strspn(line, " \t\r\n");
  size_t length = strlen(at);
  while (length > 0 && strchr(" \t\r\n", at[length - 1])) at[--length] = '\0';
  (void)snprintf(answer, size, "%s", length > 0 ? at : preset);
  return TRIAD_OK;
}

/* Which word begins with the text; -1: none, or several. */
static int begins(const char *text, const char *const *words, int n)
{
  int found = -1;
  for (int i = 0; i < n; i++) {
    if (strcasecmp(text, words[i]) == 0) return i;
    if (strncasecmp(text, words[i], strlen(text)) != 0) continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}

int triad_ask_which(const char *question, const char *const *words, int n, int *choice)
{
  char answer[64], *end;
  for (;;) {
    TRIAD_TRY(triad_ask(question, words[0], answer, sizeof answer));
    long number = strtol(answer, &end, 10);
    *choice = *end == '\0' && number >= 1 && number <= n ? (int)number - 1 : begins(answer, words, n);
    if (*choice >= 0) return TRIAD_OK;
    (void)printf("  %.60s is none of them: type a number from 1 to %d, or a name\n", answer, n);
  }
}

double triad_positive_of(const char *text)
{
  char *end;
  double value = strtod(text, &end);
  return end != text && *end == '\0' && isfinite(value) && value > 0 ? value : 0;
}

typedef struct unit {
  const char *name;
  double size;
} unit;

static double with_unit(const char *text, const unit *units)
{
  char *end;
  double value = strtod(text, &end);
  if (end == text || !isfinite(value) || value <= 0) return 0;
  end += strspn(end, " ");
  for (const unit *u = units; u->name; u++)
    if (strcasecmp(end, u->name) == 0) return value * u->size;
  return 0;
}

double triad_bytes_of(const char *text)
{
  static const unit units[] = {{"k", 1e3},      {"kB", 1e3},        {"M", 1e6},           {"MB", 1e6},
                               {"G", 1e9},      {"GB", 1e9},        {"T", 1e12},          {"TB", 1e12},
                               {"KiB", 1024.0}, {"MiB", 1048576.0}, {"GiB", 1073741824.}, {"TiB", 1099511627776.},
                               {NULL, 0}};
  return with_unit(text, units);
}

double triad_seconds_of(const char *text)
{
  static const unit units[] = {{"s", 1},        {"seconds", 1},  {"min", 60},    {"minute", 60},
                               {"minutes", 60}, {"h", 3600},     {"hour", 3600}, {"hours", 3600},
                               {"d", 86400},    {"days", 86400}, {NULL, 0}};
  return with_unit(text, units);
}
