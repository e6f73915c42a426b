#include "run/loop/run.h"

#include "base/version.h"
#include "command/command.h"
#include "command/rundir.h"
#include "command/session.h"
#include "run/store/disk.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* The one thing that a signal handler can reach. */
static volatile int request = TRIAD_REQUEST_NONE;

static void ask(int number)
{
  int wish = number == SIGUSR2 ? TRIAD_REQUEST_SAVE : TRIAD_REQUEST_STOP;
  if (wish > request) request = wish;
}

static int listen_to_signals(void)
{
  static const int numbers[] = {SIGUSR1, SIGUSR2, SIGTERM, SIGINT, SIGXCPU};
  struct sigaction action = {.sa_handler = ask, .sa_flags = SA_RESTART};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (sigaction(numbers[i], &action, NULL) != 0) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "sigaction");
  return TRIAD_OK;
}

static int start(triad_session *s, const triad_arguments *a, const char *dir, int argc, char **argv)
{
  char path[TRIAD_PATH];
  TRIAD_TRY(triad_session_check(s));
  TRIAD_TRY(triad_rundir_prepare(s, dir, argc, argv));
  int st = triad_disk_path(path, "%s/log.txt", dir);
  if (st == TRIAD_OK) st = triad_log_file(s->log, path);
  if (st == TRIAD_OK) st = listen_to_signals();
  TRIAD_TRY(triad_agree(&s->comm, st));
  triad_log_info(s->log, "%s: %s", triad_version_text(), a->words[0]);
  triad_binding_log(s->binding, s->log);
  triad_run_options options = {.dir = dir, .log = s->log, .request = &request};
  return triad_run(s->context, s->given, &options);
}

static int run_case(triad_session *s, const triad_arguments *a, const char *dir, int argc, char **argv)
{
  int st = a->n_words == 1 ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_USAGE, "triad run wants one case file; see triad run --help");
  TRIAD_TRY(triad_agree(&s->comm, st));
  TRIAD_TRY(triad_session_case(s, a->words[0], a));
  char *own = dir ? NULL : triad_rundir_default(a->words[0]);
  st = dir || own ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the run directory's name");
  st = triad_agree(&s->comm, st);
  if (st == TRIAD_OK) st = start(s, a, dir ? dir : own, argc, argv);
  free(own);
  return st;
}

static int run(int argc, char **argv)
{
  const char *dir = NULL;
  const triad_option table[] = {{"--dir", &dir, NULL}, {NULL, NULL, NULL}};
  triad_session s;
  triad_arguments a;
  int st = triad_session_begin(&s, argc, argv, table, &a);
  if (st == TRIAD_OK) st = run_case(&s, &a, dir, argc, argv);
  return triad_session_end(&s, st);
}

const triad_command triad_command_run = {
    .name = "run",
    .summary = "run a case, or resume it from its newest checkpoint",
    .help = "Usage: triad run CASE.toml [--dir DIR] [--set KEY=VALUE]...\n\n"
            "Runs the case and writes everything into its run directory: case.toml, case.resolved.toml,\n"
            "provenance.json, log.txt, series.csv, spectra/, checkpoints/ and fields/. The same command resumes a run\n"
            "that was stopped, and says so when there is nothing left to do.\n\n"
            "  --dir DIR          the run directory (default: the case's name without .toml, here)\n"
            "  --set KEY=VALUE    change a key of the case, as in --set time.end=20\n"
            "  -q, -v             say less, say more;  --log-format=jsonl  one JSON object a line\n\n"
            "Signals: SIGUSR1, SIGTERM, SIGINT and SIGXCPU save a checkpoint and stop (exit 75); SIGUSR2 saves and\n"
            "goes on. On P ranks: mpirun -n P triad run CASE.toml\n",
    .run = run};
