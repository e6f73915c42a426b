/* Check all cases of a sweep, divide ranks and GPUs among groups, and run them. */
#include "command/sweep/sweep_group.h"

#include "base/clock.h"
#include "parallel/host/gpus.h"
#include "run/check.h"
#include "command/sweep/sweep_folders.h"
#include "command/sweep/sweep_table.h"
#include "run/resources.h"
#include "run/run.h"
#include "store/disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the runs want of GPUs: may any take one? Memory that the largest takes there, of those that will [bytes]. */
typedef struct wants {
  int32_t gpu;
  int64_t bytes;
} wants;

/* Every case, before anything is written: what its keys and its solver say. On rank 0. */
static int check_all(const triad_session *s, const triad_arguments *a, const triad_sweep *sweep, const char *dir,
                     int ranks, wants *w)
{
  for (int run = 0; run < sweep->n_runs; run++) {
    triad_arguments own;
    triad_case *given = NULL;
    triad_needs needs = {0};
    int st = triad_sweep_arguments(sweep, run, a, &own);
    if (st == TRIAD_OK) st = triad_case_parse(&given, a->words[0], s->text, s->text_length, own.sets, own.n_sets);
    if (st == TRIAD_ERR_CASE && given) (void)fprintf(stderr, "%s", triad_case_errors(given));
    if (st == TRIAD_OK) st = triad_check(given, ranks, 1, &needs);
    if (st == TRIAD_ERR_CASE) (void)TRIAD_FAIL(st, "run-%03d of the sweep is not a valid case", run + 1);
    if (st == TRIAD_OK) st = triad_sweep_check_folder(sweep, dir, run, s, &own);
    if (st == TRIAD_OK && !triad_case_is(given, "parallel.device", "cpu")) w->gpu = 1;
    if (st == TRIAD_OK && needs.gpu.n > 0 && needs.gpu.total > w->bytes) w->bytes = needs.gpu.total;
    triad_case_destroy(&given);
    triad_sweep_arguments_clear(a, &own);
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
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%.500s contains a run, but a sweep requires its own folder: use another --dir",
                    dir);
}

/* How many runs are under way in this process at a time: as the user says, or one: of flows that fill a GPU, and of
 * those that write much, others only wait (docs/notebook/ensembles.md). */
static int choose_at_once(triad_sweep_group *g, const wants *w, int asked)
{
  const int own = (g->sweep->n_runs - g->number + g->n - 1) / g->n;
  int fits;
  int64_t each;
  if (asked > 1 && g->all->comm.size != g->n)
    return TRIAD_FAIL(
      TRIAD_ERR_USAGE,
      "--at-once %d: runs on several ranks are computed one at a time: start at most %d ranks for %d runs", asked, g->n,
      g->sweep->n_runs);
  g->at_once = asked > 0 ? asked : 1;
  if (g->at_once > own) g->at_once = own;
  if ((g->at_once <= 1 && g->sharers <= 1) || w->bytes == 0 || g->gpu < 0) return TRIAD_OK;
  TRIAD_TRY(triad_resources_runs(g->gpu, g->sharers, w->bytes, &fits));
  if (g->at_once > fits && fits > 0)
    return TRIAD_FAIL_PLAIN(TRIAD_ERR_MEMORY,
                            "--at-once %d: GPU memory is sufficient for %d such runs of %.3g GB each: use --at-once %d",
                            asked, fits, 1e-9 * (double)w->bytes, fits);
  if (fits == 0) g->at_once = 1; /* one that does not fit says so itself */
  TRIAD_TRY(triad_resources_share(g->gpu, g->sharers, g->at_once, &each));
  /* else those that begin first take what they can do without, and the last finds no room */
  triad_gpus_set_share(each);
  return TRIAD_OK;
}

/* GPUs are dealt among all ranks: the groups of a sweep know nothing of each other later. */
static int prepare(triad_sweep_group *g, wants *w, int at_once)
{
  const triad_comm *comm = &g->all->comm;
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(w, (int)sizeof *w, MPI_BYTE, 0, comm->mpi)));
  if (w->gpu) TRIAD_TRY(triad_gpus_choose(&g->gpu, &g->sharers, comm, g->all->binding));
  return triad_agree(comm, choose_at_once(g, w, at_once));
}

/* What has come of all; a run that was not begun is one that was stopped. */
static int gather(const triad_sweep_group *g, double seconds)
{
  const triad_comm *comm = &g->all->comm;
  int worst = TRIAD_OK, n = g->sweep->n_runs;
  double done[2] = {0, 0};
  char many[48] = "";
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(g->done, done, 2, MPI_DOUBLE, MPI_SUM, comm->mpi)));
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, g->codes, n, MPI_INT, MPI_MAX, comm->mpi)));
  /* if no run created its folder there is nothing to report */
  int there = comm->rank == 0 && access(g->dir, F_OK) == 0;
  TRIAD_TRY(triad_agree(comm, there ? triad_sweep_table(g->sweep, g->dir, g->codes) : TRIAD_OK));
  for (int run = 0; run < n; run++) {
    int code = g->codes[run] < 0 ? TRIAD_STOPPED : g->codes[run];
    if (code > worst) worst = code;
  }
  if (g->at_once > 1) (void)snprintf(many, sizeof many, ", %d at once per process", g->at_once);
  if (there)
    triad_log_info(
      g->all->log,
      "%d runs on %d group%s of ranks%s, %.3g steps and %.3g points per second with starts and files: %s/ensemble.csv",
      n, g->n, g->n > 1 ? "s" : "", many, done[0] / seconds, done[1] / seconds, g->dir);
  return worst;
}

static int work(triad_sweep_group *g)
{
  const double began = triad_now();
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
  st = triad_sweep_group_run(g);
  TRIAD_TRY(triad_agree(comm, st));
  return gather(g, triad_now() - began);
}

int triad_sweep_run(triad_session *all, const triad_arguments *a, const triad_sweep *sweep, const char *dir,
                    int at_once, triad_sweep_one *one, void *who, volatile sig_atomic_t *request)
{
  const triad_comm *comm = &all->comm;
  wants w = {0, 0};
  triad_sweep_group g = {.all = all,
                         .arguments = a,
                         .sweep = sweep,
                         .dir = dir,
                         .one = one,
                         .who = who,
                         .request = request,
                         .gpu = -1,
                         .n = comm->size < sweep->n_runs ? comm->size : sweep->n_runs};
  g.number = (int)((int64_t)comm->rank * g.n / comm->size);
  g.comm = (triad_comm){MPI_COMM_NULL, 0, 1};
  triad_device_many();
  TRIAD_TRY(triad_session_text(all, a->words[0]));
  int st = comm->rank == 0 ? check_place(dir) : TRIAD_OK;
  if (st == TRIAD_OK && comm->rank == 0) st = check_all(all, a, sweep, dir, (comm->size + g.n - 1) / g.n, &w);
  TRIAD_TRY(triad_agree(comm, st));
  TRIAD_TRY(prepare(&g, &w, at_once));
  g.codes = malloc((size_t)sweep->n_runs * sizeof *g.codes);
  st = triad_agree(comm, g.codes ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the runs of a sweep"));
  if (st == TRIAD_OK) st = work(&g);
  triad_log_destroy(&g.log);
  triad_comm_destroy(&g.comm);
  free(g.codes);
  return st;
}
