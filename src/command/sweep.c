#include "command/sweep.h"

#include "run/check.h"
#include "run/run.h"
#include "store/disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The arguments of one run: those of all, and its values, malloc'd: "KEY=VALUE". */
static int arguments_of(const triad_sweep *sweep, int run, const triad_arguments *all, triad_arguments *out)
{
  *out = *all;
  if (all->n_sets + sweep->n_keys > TRIAD_MOST_ARGUMENTS)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "more than %d times --set and --sweep", TRIAD_MOST_ARGUMENTS);
  for (int k = 0; k < sweep->n_keys; k++) {
    char *text = NULL;
    if (asprintf(&text, "%s=%s", sweep->keys[k].key, triad_sweep_value(sweep, run, k)) < 0)
      return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the values of a run");
    out->sets[out->n_sets++] = text;
  }
  return TRIAD_OK;
}

static void arguments_clear(const triad_arguments *all, triad_arguments *out)
{
  for (int i = all->n_sets; i < out->n_sets; i++) free((char *)(uintptr_t)out->sets[i]);
}

/* Every case, before anything is written: what its keys and its solver say. On rank 0. */
static int check_all(const triad_session *s, const triad_arguments *a, const triad_sweep *sweep, int ranks)
{
  for (int run = 0; run < sweep->n_runs; run++) {
    triad_arguments own;
    triad_case *given = NULL;
    triad_needs needs;
    int st = arguments_of(sweep, run, a, &own);
    if (st == TRIAD_OK) st = triad_case_parse(&given, a->words[0], s->text, s->text_length, own.sets, own.n_sets);
    if (st == TRIAD_ERR_CASE && given) (void)fprintf(stderr, "%s", triad_case_errors(given));
    if (st == TRIAD_OK) st = triad_check(given, ranks, 1, &needs);
    if (st == TRIAD_ERR_CASE) (void)TRIAD_FAIL(st, "run-%03d of the sweep is no case that can run", run + 1);
    triad_case_destroy(&given);
    arguments_clear(a, &own);
    if (st != TRIAD_OK) return st;
  }
  return TRIAD_OK;
}

/* The folder of all is not a run's own. */
static int check_place(const char *dir)
{
  char path[TRIAD_PATH];
  TRIAD_TRY(triad_disk_path(path, "%s/case.resolved.toml", dir));
  if (access(path, F_OK) != 0) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%.500s holds a run, and the runs of a sweep want a folder of their own: give another "
                                    "--dir", dir);
}

typedef struct group {
  triad_session *all;
  const triad_arguments *arguments;
  const triad_sweep *sweep;
  const char *dir;
  triad_sweep_one *one;
  void *who;
  triad_comm comm; /* of the ranks that take a run together */
  int number, n;   /* this group's, and how many there are  */
  triad_log *log;  /* its first rank speaks                 */
  int *codes;      /* [n_runs]                              */
} group;

static int run_one(group *g, int run, const triad_arguments *own)
{
  triad_session s = {.takes_tuned = 1, .threads = triad_binding_threads(g->all->binding)};
  triad_log_options log = g->arguments->log;
  char dir[TRIAD_PATH];
  if (log.level < TRIAD_LOG_DETAIL) log.level = TRIAD_LOG_ERROR; /* all of it is in its own log.txt */
  s.comm = (triad_comm){MPI_COMM_NULL, 0, 1};
  int st = triad_disk_path(dir, "%s/run-%03d", g->dir, run + 1);
  if (st == TRIAD_OK) st = triad_comm_create(&s.comm, g->comm.mpi);
  if (st == TRIAD_OK) st = triad_session_open(&s, &log);
  if (st == TRIAD_OK) st = triad_session_case_text(&s, own->words[0], g->all->text, own);
  if (st == TRIAD_OK) st = g->one(&s, own, dir, g->who);
  if (st != TRIAD_OK && s.comm.rank == 0) triad_message_print(-1);
  triad_message_clear();
  triad_session_close(&s);
  return st;
}

static void tell(const group *g, int run, int code)
{
  char text[512] = "";
  for (int k = 0; k < g->sweep->n_keys; k++) {
    size_t n = strlen(text);
    (void)snprintf(text + n, sizeof text - n, " %s=%s", g->sweep->keys[k].key, triad_sweep_value(g->sweep, run, k));
  }
  if (code == TRIAD_OK) triad_log_info(g->log, "run-%03d finished:%s", run + 1, text);
  else triad_log_warning(g->log, "run-%03d ended with exit code %d:%s", run + 1, code, text);
}

/* Every n-th run, until a stop is asked for on any rank of the group. */
static int run_mine(group *g, const volatile sig_atomic_t *request)
{
  for (int run = g->number; run < g->sweep->n_runs; run += g->n) {
    int stop = *request == TRIAD_REQUEST_STOP;
    triad_arguments own;
    TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &stop, 1, MPI_INT, MPI_MAX, g->comm.mpi)));
    if (stop) break;
    int st = triad_agree(&g->comm, arguments_of(g->sweep, run, g->arguments, &own));
    if (st == TRIAD_OK) g->codes[run] = run_one(g, run, &own);
    arguments_clear(g->arguments, &own);
    TRIAD_TRY(st);
    tell(g, run, g->codes[run]);
  }
  return TRIAD_OK;
}

/* What has come of all; a run that was not begun is one that was stopped. */
static int gather(const group *g)
{
  const triad_comm *comm = &g->all->comm;
  int worst = TRIAD_OK, n = g->sweep->n_runs;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, g->codes, n, MPI_INT, MPI_MAX, comm->mpi)));
  /* where no run came to make its folder there is nothing to tell */
  int there = comm->rank == 0 && access(g->dir, F_OK) == 0;
  TRIAD_TRY(triad_agree(comm, there ? triad_sweep_table(g->sweep, g->dir, g->codes) : TRIAD_OK));
  for (int run = 0; run < n; run++) {
    int code = g->codes[run] < 0 ? TRIAD_STOPPED : g->codes[run];
    if (code > worst) worst = code;
  }
  if (there) triad_log_info(g->all->log, "%d runs on %d group%s of ranks: %s/ensemble.csv", n, g->n, g->n > 1 ? "s" : "", g->dir);
  return worst;
}

static int work(group *g, const volatile sig_atomic_t *request)
{
  const triad_comm *comm = &g->all->comm;
  triad_log_options log = g->arguments->log;
  MPI_Comm part = MPI_COMM_NULL;
  for (int run = 0; run < g->sweep->n_runs; run++) g->codes[run] = -1;
  TRIAD_TRY(TRIAD_MPI(MPI_Comm_split(comm->mpi, g->number, comm->rank, &part)));
  int st = triad_comm_create(&g->comm, part);
  (void)MPI_Comm_free(&part);
  log.rank = g->comm.rank;
  if (st == TRIAD_OK) st = triad_log_create(&g->log, &log);
  TRIAD_TRY(triad_agree(comm, st));
  st = run_mine(g, request);
  TRIAD_TRY(triad_agree(comm, st));
  return gather(g);
}

int triad_sweep_run(triad_session *all, const triad_arguments *a, const triad_sweep *sweep, const char *dir,
                    triad_sweep_one *one, void *who, const volatile sig_atomic_t *request)
{
  const triad_comm *comm = &all->comm;
  group g = {.all = all, .arguments = a, .sweep = sweep, .dir = dir, .one = one, .who = who,
             .n = comm->size < sweep->n_runs ? comm->size : sweep->n_runs};
  g.number = (int)((int64_t)comm->rank * g.n / comm->size);
  g.comm = (triad_comm){MPI_COMM_NULL, 0, 1};
  TRIAD_TRY(triad_session_text(all, a->words[0]));
  int st = comm->rank == 0 ? check_place(dir) : TRIAD_OK;
  if (st == TRIAD_OK && comm->rank == 0) st = check_all(all, a, sweep, (comm->size + g.n - 1) / g.n);
  TRIAD_TRY(triad_agree(comm, st));
  g.codes = malloc((size_t)sweep->n_runs * sizeof *g.codes);
  st = triad_agree(comm, g.codes ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the runs of a sweep"));
  if (st == TRIAD_OK) st = work(&g, request);
  triad_log_destroy(&g.log);
  triad_comm_destroy(&g.comm);
  free(g.codes);
  return st;
}
