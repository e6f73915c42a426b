/* Command-line options: a table a subcommand. */
#ifndef TRIAD_COMMAND_OPTIONS_H
#define TRIAD_COMMAND_OPTIONS_H

#include "base/log.h"

enum { TRIAD_MAX_ARGUMENTS = 256 };

typedef struct triad_option {
  const char *name;  /* "--steps" or "-n" */
  const char **text; /* takes an argument, kept here; NULL: a flag */
  /* set to 1; with text: if there is no argument, which is then optional. Both NULL: takes an argument each time, kept
   * in `repeated`: one such option a table */
  int *flag;
} triad_option;

typedef struct triad_arguments {
  const char *words[TRIAD_MAX_ARGUMENTS]; /* positional, in order */
  int n_words;
  const char *sets[TRIAD_MAX_ARGUMENTS]; /* of --set */
  int n_sets;
  const char *repeated[TRIAD_MAX_ARGUMENTS]; /* of the option that may be given several times */
  int n_repeated;
  triad_log_options log; /* -q -v --log-format */
} triad_arguments;

/* Sort argv into the option table (ended by a name of NULL), --set, log options and words. "--name=value" and
 * "--name value" are the same. TRIAD_ERR_USAGE, with the nearest option suggested; not printed. Not collective. */
int triad_options_parse(int argc, char **argv, const triad_option *table, triad_arguments *out);

/* Check the number of words: TRIAD_ERR_USAGE, with `what` is required and a pointer to --help, unless there are
 * `least` to `most`; the first surplus one is named. */
int triad_options_words(const triad_arguments *a, const char *command, int least, int most, const char *what);

/* A positive integer from an option's text. TRIAD_ERR_USAGE. */
int triad_options_count(const char *name, const char *text, int *out);

/* A time [s], above 0, as batch systems write it: "5400", "90:00", "01:30:00", "1-06:00:00". TRIAD_ERR_USAGE. */
int triad_options_duration(const char *name, const char *text, double *seconds);

#endif
