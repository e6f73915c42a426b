/* Parse one text of output.probes word by word, and report the first word that is wrong. */
#include "solvers/unstructured/plain/probe_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum kind { POINT, LINE, CYLINDER, DISK, KINDS } kind;

static const char *const kind_words[KINDS] = {"point", "line", "cylinder", "disk"};

/* Options, the kinds that accept them, and which are required. */
enum {
  OF_POINT = 1 << POINT,
  OF_LINE = 1 << LINE,
  OF_CYLINDER = 1 << CYLINDER,
  OF_DISK = 1 << DISK,
  OF_RINGS = OF_CYLINDER | OF_DISK,
  ALL = OF_POINT | OF_LINE | OF_RINGS
};
static const struct {
  const char *name;
  int takes, needs;
} options[] = {{"x", ALL, 0},
               {"y", ALL, 0},
               {"z", ALL, 0},
               {"to_x", OF_LINE | OF_CYLINDER, OF_CYLINDER},
               {"to_y", OF_LINE, 0},
               {"to_z", OF_LINE, 0},
               {"radius", OF_RINGS, OF_RINGS},
               {"n", OF_LINE | OF_RINGS, OF_LINE | OF_RINGS},
               {"around", OF_RINGS, OF_RINGS}};
enum { OPTIONS = sizeof options / sizeof *options, TO = 3, RADIUS = 6, N = 7, AROUND = 8, MAX_POINTS = 1000000 };

/* A word up to one of `ends`, without blanks around it; moves on behind it. */
static int take_word(const char **text, const char *ends, char word[TRIAD_MESH_NAME])
{
  const char *begin = *text + strspn(*text, " "), *end = begin + strcspn(begin, ends);
  size_t n = (size_t)(end - begin);
  *text = *end ? end + 1 : end;
  while (n > 0 && begin[n - 1] == ' ') n--;
  if (n == 0 || n >= TRIAD_MESH_NAME) return 0;
  memcpy(word, begin, n);
  word[n] = '\0';
  return 1;
}

static int read_option(const char **text, kind k, double value[OPTIONS], int given[OPTIONS], char *why)
{
  char name[TRIAD_MESH_NAME] = "", number[TRIAD_MESH_NAME] = "", *end = number;
  int o = 0;
  if (!take_word(text, "=", name) || !take_word(text, ",", number)) {
    (void)snprintf(why, TRIAD_UNSTRUCTURED_PROBE_WHY, "an option is not of the form key=number");
    return 0;
  }
  while (o < OPTIONS && strcmp(options[o].name, name) != 0) o++;
  double x = strtod(number, &end);
  if (o == OPTIONS || !(options[o].takes & 1 << k) || *end || !isfinite(x)) {
    (void)snprintf(why, TRIAD_UNSTRUCTURED_PROBE_WHY, "a %s does not accept %s=%s", kind_words[k], name, number);
    return 0;
  }
  value[o] = x;
  given[o] = 1;
  return 1;
}

/* A number of points; 0 if it is none. */
static int64_t count(double value)
{
  return value >= 1 && value <= MAX_POINTS && value == floor(value) ? (int64_t)value : 0;
}

static int complete(triad_unstructured_probe *p, kind k, const double value[OPTIONS], const int given[OPTIONS],
                    char *why)
{
  for (int o = 0; o < OPTIONS; o++)
    if (options[o].needs & 1 << k && !given[o]) {
      (void)snprintf(why, TRIAD_UNSTRUCTURED_PROBE_WHY, "a %s requires %s=", kind_words[k], options[o].name);
      return 0;
    }
  for (int a = 0; a < 3; a++) {
    p->from[a] = value[a];
    p->to[a] = given[TO + a] ? value[TO + a] : value[a];
  }
  p->radius = value[RADIUS];
  p->n = k == POINT ? 1 : count(value[N]);
  p->around = OF_RINGS & 1 << k ? count(value[AROUND]) : 1;
  p->disk = k == DISK;
  if (p->n >= 1 && p->around >= 1 && p->n * p->around <= MAX_POINTS && (!(OF_RINGS & 1 << k) || p->radius > 0))
    return 1;
  (void)snprintf(
    why, TRIAD_UNSTRUCTURED_PROBE_WHY,
    "n and around must be whole numbers that give 1 to a million points in all, and a radius must be positive");
  return 0;
}

int triad_unstructured_probe_read(triad_unstructured_probe *p, const char *text, char why[TRIAD_UNSTRUCTURED_PROBE_WHY])
{
  char word[TRIAD_MESH_NAME] = "";
  double value[OPTIONS] = {0};
  int given[OPTIONS] = {0}, k = 0;
  memset(p, 0, sizeof *p);
  if (!strchr(text, ':') || !take_word(&text, ":", p->name) ||
      strspn(p->name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != strlen(p->name)) {
    (void)snprintf(why, TRIAD_UNSTRUCTURED_PROBE_WHY,
                   "not of the form \"name: kind, key=number\", with letters and digits in the name");
    return 0;
  }
  (void)take_word(&text, ",", word);
  while (k < KINDS && strcmp(word, kind_words[k]) != 0) k++;
  if (k == KINDS) {
    (void)snprintf(why, TRIAD_UNSTRUCTURED_PROBE_WHY, "\"%s\" is not one of point, line, cylinder, disk", word);
    return 0;
  }
  while (*text)
    if (!read_option(&text, (kind)k, value, given, why)) return 0;
  return complete(p, (kind)k, value, given, why);
}
