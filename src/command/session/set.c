/* The command `triad set`: check the new values, write the request file and wait until the run has answered. */
#include "command/command.h"
#include "case/case_write.h"
#include "case/case_load.h"
#include "command/options.h"
#include "command/session/rundir.h"
#include "command/session/settings.h"
#include "run/set_requests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LIMIT = 1 << 20 /* bytes of a request */ };

/* A key that cannot be changed, or does not exist, is reported before anything is requested from the run. */
static int check_word(const triad_case *is, const char *word)
{
  char key[128];
  const size_t n = strcspn(word, "= \t");
  if (strpbrk(word, "\n\r")) return TRIAD_FAIL(TRIAD_ERR_CASE, "%.80s: the value must be on one line", word);
  (void)snprintf(key, sizeof key, "%.*s", (int)(n < sizeof key ? n : sizeof key - 1), word);
  if (triad_case_may_change(is, key)) return TRIAD_OK;
  return TRIAD_FAIL(
    TRIAD_ERR_CASE,
    "%s cannot be changed during a run. Only numeric and boolean keys of [time] and [output], and coefficients of "
    "[equations], [forcing] and [solver], can. Use triad stop, then triad run with --set",
    key);
}

static int has_warning(const triad_case *c, const char *text)
{
  for (int i = 0; triad_case_warning(c, i); i++)
    if (strcmp(triad_case_warning(c, i), text) == 0) return 1;
  return 0;
}

/* What the changed case says that acts differently from how it reads, and the case before did not: how much. */
static int warn(const triad_case *was, const triad_case *is)
{
  int n = 0;
  for (int i = 0; triad_case_warning(is, i); i++)
    if (!has_warning(was, triad_case_warning(is, i))) {
      (void)fprintf(stderr, "triad: warning: %s\n", triad_case_warning(is, i));
      n++;
    }
  return n;
}

/* The case of the directory, with these words. *n: how many keys they change; *warned: how many warnings they cause. */
static int check_words(const char *dir, const triad_arguments *a, int *n, int *warned)
{
  char path[TRIAD_PATH], *text = NULL;
  size_t length = 0;
  triad_case *was = NULL, *is = NULL;
  triad_changes c = {0};
  TRIAD_TRY(triad_disk_path(path, "%s/case.resolved.toml", dir));
  TRIAD_TRY(triad_case_load_text(path, &text, &length));
  int st = triad_case_parse(&was, path, text, length, NULL, 0);
  if (st == TRIAD_ERR_CASE) (void)TRIAD_FAIL(st, "%.400s is not a case that this version reads", path);
  for (int i = 1; i < a->n_words && st == TRIAD_OK; i++)
    if (strncmp(a->words[i], "parameters.", 11) == 0 || strchr(a->words[i], '=')) st = check_word(was, a->words[i]);
  if (st == TRIAD_OK) st = triad_case_parse(&is, path, text, length, a->words + 1, a->n_words - 1);
  if (st == TRIAD_ERR_CASE && is) {
    (void)fprintf(stderr, "%s", triad_case_errors(is));
    triad_message_clear();
  }
  if (st == TRIAD_OK) st = triad_changes_between(&c, was, is);
  if (st == TRIAD_OK) *warned = warn(was, is);
  *n = c.n;
  triad_changes_free(&c);
  triad_case_destroy(&is);
  triad_case_destroy(&was);
  free(text);
  return st;
}

/* Write the request as a file of its own, under a name that no other request has. */
static int ask(const char *dir, const triad_arguments *a, const char *who, char request[TRIAD_SET_NAME])
{
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  if (f) (void)fprintf(f, "# This file asks the run in this directory to change its case: %s\n", who);
  for (int i = 1; f && i < a->n_words; i++) (void)fprintf(f, "%s\n", a->words[i]);
  triad_set_requests_name(request);
  int st = f && fclose(f) == 0 ? triad_disk_replace(dir, request, text, (int64_t)size)
                               : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the request");
  free(text);
  return st;
}

/* Does the run's record name this request? */
static int is_recorded(const char *dir, const char *request, int *yes)
{
  char path[TRIAD_PATH], line[sizeof TRIAD_SETTINGS_TAKEN + TRIAD_SET_NAME], *text = NULL;
  int64_t bytes = 0;
  *yes = 0;
  (void)snprintf(line, sizeof line, TRIAD_SETTINGS_TAKEN "%s\n", request);
  TRIAD_TRY(triad_disk_path(path, "%s/" TRIAD_SETTINGS_FILE, dir));
  int st = triad_disk_load(path, LIMIT, &text, &bytes);
  *yes = text && strstr(text, line);
  free(text);
  if (st != TRIAD_ERR_INPUT) return st;
  triad_message_clear();
  return TRIAD_OK;
}

/* Until the request has gone from the directory. */
static int wait_for_answer(const char *dir, const char *request)
{
  const struct timespec pause = {0, 100 * 1000 * 1000};
  char path[TRIAD_PATH], who[400];
  int taken = 0;
  TRIAD_TRY(triad_disk_path(path, "%s/%s", dir, request));
  while (access(path, F_OK) == 0) {
    int alive = 0, st = triad_lock_holder(dir, who, &alive);
    if (st == TRIAD_ERR_INPUT || alive == 0) {
      triad_message_clear();
      (void)printf("the run ended before it applied this: the next start in %.500s applies it\n", dir);
      return TRIAD_OK;
    }
    TRIAD_TRY(st);
    (void)nanosleep(&pause, NULL);
  }
  TRIAD_TRY(is_recorded(dir, request, &taken));
  if (taken) {
    (void)printf("taken: %.500s/" TRIAD_SETTINGS_FILE " says from which step on", dir);
    return TRIAD_OK;
  }
  return TRIAD_FAIL(TRIAD_ERR_CASE, "the run did not apply it: see %.500s/log.txt for the reason", dir);
}

static int set_in(const char *dir, const triad_arguments *a, int wait)
{
  char who[400], request[TRIAD_SET_NAME];
  int alive = 0, n = 0, warned = 0;
  TRIAD_TRY(triad_rundir_check(dir));
  int st = triad_lock_holder(dir, who, &alive);
  if (st == TRIAD_ERR_INPUT || (st == TRIAD_OK && alive == 0)) {
    triad_message_clear();
    return TRIAD_FAIL(TRIAD_ERR_INPUT,
                      "nothing is running in %.500s: use triad run CASE --set KEY=VALUE to resume with another value",
                      dir);
  }
  TRIAD_TRY(st);
  TRIAD_TRY(check_words(dir, a, &n, &warned));
  if (n == 0) {
    (void)printf("the run in %.500s has these values already%s\n", dir, warned ? ", or does not use them" : "");
    return TRIAD_OK;
  }
  TRIAD_TRY(ask(dir, a, who, request));
  (void)printf("%s will continue with %d other value%s after its current step\n", who, n, n > 1 ? "s" : "");
  (void)fflush(stdout);
  return wait ? wait_for_answer(dir, request) : TRIAD_OK;
}

static int set(int argc, char **argv)
{
  int wait = 0;
  const triad_option table[] = {{"--wait", NULL, &wait}, {NULL, NULL, NULL}};
  triad_arguments a;
  int st = triad_options_parse(argc, argv, table, &a);
  if (st == TRIAD_OK) st = triad_options_words(&a, "set", 2, TRIAD_MAX_ARGUMENTS, "a run directory and KEY=VALUE");
  if (st == TRIAD_OK) st = set_in(a.words[0], &a, wait);
  triad_message_print(-1);
  return st;
}

const triad_command triad_command_set = {
  .name = "set",
  .summary = "change parameters of a run in progress",
  .help =
    "Usage: triad set DIR KEY=VALUE... [--wait]\n"
    "\n"
    "Changes parameters of the run in this directory, for example triad set my-run time.end=20 "
    "equations.viscosity=1e-3.\n"
    "After its current step the run writes a checkpoint and continues from it with the new case, as after a stop and "
    "a\n"
    "start. Numbers and flags of [time] and [output], and coefficients of [equations], [forcing] and [solver] can "
    "change;\n"
    "for other keys the exit code is 65. The change is recorded in the log, case.resolved.toml, case.changes.csv,\n"
    "case.set.csv and the column `case` of series.csv. A restart keeps it, unless the case file or --set give the key\n"
    "another new value.\n"
    "\n"
    "  --wait   return when the run has accepted or refused the change\n",
  .alone = 1,
  .run = set};
