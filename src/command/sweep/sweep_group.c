/* Run the cases of one group of ranks, one after another or several at once as fibers. */
#include "command/sweep/sweep_group.h"
#include "command/sweep/sweep_values.h"

#include "run/run.h"
#include "store/disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int triad_sweep_arguments(const triad_sweep *sweep, int run, const triad_arguments *all, triad_arguments *out)
{
  *out = *all;
  if (all->n_sets + sweep->n_keys > TRIAD_MAX_ARGUMENTS)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "more than %d --set and --sweep options", TRIAD_MAX_ARGUMENTS);
  for (int k = 0; k < sweep->n_keys; k++) {
    char *text = NULL;
    if (asprintf(&text, "%s=%s", sweep->keys[k].key, triad_sweep_value(sweep, run, k)) < 0)
      return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the values of a run");
    out->sets[out->n_sets++] = text;
  }
  return TRIAD_OK;
}

void triad_sweep_arguments_clear(const triad_arguments *all, triad_arguments *out)
{
  for (int i = all->n_sets; i < out->n_sets; i++) free((char *)(uintptr_t)out->sets[i]);
}

static int run_one(triad_sweep_group *g, int run, const triad_arguments *own, volatile sig_atomic_t *request)
{
  triad_session s = {
    .takes_tuned = 1, .threads = triad_binding_threads(g->all->binding), .gpu = g->gpu, .sharers = g->sharers};
  triad_log_options log = g->arguments->log;
  char dir[TRIAD_PATH];
  if (log.level < TRIAD_LOG_DETAIL) log.level = TRIAD_LOG_ERROR; /* all of it is in its own log.txt */
  s.comm = (triad_comm){MPI_COMM_NULL, 0, 1};
  int st = triad_disk_path(dir, "%s/run-%03d", g->dir, run + 1);
  if (!g->sweep->from_start) s.dir = dir;
  if (st == TRIAD_OK) st = triad_comm_create(&s.comm, g->comm.mpi);
  if (st == TRIAD_OK) st = triad_session_open(&s, &log);
  if (st == TRIAD_OK) st = triad_session_case_text(&s, own->words[0], g->all->text, own);
  if (st == TRIAD_OK) st = g->one(&s, own, dir, request, g->who);
  if (st != TRIAD_OK && s.comm.rank == 0) triad_message_print(-1);
  triad_message_clear();
  g->done[0] += s.steps;
  g->done[1] += s.work;
  triad_session_close(&s);
  return st;
}

static void log_result(const triad_sweep_group *g, int run, int code)
{
  char text[512] = "";
  for (int k = 0; k < g->sweep->n_keys; k++) {
    size_t n = strlen(text);
    (void)snprintf(text + n, sizeof text - n, " %s=%s", g->sweep->keys[k].key, triad_sweep_value(g->sweep, run, k));
  }
  if (code == TRIAD_OK) triad_log_info(g->log, "run-%03d finished:%s", run + 1, text);
  else triad_log_warning(g->log, "run-%03d ended with exit code %d:%s", run + 1, code, text);
}

/* Runs one after the other, of which several such works take one each (parallel/fibers.h). */
static int take_runs(void *self, int number)
{
  triad_sweep_group *g = self;
  volatile sig_atomic_t *request = g->at_once > 1 ? &g->asked[number] : g->request;
  while (g->next < g->sweep->n_runs) {
    /* one that is begun past the limit would still take its start, a step and a checkpoint */
    int stop = *g->request == TRIAD_REQUEST_STOP || *g->sweep->limited;
    const int run = g->next;
    triad_arguments own;
    TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &stop, 1, MPI_INT, MPI_MAX, g->comm.mpi)));
    if (stop) break;
    g->next += g->n;
    int st = triad_agree(&g->comm, triad_sweep_arguments(g->sweep, run, g->arguments, &own));
    if (st == TRIAD_OK) g->codes[run] = run_one(g, run, &own, request);
    triad_sweep_arguments_clear(g->arguments, &own);
    TRIAD_TRY(st);
    log_result(g, run, g->codes[run]);
  }
  return TRIAD_OK;
}

/* A run takes its request to save back when it has; the others have theirs still to come. */
static void pass_on(void *self)
{
  triad_sweep_group *g = self;
  const int asked = *g->request;
  if (asked == TRIAD_REQUEST_NONE) return;
  for (int i = 0; i < g->at_once; i++)
    if (asked > g->asked[i]) g->asked[i] = asked;
  if (asked == TRIAD_REQUEST_SAVE) *g->request = TRIAD_REQUEST_NONE;
}

int triad_sweep_group_run(triad_sweep_group *g)
{
  g->next = g->number;
  return g->at_once > 1 ? triad_fibers_run(g->at_once, take_runs, pass_on, g) : take_runs(g, 0);
}
