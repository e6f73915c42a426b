/* triad tune: time a case with other numbers of chunks in flight, transports and threads, one kind after the other, and
 * store settings that are faster than the defaults. */
#include "command/command.h"
#include "case/case_tune.h"
#include "case/case_write.h"
#include "command/session/session.h"
#include "command/tune/tune_sizes.h"
#include "run/bench/bench.h"
#include "run/check.h"
#include "solvers/solver.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 10, DUELS = 3 };
#define WORTH 0.98 /* of the default's time: less than this is noise, and not kept */

typedef struct tuner {
  triad_session *session;
  const triad_arguments *arguments;
  const triad_solver *solver;
  const char *path;
  int steps, threads, on_gpu, offload;
  int default_streams; /* chunks in flight by default */
  triad_tuned best;
  double default_s; /* of the default, fastest so far */
  triad_bench_result best_result;
} tuner;

enum { COLUMN = 10, LINE = 512 };

/* Append a column of a phase to a line of the table: its name, or its time in ms. */
static size_t put_column(char *line, size_t at, const triad_phase_row *row, const triad_phases *times)
{
  const int width = strlen(row->name) > COLUMN ? (int)strlen(row->name) : COLUMN;
  const int n = times ? snprintf(line + at, LINE - at, " %*.3f", width, 1e3 * times->s[row->slot])
                      : snprintf(line + at, LINE - at, " %*s", width, row->name);
  return n > 0 && at + (size_t)n < LINE ? at + (size_t)n : at;
}

static void print_head(const tuner *t)
{
  const triad_phase_list *list = triad_solver_phases(t->solver);
  char line[LINE] = "";
  size_t at = 0;
  for (int i = 0; i < list->n; i++) at = put_column(line, at, &list->row[i], NULL);
  triad_log_info(t->session->log, "%-9s %9s %8s %10s%s   [ms]", "transport", "nstreams", "threads", "total", line);
}

static void print_row(const tuner *t, const char *what, int threads, const triad_bench_result *r)
{
  char line[LINE] = "";
  size_t at = 0;
  for (int i = 0; i < r->phase_list->n; i++) at = put_column(line, at, &r->phase_list->row[i], &r->phases);
  triad_log_info(t->session->log, "%-9s %9d %8d %10.3f%s", what, r->nstreams, threads, 1e3 * r->median_s, line);
}

/* Time the case with `settings` in the keys it leaves open. Collective. */
static int measure(tuner *t, const triad_tuned *settings, const char *device, triad_bench_result *r)
{
  triad_session *s = t->session;
  triad_case *given = NULL;
  triad_bench_options o = {.steps = t->steps};
  int st = triad_case_parse(&given, t->path, s->text, s->text_length, t->arguments->sets, t->arguments->n_sets);
  if (st == TRIAD_OK) st = triad_tuned_put(given, settings, "triad tune");
  if (st == TRIAD_OK && device) st = triad_case_tune(given, "parallel.device", device, "triad tune");
  st = triad_agree(&s->comm, st);
  s->context->threads = settings->threads > 0 ? settings->threads : t->threads;
  if (st == TRIAD_OK) st = triad_bench(s->context, given, &o, r);
  s->context->threads = t->threads;
  triad_case_destroy(&given);
  return st;
}

/* Time it, print its row under this name, NULL: the transport's; keep it if it is the fastest so far. */
static int try_named(tuner *t, const char *name, const triad_tuned *settings)
{
  triad_bench_result r;
  TRIAD_TRY(measure(t, settings, NULL, &r));
  print_row(t, name ? name : r.transport, settings->threads > 0 ? settings->threads : t->threads, &r);
  if (r.median_s < t->best_result.median_s) {
    t->best = *settings;
    t->best_result = r;
  }
  return TRIAD_OK;
}

static int try_settings(tuner *t, const triad_tuned *settings) { return try_named(t, NULL, settings); }

static int has_transports(const triad_solver *solver) { return solver->tune && solver->tune->transports; }

static int sweep_transports(tuner *t)
{
  const char *names[TRIAD_MOST_TRANSPORTS];
  int n = 0;
  if (!has_transports(t->solver) || !t->on_gpu || t->offload || t->session->comm.size == 1 ||
      !triad_case_is(t->session->given, "parallel.transport", "auto"))
    return TRIAD_OK;
  TRIAD_TRY(t->solver->tune->transports(t->session->context, names, &n));
  for (int i = 0; i < n; i++) {
    triad_tuned settings = t->best;
    if (strcmp(names[i], t->best_result.transport) == 0) continue; /* by "auto" */
    (void)snprintf(settings.transport, sizeof settings.transport, "%s", names[i]);
    TRIAD_TRY(try_settings(t, &settings));
  }
  return TRIAD_OK;
}

/* Can the case be run with these settings? What it asks for may not go with ranks that share planes. Collective. */
static int fits(tuner *t, const triad_tuned *settings, int *all)
{
  triad_session *s = t->session;
  triad_case *given = NULL;
  triad_needs needs = {.brief = s->comm.rank > 0};
  int st = triad_case_parse(&given, t->path, s->text, s->text_length, t->arguments->sets, t->arguments->n_sets);
  if (st == TRIAD_OK) st = triad_tuned_put(given, settings, "triad tune");
  if (st == TRIAD_OK) st = triad_check(given, s->comm.size, s->context->threads, &needs);
  const int good = st == TRIAD_OK;
  if (st != TRIAD_OK && st != TRIAD_ERR_MEMORY) triad_message_clear();
  triad_case_destroy(&given);
  TRIAD_TRY(triad_agree(&s->comm, st == TRIAD_ERR_MEMORY ? st : TRIAD_OK));
  return TRIAD_MPI(MPI_Allreduce(&good, all, 1, MPI_INT, MPI_MIN, s->comm.mpi));
}

/* Groups of ranks that share planes: some of the sizes that divide the ranks. */
static int sweep_splits(tuner *t)
{
  enum { MOST = 6 };
  int64_t split[2];
  const int size = t->session->comm.size;
  int tried = 0;
  if (t->offload || !triad_case_applies(t->session->given, "parallel.split")) return TRIAD_OK;
  triad_case_integers(t->session->given, "parallel.split", split, 2);
  if (split[0] != 0 || split[1] != 0) return TRIAD_OK;
  triad_tuned settings = t->best;
  for (int group = 2; group <= size && tried < MOST; group++) {
    int good = 0;
    settings.group = group;
    if (size % group == 0) TRIAD_TRY(fits(t, &settings, &good));
    if (!good) continue;
    char name[32];
    (void)snprintf(name, sizeof name, "%dx%d", size / group, group);
    TRIAD_TRY(try_named(t, name, &settings));
    tried++;
  }
  return TRIAD_OK;
}

/* Number of groups over which planes are distributed: ranks, unless ranks share planes by the case or by the best
 * choice so far. */
static int groups(const tuner *t)
{
  int64_t split[2] = {0, 0};
  if (triad_case_applies(t->session->given, "parallel.split"))
    triad_case_integers(t->session->given, "parallel.split", split, 2);
  if (split[0] > 0) return (int)split[0];
  return t->session->comm.size / (t->best.group > 0 ? t->best.group : 1);
}

/* Time settings with each number of chunks, under this name (NULL: the transport's). */
static int sweep_streams_of(tuner *t, const char *name, const triad_tuned *with, int by_default)
{
  static const int counts[] = {1, 2, 3, 4, 6, 8, 12, 16};
  int64_t n[3];
  const int size = groups(t);
  if (!t->solver->transform) return TRIAD_OK; /* others send halos, not chunks of planes */
  triad_case_integers(t->session->given, "grid.n", n, 3);
  if (triad_case_integer(t->session->given, "parallel.nstreams") != 0 || (!t->on_gpu && size == 1)) return TRIAD_OK;
  triad_tuned settings = *with;
  for (size_t i = 0; i < sizeof counts / sizeof *counts && 2 * counts[i] <= (n[2] + size - 1) / size + 1; i++) {
    if (size == 1 && !t->offload && counts[i] > 4) break; /* nothing travels: streams only fill the GPU's gaps */
    if (counts[i] == by_default) continue;
    settings.nstreams = counts[i];
    TRIAD_TRY(try_named(t, name, &settings));
  }
  return TRIAD_OK;
}

static int sweep_streams(tuner *t)
{
  const triad_tuned best = t->best;
  return sweep_streams_of(t, NULL, &best, t->best_result.nstreams);
}

/* One word of a key of the solver. Chunks have another best number with it: those are tried again. */
static int try_word(tuner *t, const triad_tunable *k, const char *word, const triad_tuned *settings)
{
  int good = 1;
  if (k->serves && !k->serves(word, t->session->comm.size, t->on_gpu)) return TRIAD_OK;
  if (k->streams) TRIAD_TRY(fits(t, settings, &good));
  if (!good) return TRIAD_OK;
  triad_tuned first = *settings;
  if (k->streams) first.nstreams = 0;
  TRIAD_TRY(try_named(t, word, &first));
  return k->streams ? sweep_streams_of(t, word, &first, t->default_streams) : TRIAD_OK;
}

/* Does the case have this value of a key, by default? */
static int has_value(const triad_case *given, const char *key, const char *word)
{
  char *value = triad_case_value(given, key);
  const size_t n = strlen(word);
  const int same = value && (strcmp(value, word) == 0 ||
                             (value[0] == '"' && strncmp(value + 1, word, n) == 0 && strcmp(value + 1 + n, "\"") == 0));
  free(value);
  return same;
}

/* The solver's own keys, one after the other, each with the best of those before it. */
static int sweep_own(tuner *t)
{
  for (const triad_tunable *k = t->solver->tune ? t->solver->tune->tunables : NULL; k && k->key; k++) {
    triad_tuned settings = t->best;
    if (triad_case_given(t->session->given, k->key) || settings.n_own == TRIAD_TUNED_MAX) continue;
    if (triad_case_flag(t->session->given, "parallel.reproducible")) continue; /* triad_tuned_apply takes none */
    triad_tuned_own *own = &settings.own[settings.n_own++];
    (void)snprintf(own->key, sizeof own->key, "%s", k->key);
    for (int i = 0; i < TRIAD_TUNABLE_WORDS && k->words[i]; i++) {
      if (has_value(t->session->given, k->key, k->words[i])) continue;
      (void)snprintf(own->word, sizeof own->word, "%s", k->words[i]);
      TRIAD_TRY(try_word(t, k, k->words[i], &settings));
    }
  }
  return TRIAD_OK;
}

static int sweep_threads(tuner *t)
{
  if (t->on_gpu || triad_case_integer(t->session->given, "parallel.threads") != 0 || getenv("OMP_NUM_THREADS"))
    return TRIAD_OK;
  int most = t->threads, least = t->threads;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&t->threads, &most, 1, MPI_INT, MPI_MAX, t->session->comm.mpi)));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(&t->threads, &least, 1, MPI_INT, MPI_MIN, t->session->comm.mpi)));
  if (most != least) return TRIAD_OK; /* ranks differ: no one number is better than each one's own */
  triad_tuned settings = t->best;
  for (int n = most / 2; n >= 1 && n >= most / 8; n /= 2) {
    settings.threads = n;
    TRIAD_TRY(try_settings(t, &settings));
  }
  return TRIAD_OK;
}

/* By turns against the default, so that a change of the machine's mood falls on both. Without a clear win, default. */
static int duel(tuner *t)
{
  const triad_tuned plain = {.transport = "auto"};
  double mine = triad_tuned_is_default(&t->best) ? t->default_s : 1e300, other = t->default_s;
  triad_bench_result r;
  for (int i = 0; i < DUELS && !triad_tuned_is_default(&t->best); i++) {
    TRIAD_TRY(measure(t, &plain, NULL, &r));
    other = i == 0 || r.median_s < other ? r.median_s : other;
    TRIAD_TRY(measure(t, &t->best, NULL, &r));
    mine = r.median_s < mine ? r.median_s : mine;
  }
  if (mine > WORTH * other) {
    t->best = plain;
    mine = other;
  }
  t->best.default_s = other;
  t->best.step_s = mine;
  return TRIAD_OK;
}

static int sweep(tuner *t)
{
  triad_bench_result cpu;
  print_head(t);
  t->best = (triad_tuned){.transport = "auto"};
  t->best_result.median_s = 1e300;
  TRIAD_TRY(try_settings(t, &t->best));
  t->default_s = t->best_result.median_s;
  t->default_streams = t->best_result.nstreams;
  t->on_gpu = strcmp(t->best_result.device, "cpu") != 0;
  t->offload = triad_case_is(t->session->given, "parallel.device", "offload");
  TRIAD_TRY(sweep_transports(t));
  TRIAD_TRY(sweep_splits(t));
  TRIAD_TRY(sweep_streams(t));
  TRIAD_TRY(sweep_own(t));
  TRIAD_TRY(sweep_threads(t));
  if (t->on_gpu) {
    const triad_tuned plain = {.transport = "auto"};
    TRIAD_TRY(measure(t, &plain, "cpu", &cpu));
    print_row(t, "(cpu)", t->threads, &cpu);
  }
  return duel(t);
}

static int write_best(const tuner *t, const char *file)
{
  triad_session *s = t->session;
  triad_tuned_key key;
  char folder[4096], own[TRIAD_TUNED_TEXT];
  const char *slash = file ? strrchr(file, '/') : NULL, *name = slash ? slash + 1 : file ? file : "tune.toml";
  TRIAD_TRY(triad_tuned_key_of(s, &key));
  triad_tuned_folder(file ? file : t->path, folder, sizeof folder);
  int st = s->comm.rank == 0 ? triad_tuned_write(folder, name, &key, &t->best) : TRIAD_OK;
  TRIAD_TRY(triad_agree(&s->comm, st));
  if (triad_tuned_is_default(&t->best))
    triad_log_info(s->log, "no setting is clearly faster than the default: recorded in %s/%s", folder, name);
  else
    triad_log_info(s->log,
                   "best: nstreams %d, transport %s, threads %d (0, auto: default)%s: %.3f ms per step, default %.3f "
                   "ms; written to %s/%s",
                   t->best.nstreams, t->best.transport, t->best.threads, triad_tuned_own_text(&t->best, own),
                   1e3 * t->best.step_s, 1e3 * t->best.default_s, folder, name);
  if (t->best.group > 0)
    triad_log_info(s->log, "best: parallel.split = [%d, %d]", s->comm.size / t->best.group, t->best.group);
  return TRIAD_OK;
}

typedef struct choices {
  const char *steps, *file, *sizes;
} choices;

static int tune(triad_session *s, triad_arguments *a, void *self)
{
  const choices *c = self;
  tuner t = {.session = s, .arguments = a, .path = a->words[0], .steps = STEPS};
  triad_needs needs;
  int st = triad_options_words(a, "tune", 1, 1, "one case file");
  if (st == TRIAD_OK && c->steps) st = triad_options_count("--steps", c->steps, &t.steps);
  TRIAD_TRY(triad_agree(&s->comm, st));
  TRIAD_TRY(triad_session_case(s, t.path, a));
  if (c->sizes) return triad_tune_sizes(s, a, t.path, c->sizes);
  TRIAD_TRY(triad_session_check(s, &needs));
  TRIAD_TRY(triad_solver_find(&t.solver, s->given));
  if (!t.solver->tune)
    TRIAD_TRY(triad_agree(&s->comm, TRIAD_FAIL(TRIAD_ERR_FEATURE, "solver %s has no settings to tune",
                                               triad_case_word(s->given, "equations.solver"))));
  t.threads = s->context->threads;
  triad_binding_log(s->binding, s->log);
  TRIAD_TRY(sweep(&t));
  return write_best(&t, c->file);
}

static int run_tune(int argc, char **argv)
{
  choices c = {NULL, NULL, NULL};
  const triad_option table[] = {
    {"--steps", &c.steps, NULL}, {"--file", &c.file, NULL}, {"--sizes", &c.sizes, NULL}, {NULL, NULL, NULL}};
  return triad_session_run(argc, argv, table, tune, &c);
}

const triad_command triad_command_tune = {
  .name = "tune",
  .summary = "find the fastest settings for a case on this machine",
  .help =
    "Usage: triad tune CASE.toml [--steps N] [--file FILE] [--set KEY=VALUE]...\n"
    "       triad tune CASE.toml --sizes N,N,... [--set KEY=VALUE]...\n"
    "\n"
    "Times steps of the case with different settings and keeps the best. It varies those of parallel.transport,\n"
    "parallel.split, parallel.nstreams and parallel.threads that the case leaves open. In spectral solvers on GPUs it\n"
    "also varies parallel.lines, each with every number of chunks. On several ranks it varies parallel.blocks,\n"
    "solver.overlap, parallel.cut and parallel.pieces. On meshes it varies grid.loops, grid.numbering and, on several\n"
    "ranks, grid.partition. Results with different values of these keys are equal to rounding.\n"
    "It prints one row for each setting with the time in each phase, and\n"
    "on GPUs one row for the CPUs. The best and the default are then timed again, alternately. If the best is 2 %\n"
    "faster, it is written to tune.toml next to the case, for this kind of node and GPU, solver, grid, precision\n"
    "and number of ranks. triad run and triad bench use it and report that they do.\n"
    "On P ranks: mpirun -n P triad tune CASE.toml\n"
    "\n"
    "With --sizes nothing is timed. The case takes a step on thin grids with lines of those lengths along every "
    "axis, so\n"
    "that GPU kernels which are not built in are compiled and stored for later runs.\n"
    "\n"
    "  --steps N          number of steps to time for each row (default 10)\n"
    "  --file FILE        write to FILE; ~/.cache/triad/tune.toml serves all cases of a user\n"
    "  --sizes N,N,...    numbers of points along an axis, from 16 to 4096, without prime factors above 13\n"
    "  --set KEY=VALUE    change a key of the case\n"
    "  -q, -v             print less, print more;  --log-format=jsonl  print one JSON object a line\n",
  .run = run_tune};
