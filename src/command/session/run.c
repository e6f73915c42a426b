/* The command `triad run`: options, signals, and the start of one run or of a sweep. */
#include "run/run.h"

#include "base/clock.h"
#include "command/command.h"
#include "command/report.h"
#include "command/session/rundir.h"
#include "command/session/session.h"
#include "command/session/start.h"
#include "command/sweep/sweep.h"
#include "command/sweep/sweep_values.h"
#include "run/loop_change.h"
#include "parallel/fibers.h"
#include "run/check.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum { ABORT_WITHIN = 5 /* seconds between two SIGINT */ };

/* What a signal handler can reach, and nothing else. */
static volatile sig_atomic_t request = TRIAD_REQUEST_NONE;
static volatile sig_atomic_t interrupted;
static volatile sig_atomic_t interrupted_at; /* [s] */

static int limited; /* --max-walltime has stopped a run of this process */

/* A second Ctrl-C soon after the first: the user does not want to wait. */
static void ask_or_abort(void)
{
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now); /* safe in a handler */
  if (interrupted && now.tv_sec - interrupted_at <= ABORT_WITHIN) {
    (void)signal(SIGINT, SIG_DFL);
    (void)raise(SIGINT);
  }
  interrupted = 1;
  interrupted_at = (sig_atomic_t)now.tv_sec;
}

/* Set by those signals after which a launcher or a batch system gives a process a few seconds. */
static volatile sig_atomic_t hurry = 0;

static void ask(int number)
{
  if (number != SIGUSR1 && number != SIGUSR2) hurry = 1;
  int asked = number == SIGUSR2 ? TRIAD_REQUEST_SAVE : TRIAD_REQUEST_STOP;
  if (number == SIGINT) ask_or_abort();
  if (asked > request) request = asked;
}

static int listen_to_signals(void)
{
  static const int numbers[] = {SIGUSR1, SIGUSR2, SIGTERM, SIGINT, SIGXCPU, SIGQUIT, SIGHUP};
  struct sigaction action = {.sa_handler = ask, .sa_flags = SA_RESTART | SA_NODEFER}, before;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    /* with nohup a run continues when its terminal is closed */
    if (numbers[i] == SIGHUP && sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    if (sigaction(numbers[i], &action, NULL) != 0) return TRIAD_FAIL(TRIAD_ERR_INTERNAL, "sigaction");
  }
  return TRIAD_OK;
}

typedef struct choices {
  const char *dir, *walltime, *at_once;
  int sweeps, break_lock, strict, from_start, new_case, argc;
  char **argv;
  double began;
} choices;

static int work(triad_start *x, const choices *o, const triad_needs *needs, volatile sig_atomic_t *asked)
{
  triad_session *s = x->session;
  triad_run_options options = {.dir = x->dir,
                               .log = s->log,
                               .request = asked,
                               .limited = &limited,
                               .began = o->began,
                               .strict = o->strict,
                               .from_start = o->from_start,
                               .changes = s->changes,
                               .hooks = triad_start_hooks(x),
                               .checkpoint_bytes = needs->checkpoint_bytes};
  if (o->walltime) TRIAD_TRY(triad_options_duration("--max-walltime", o->walltime, &options.walltime));
  return triad_run(s->context, s->given, &options);
}

/* $TRIAD_REPORT = 0, no, off or false: none, whatever the case says. */
static int wants_report(const triad_case *given)
{
  static const char *const refusals[] = {"0", "no", "off", "false"};
  const char *said = getenv("TRIAD_REPORT");
  for (size_t i = 0; said && i < sizeof refusals / sizeof *refusals; i++)
    if (strcasecmp(said, refusals[i]) == 0) return 0;
  return triad_case_flag(given, "output.report");
}

/* Of what has run, finished or not. The other ranks wait: mpirun ends a job when one of them has left with a code that
 * is not 0. Collective. */
static void report(triad_session *s, const char *dir, int status)
{
  if (status != TRIAD_OK && status != TRIAD_STOPPED && status != TRIAD_ERR_BLOWUP) return;
  if (s->comm.rank == 0 && wants_report(s->given)) triad_report_after_run(dir, s->log, &hurry);
  (void)MPI_Barrier(s->comm.mpi);
}

/* Of the grid; 0 where the case has none by its points. */
static double points_of(const triad_case *given)
{
  int64_t n[3];
  if (!triad_case_applies(given, "grid.n")) return 0;
  triad_case_integers(given, "grid.n", n, 3);
  return (double)n[0] * (double)n[1] * (double)n[2];
}

static int start(triad_session *s, const triad_arguments *a, const choices *o, const char *dir,
                 volatile sig_atomic_t *asked)
{
  triad_needs needs;
  triad_lock *lock = NULL;
  triad_start x = {.session = s, .arguments = a, .dir = dir, .from_start = o->from_start, .new_case = o->new_case};
  TRIAD_TRY(triad_session_check(s, &needs));
  TRIAD_TRY(triad_run_strict(&s->comm, &(triad_run_options){.log = s->log, .strict = o->strict}));
  TRIAD_TRY(triad_agree(&s->comm, listen_to_signals()));
  TRIAD_TRY(triad_rundir_claim(s, dir, o->break_lock, &lock));
  int st = triad_start_open(&x, &needs, o->argc, o->argv);
  if (st == TRIAD_OK) st = work(&x, o, &needs, asked);
  triad_session_record(s, st);
  s->steps = (double)(x.provenance.to.step - x.provenance.from.step);
  s->work = points_of(s->given) * s->steps;
  triad_start_end(&x, st);
  /* a run that its wall-clock limit has stopped has no time left for it */
  if (!o->sweeps && (st != TRIAD_STOPPED || !o->walltime)) report(s, dir, st);
  triad_lock_give(&lock);
  return st;
}

static int start_one(triad_session *s, const triad_arguments *a, const char *dir, volatile sig_atomic_t *asked,
                     void *who)
{
  return start(s, a, who, dir, asked);
}

static int read_at_once(const choices *o, int *at_once)
{
  *at_once = 0;
  if (!o->at_once) return TRIAD_OK;
  if (!o->sweeps) return TRIAD_FAIL(TRIAD_ERR_USAGE, "--at-once requires --sweep");
  TRIAD_TRY(triad_options_count("--at-once", o->at_once, at_once));
  if (*at_once <= TRIAD_FIBERS_MAX) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_USAGE, "--at-once %d: at most %d runs can be computed at once in a process", *at_once,
                    TRIAD_FIBERS_MAX);
}

static int run_sweep(triad_session *s, const triad_arguments *a, choices *o, const char *dir, int at_once)
{
  triad_sweep sweep;
  int st = triad_agree(&s->comm, triad_sweep_parse(&sweep, a->repeated, a->n_repeated));
  sweep.from_start = o->from_start;
  sweep.new_case = o->new_case;
  sweep.limited = &limited;
  if (st == TRIAD_OK) st = triad_sweep_run(s, a, &sweep, dir, at_once, start_one, o, &request);
  triad_sweep_clear(&sweep);
  return st;
}

static int run_case(triad_session *s, triad_arguments *a, void *self)
{
  choices *o = self;
  double unused;
  int at_once = 0, st = triad_options_words(a, "run", 1, 1, "one case file");
  if (st == TRIAD_OK && o->walltime) st = triad_options_duration("--max-walltime", o->walltime, &unused);
  o->sweeps = a->n_repeated;
  if (st == TRIAD_OK) st = read_at_once(o, &at_once);
  TRIAD_TRY(triad_agree(&s->comm, st));
  s->takes_tuned = 1;
  char *own = o->dir ? NULL : triad_rundir_default(a->words[0]);
  st = o->dir || own ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the run directory's name");
  st = triad_agree(&s->comm, st);
  const char *dir = o->dir ? o->dir : own;
  if (!o->sweeps && !o->from_start) s->dir = dir;
  if (st == TRIAD_OK && !o->sweeps) st = triad_session_case(s, a->words[0], a);
  if (st == TRIAD_OK) st = !o->sweeps ? start(s, a, o, dir, &request) : run_sweep(s, a, o, dir, at_once);
  free(own);
  return st;
}

static int run_run(int argc, char **argv)
{
  choices o = {.argc = argc, .argv = argv, .began = triad_now()};
  const triad_option table[] = {{"--dir", &o.dir, NULL},
                                {"--sweep", NULL, NULL},
                                {"--at-once", &o.at_once, NULL},
                                {"--max-walltime", &o.walltime, NULL},
                                {"--break-lock", NULL, &o.break_lock},
                                {"--strict", NULL, &o.strict},
                                {"--new-case", NULL, &o.new_case},
                                {"--from-start", NULL, &o.from_start},
                                {NULL, NULL, NULL}};
  return triad_session_run(argc, argv, table, run_case, &o);
}

const triad_command triad_command_run = {
  .name = "run",
  .summary = "run a case: integrate, write, resume",
  .help =
    "Usage: triad run CASE.toml [--dir DIR] [--set KEY=VALUE]... [--sweep KEY=V,V..]...\n\nRuns the case. All output "
    "is written to the run directory: case.toml, case.resolved.toml, provenance.json, log.txt,\nseries.csv, spectra/, "
    "checkpoints/, fields/, and report.html if a suitable Python is found (triad report --help).\nThe same command "
    "resumes an interrupted run; if the run is complete, it says so.\n\n  --dir DIR          run directory (default: "
    "the case's name without .toml, in the current folder)\n  --set KEY=VALUE    change a key of the case, for example "
    "--set time.end=20\n  --sweep KEY=V,V    one run for each value, in DIR/run-001 and so on; given several times: "
    "one run for each\n                     combination, for example --sweep equations.viscosity=0.01,0.005 --sweep "
    "initial.seed=1..8.\n                     All cases are checked first. On P ranks P runs are computed side by "
    "side.\n                     DIR/ensemble.csv lists all runs.\n  --at-once N        in a sweep: advance N runs "
    "alternately in each process (default 1, at most 64), for small\n                     flows on a GPU; each run "
    "uses one rank\n  --max-walltime T   save a checkpoint and stop with exit 75 before T has passed: seconds, MM:SS, "
    "HH:MM:SS or\n                     D-HH:MM:SS, for example --max-walltime 23:50:00\n  --break-lock       take over "
    "a directory whose lock belongs to a run that has surely ended\n  --strict           treat warnings before the "
    "first step as errors (exit 65)\n  --new-case         continue in a directory whose run had another case file\n  "
    "--from-start       start at t = 0 in a directory that has a run; the old run moves to DIR/before-1\n  -q, -v      "
    "       print less, print more;  --log-format=jsonl  print one JSON object per line\n\nSignals: SIGUSR1, SIGTERM, "
    "SIGINT, SIGQUIT, SIGHUP and SIGXCPU save a checkpoint and stop (exit 75), as does\n`triad stop DIR`. SIGUSR2 "
    "saves a checkpoint and continues. A second SIGINT within 5 s ends at once, without saving.\nOn P ranks: mpirun -n "
    "P triad run CASE.toml\n",
  .run = run_run};
