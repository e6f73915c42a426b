/* Parse the options of a subcommand by its table, and convert counts and durations. */
#include "command/options.h"

#include "base/status.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int unknown(const char *argument, const triad_option *table)
{
  const char *names[TRIAD_MAX_ARGUMENTS] = {"--set", "--help", "--quiet", "--verbose", "--log-format"};
  int n = 5;
  for (const triad_option *o = table; o->name && n < TRIAD_MAX_ARGUMENTS; o++) names[n++] = o->name;
  int nearest = triad_nearest(argument, names, n);
  if (nearest >= 0)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "unknown option %.80s, did you mean %s?", argument, names[nearest]);
  return TRIAD_FAIL(TRIAD_ERR_USAGE, "unknown option %.80s; --help lists them", argument);
}

/* The value of option `name` at argv[*i]: behind '=', or the next word, which is then taken. NULL: none there. */
static const char *value_of(const char *name, int argc, char **argv, int *i)
{
  size_t length = strlen(name);
  if (argv[*i][length] == '=') return argv[*i] + length + 1;
  return *i + 1 < argc ? argv[++*i] : NULL;
}

static int names(const char *argument, const char *name)
{
  size_t length = strlen(name);
  return strncmp(argument, name, length) == 0 && (argument[length] == '\0' || argument[length] == '=');
}

static int take_repeated(const char *name, const char *value, triad_arguments *out)
{
  if (!value || !*value) return TRIAD_FAIL(TRIAD_ERR_USAGE, "%s requires a value", name);
  if (out->n_repeated == TRIAD_MAX_ARGUMENTS)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "%s is given more than 256 times", name);
  out->repeated[out->n_repeated++] = value;
  return TRIAD_OK;
}

static int take_option(int argc, char **argv, int *i, const triad_option *table, triad_arguments *out)
{
  const char *argument = argv[*i];
  int taken = 0;
  TRIAD_TRY(triad_log_option(&out->log, argument, &taken));
  if (taken) return TRIAD_OK;
  if (names(argument, "--set")) {
    const char *value = value_of("--set", argc, argv, i);
    if (!value || !strchr(value, '='))
      return TRIAD_FAIL(TRIAD_ERR_USAGE, "--set requires key=value, as in --set time.end=2");
    const char *list = strchr(value, '=') + 1;
    if (*list == '[' && !strrchr(list, ']'))
      return TRIAD_FAIL(TRIAD_ERR_USAGE,
                        "--set %.80s: the list has no end; with blanks, or in zsh, it must be in quotes, as in --set "
                        "'grid.n=[64, 64, 64]'",
                        value);
    if (out->n_sets == TRIAD_MAX_ARGUMENTS) return TRIAD_FAIL(TRIAD_ERR_USAGE, "--set is given more than 256 times");
    out->sets[out->n_sets++] = value;
    return TRIAD_OK;
  }
  for (const triad_option *o = table; o->name; o++) {
    if (!names(argument, o->name)) continue;
    if (!o->text && !o->flag) return take_repeated(o->name, value_of(o->name, argc, argv, i), out);
    if (!o->text) {
      if (strchr(argument, '=')) return TRIAD_FAIL(TRIAD_ERR_USAGE, "%s does not accept a value", o->name);
      *o->flag = 1;
      return TRIAD_OK;
    }
    if (o->flag && !strchr(argument, '=') && (*i + 1 == argc || argv[*i + 1][0] == '-')) {
      *o->flag = 1;
      return TRIAD_OK;
    }
    *o->text = value_of(o->name, argc, argv, i);
    if (!*o->text || !**o->text) return TRIAD_FAIL(TRIAD_ERR_USAGE, "%s requires a value", o->name);
    return TRIAD_OK;
  }
  return unknown(argument, table);
}

int triad_options_parse(int argc, char **argv, const triad_option *table, triad_arguments *out)
{
  int options_end = 0;
  memset(out, 0, sizeof *out);
  out->log = triad_log_defaults(0);
  for (int i = 0; i < argc; i++) {
    if (!options_end && strcmp(argv[i], "--") == 0) {
      options_end = 1;
    } else if (!options_end && argv[i][0] == '-' && argv[i][1] != '\0') {
      TRIAD_TRY(take_option(argc, argv, &i, table, out));
    } else {
      if (out->n_words == TRIAD_MAX_ARGUMENTS) return TRIAD_FAIL(TRIAD_ERR_USAGE, "more than 256 arguments");
      out->words[out->n_words++] = argv[i];
    }
  }
  return TRIAD_OK;
}

int triad_options_words(const triad_arguments *a, const char *command, int least, int most, const char *what)
{
  if (a->n_words >= least && a->n_words <= most) return TRIAD_OK;
  if (a->n_words > most)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "triad %s requires %s, but %.80s is an extra argument; see triad %s --help",
                      command, what, a->words[most], command);
  return TRIAD_FAIL(TRIAD_ERR_USAGE, "triad %s requires %s; see triad %s --help", command, what, command);
}

int triad_options_count(const char *name, const char *text, int *out)
{
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (errno || end == text || *end || value < 1 || value > INT_MAX)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "%s requires a positive whole number, not %.40s", name, text);
  *out = (int)value;
  return TRIAD_OK;
}

int triad_options_duration(const char *name, const char *text, double *seconds)
{
  double total = 0, days = 0;
  int parts = 0, has_days = 0;
  const char *at = text;
  for (; text[strspn(text, "0123456789.:-")] == '\0';) {
    char *end;
    if (!isdigit((unsigned char)*at)) break;
    double value = strtod(at, &end);
    if (*end == '-' && parts == 0 && !has_days) {
      has_days = 1;
      days = value;
    } else {
      total = 60 * total + value;
      parts++;
    }
    if (*end == '\0' && parts >= 1 && parts <= 3 && (!has_days || parts == 3)) {
      *seconds = 86400 * days + total;
      if (*seconds > 0) return TRIAD_OK;
      break;
    }
    if (*end != ':' && *end != '-') break;
    at = end + 1;
  }
  return TRIAD_FAIL(TRIAD_ERR_USAGE, "%s %.80s is not a time: use seconds, MM:SS, HH:MM:SS or D-HH:MM:SS", name, text);
}
