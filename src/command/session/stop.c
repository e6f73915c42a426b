/* The command `triad stop`: write the stop file and wait until the run has ended. */
#include "command/command.h"
#include "command/options.h"
#include "command/session/rundir.h"
#include "run/stop_requests.h"

#include <stdio.h>
#include <time.h>

static int ask_to_stop(const char *dir)
{
  char who[400];
  int alive = 0;
  TRIAD_TRY(triad_rundir_check(dir));
  int st = triad_lock_holder(dir, who, &alive);
  if (st == TRIAD_ERR_INPUT || (st == TRIAD_OK && alive == 0)) {
    (void)printf("nothing is running in %.500s%s%s\n", dir, st == TRIAD_OK ? ": the lock was left by " : "",
                 st == TRIAD_OK ? who : "");
    return TRIAD_OK;
  }
  TRIAD_TRY(st);
  char text[600];
  int length = snprintf(text, sizeof text, "This file asks the run in this directory to save and stop: %s\n", who);
  TRIAD_TRY(triad_disk_replace_shared(dir, TRIAD_STOP_FILE, text, length));
  (void)printf("%s will save and stop after its current step\n", who);
  return TRIAD_OK;
}

/* Until the lock is gone, or its process has ended. */
static int wait_for_end(const char *dir)
{
  const struct timespec pause = {0, 200 * 1000 * 1000};
  char who[400];
  for (;;) {
    int alive = 0, st = triad_lock_holder(dir, who, &alive);
    if (st == TRIAD_ERR_INPUT) return TRIAD_OK;
    TRIAD_TRY(st);
    if (alive == 0) return TRIAD_FAIL_PLAIN(TRIAD_ERR_IO, "%s has ended without cleaning up: see its log", who);
    (void)nanosleep(&pause, NULL);
  }
}

static int stop(int argc, char **argv)
{
  int wait = 0;
  const triad_option table[] = {{"--wait", NULL, &wait}, {NULL, NULL, NULL}};
  triad_arguments a;
  int st = triad_options_parse(argc, argv, table, &a);
  if (st == TRIAD_OK) st = triad_options_words(&a, "stop", 1, 1, "one run directory");
  if (st == TRIAD_OK) st = ask_to_stop(a.words[0]);
  if (st == TRIAD_OK && wait) st = wait_for_end(a.words[0]);
  triad_message_print(-1);
  return st;
}

const triad_command triad_command_stop = {.name = "stop",
                                          .summary = "ask the run in a directory to save and stop",
                                          .help =
                                            "Usage: triad stop DIR [--wait]\n"
                                            "\n"
                                            "Asks the run in this directory to write a checkpoint after its current "
                                            "step and to stop with exit code 75. The same\n"
                                            "`triad run` resumes it. Works from any machine that sees the directory.\n"
                                            "\n"
                                            "  --wait   return when the run has ended\n",
                                          .alone = 1,
                                          .run = stop};
