/* Apply a request of `triad set`: check the new keys, write the case, record the change, and keep the values for
 * later starts. */
#include "command/session/start_change.h"
#include "command/session/inputs.h"
#include "case/case_write.h"
#include "case/case_tune.h"
#include "command/session/rundir.h"
#include "command/session/settings.h"
#include "command/session/start.h"
#include "command/session/inputs_named.h"
#include "parallel/share_text.h"
#include "run/check.h"
#include "run/set_requests.h"
#include "run/stop_requests.h"
#include "solvers/solver.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 1 << 20 /* bytes of the request */ };

static const char about_settings[] =
  "what triad set has changed: every start applies these changes, as long as the case has the value `was`";

/* Read the request, and the earlier settings; NULL if the file does not exist. On rank 0. */
static int load(const char *dir, const char *name, char **text)
{
  char path[TRIAD_PATH];
  int64_t bytes = 0;
  TRIAD_TRY(triad_disk_path(path, "%s/%s", dir, name));
  int st = triad_disk_load(path, LIMIT, text, &bytes);
  if (st != TRIAD_ERR_INPUT) return st;
  triad_message_clear();
  return TRIAD_OK;
}

/* TRIAD_ERR_CASE if the run cannot continue with these changes. */
static int allow(const triad_changes *c, const triad_case *is, const triad_instant *at)
{
  for (int i = 0; i < c->n; i++)
    if (!triad_case_may_change(is, c->list[i].key))
      return TRIAD_FAIL(TRIAD_ERR_CASE, "%s cannot be changed during a run", c->list[i].key);
  int64_t most = triad_case_integer(is, "time.max_steps");
  if (triad_case_real(is, "time.end") > at->t && (most == 0 || most > at->step)) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "this end is before step %" PRId64 ", t = %g: to end the run use triad stop",
                    at->step, at->t);
}

int triad_start_write(triad_start *x, const triad_changes *c, const triad_instant *at)
{
  triad_inputs in = {0};
  int st = triad_changes_write(c, x->dir, at->step, at->t);
  if (st == TRIAD_OK) st = triad_inputs_recall(&in, x->session, x->dir, x->provenance.before);
  if (st == TRIAD_OK) st = triad_rundir_write_case(x->session, x->arguments, &in, x->dir);
  triad_inputs_free(&in);
  return st;
}

/* case.set.csv first: what it does not take has not happened. */
static int write_down(triad_start *x, const triad_changes *c, const char *request, const triad_instant *at)
{
  char mark[sizeof TRIAD_SETTINGS_TAKEN + TRIAD_SET_NAME];
  const triad_record record = {.name = TRIAD_SETTINGS_FILE, .about = about_settings, .mark = mark, .kept = INT64_MAX};
  (void)snprintf(mark, sizeof mark, TRIAD_SETTINGS_TAKEN "%s", request);
  TRIAD_TRY(triad_changes_record(c, x->dir, &record, at->step, at->t));
  if (c->n == 0 || triad_start_write(x, c, at) == TRIAD_OK) return TRIAD_OK;
  char why[512];
  triad_message_reason(why, sizeof why);
  triad_log_warning(x->session->log, "triad set: not all files of the directory record the change: %s", why);
  return TRIAD_OK;
}

static void log_changes(const triad_start *x, const triad_changes *c, const triad_instant *at)
{
  for (int i = 0; i < c->n; i++)
    triad_log_info(x->session->log, "triad set: %s was %s, is %s from step %" PRId64 ", t = %g", c->list[i].key,
                   *c->list[i].was ? c->list[i].was : "idle", *c->list[i].is ? c->list[i].is : "idle", at->step, at->t);
  if (c->n == 0) triad_log_info(x->session->log, "triad set: the case already has these values");
}

/* Values that were put into the case from other sources than its file and --set stay: from triad tune and the adaptive
 * grid. */
static int keep_value(const triad_case *was, triad_case *is, const char *key, const char *origin)
{
  char *value = triad_case_applies(was, key) ? triad_case_value(was, key) : NULL;
  int st = value ? triad_case_tune(is, key, value, origin) : TRIAD_OK;
  free(value);
  return st;
}

int triad_start_case(const triad_start *x, const char *asked, const char *held, triad_case **is)
{
  static const char *const tuned[] = {"parallel.nstreams", "parallel.threads", "parallel.transport", "parallel.split"};
  int unused = 0;
  triad_session *s = x->session;
  const triad_solver *solver;
  int st = triad_settings_case(is, s, x->arguments->words[0], x->arguments, held, asked, &unused);
  if (st == TRIAD_ERR_CASE && *is) {
    const char *errors = triad_case_errors(*is);
    return TRIAD_FAIL(st, "%.*s", (int)strcspn(errors, "\n"), errors);
  }
  TRIAD_TRY(st);
  TRIAD_TRY(triad_solver_find(&solver, s->given));
  for (size_t i = 0; i < sizeof tuned / sizeof *tuned; i++)
    TRIAD_TRY(keep_value(s->given, *is, tuned[i], "triad tune"));
  /* what was tuned for a grid need not be possible on the next */
  const int follows = solver->follow && solver->follow->asked(s->given);
  for (const triad_tunable *k = !follows && solver->tune ? solver->tune->tunables : NULL; k && k->key; k++)
    TRIAD_TRY(keep_value(s->given, *is, k->key, "triad tune"));
  if (follows) TRIAD_TRY(keep_value(s->given, *is, "grid.n", "target"));
  return TRIAD_OK;
}

/* *is: the case that is asked for, on all ranks alike; *c: what it changes. Not collective. */
static int make_case(const triad_start *x, const char *asked, const char *held, const triad_instant *at,
                     triad_case **is, triad_changes *c)
{
  triad_session *s = x->session;
  triad_needs needs = {.brief = s->comm.rank > 0};
  TRIAD_TRY(triad_start_case(x, asked, held, is));
  TRIAD_TRY(triad_changes_between(c, s->given, *is));
  TRIAD_TRY(allow(c, *is, at));
  return triad_check(*is, s->comm.size, s->context->threads, &needs);
}

/* The request is answered; other requests have files of their own, and wait for the next step. On rank 0. */
static void put_away(const triad_start *x, const char *request)
{
  char path[TRIAD_PATH];
  if (triad_disk_path(path, "%s/%s", x->dir, request) != TRIAD_OK || triad_disk_remove(path) != TRIAD_OK)
    triad_message_clear();
}

static void refuse(const triad_start *x)
{
  char why[1024];
  triad_message_reason(why, sizeof why);
  triad_log_warning(x->session->log, "triad set is refused: %s", why);
}

void triad_start_take(triad_start *x, triad_case *is, const triad_case **given)
{
  triad_case_destroy(&x->former);
  x->former = x->session->given;
  *given = x->session->given = is;
}

int triad_start_change(void *who, int saved, const triad_instant *at, const triad_case **given, int *changes)
{
  triad_start *x = who;
  triad_session *s = x->session;
  const int root = s->comm.rank == 0;
  char *asked = NULL, *held = NULL, request[TRIAD_SET_NAME] = "";
  triad_case *is = NULL, *was = s->given;
  triad_changes c = {0};
  int st = saved ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_IO, "the checkpoint could not be written, try again");
  if (root && triad_set_requests_oldest(x->dir, request) && st == TRIAD_OK) st = load(x->dir, request, &asked);
  if (st == TRIAD_OK && root) st = load(x->dir, TRIAD_SETTINGS_FILE, &held);
  int failed = st != TRIAD_OK;
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(&failed, 1, MPI_INT, 0, s->comm.mpi)));
  if (!failed) TRIAD_TRY(triad_comm_share_text(&s->comm, &asked, NULL));
  if (!failed) TRIAD_TRY(triad_comm_share_text(&s->comm, &held, NULL));
  if (!failed && asked) st = make_case(x, asked, held, at, &is, &c);
  failed = st != TRIAD_OK;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, s->comm.mpi)));
  if (st == TRIAD_OK && failed) st = TRIAD_FAIL_PLAIN(TRIAD_ERR_MEMORY, "another rank could not create the case");
  if (root && asked && st == TRIAD_OK) {
    s->given = is; /* what is written is the new case */
    st = write_down(x, &c, request, at);
    s->given = was;
    if (st == TRIAD_OK) log_changes(x, &c, at);
  }
  if (request[0]) put_away(x, request);
  if (root && st != TRIAD_OK) refuse(x);
  triad_message_clear();
  /* rank 0 decides: it has written it down */
  int taken = root && asked && st == TRIAD_OK && c.n > 0;
  int got = TRIAD_MPI(MPI_Bcast(&taken, 1, MPI_INT, 0, s->comm.mpi));
  if (got == TRIAD_OK && taken) {
    triad_start_take(x, is, given);
    ++*changes;
  } else triad_case_destroy(&is);
  triad_changes_free(&c);
  free(asked);
  free(held);
  return got;
}
