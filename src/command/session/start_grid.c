/* Apply an adaptive grid size: check the memory of the new grid, write the case, and record the change. */
#include "command/session/start_grid.h"
#include "command/session/settings.h"
#include "parallel/share_text.h"
#include "case/case_tune.h"
#include "command/session/start.h"
#include "command/session/start_change.h"
#include "run/check.h"
#include "run/resources.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { LIMIT = 1 << 20 /* bytes of case.set.csv */ };

/* What `triad set` has changed, on all ranks; NULL: nothing. */
static int load_held(const triad_start *x, char **held)
{
  const triad_comm *comm = &x->session->comm;
  char path[TRIAD_PATH];
  int64_t bytes = 0;
  int st = TRIAD_OK;
  if (comm->rank == 0) {
    st = triad_disk_path(path, "%s/" TRIAD_SETTINGS_FILE, x->dir);
    if (st == TRIAD_OK) st = triad_disk_load(path, LIMIT, held, &bytes);
    if (st == TRIAD_ERR_INPUT) {
      triad_message_clear();
      st = TRIAD_OK;
    }
  }
  TRIAD_TRY(triad_agree(comm, st));
  return triad_comm_share_text(comm, held, NULL);
}

static int make_case(const triad_start *x, const char *held, const int64_t n[3], triad_case **is, triad_changes *c,
                     triad_needs *needs)
{
  char text[96];
  TRIAD_TRY(triad_start_case(x, NULL, held, is));
  (void)snprintf(text, sizeof text, "[%" PRId64 ", %" PRId64 ", %" PRId64 "]", n[0], n[1], n[2]);
  TRIAD_TRY(triad_case_tune(*is, "grid.n", text, "target"));
  TRIAD_TRY(triad_changes_between(c, x->session->given, *is));
  return triad_check(*is, x->session->comm.size, x->session->context->threads, needs);
}

/* Is the memory there? The flow of the grid before has given its own back. */
static int has_memory(const triad_start *x, const triad_case *is, const triad_needs *needs)
{
  const triad_session *s = x->session;
  TRIAD_TRY(triad_resources_memory(&s->comm, is, needs, s->log));
  return triad_resources_gpu(s->context, is, needs, triad_binding_place(s->binding)->gpu_ranks, s->log);
}

/* The session has the new case. */
static void write_down(triad_start *x, const triad_changes *c, const char *why, const triad_instant *at)
{
  char reason[512];
  for (int i = 0; i < c->n; i++)
    triad_log_info(x->session->log, "target: %s was %s, is %s from step %" PRId64 ", t = %g: %s", c->list[i].key,
                   c->list[i].was, c->list[i].is, at->step, at->t, why);
  if (x->session->comm.rank != 0 || triad_start_write(x, c, at) == TRIAD_OK) return;
  triad_message_reason(reason, sizeof reason);
  triad_log_warning(x->session->log, "target: not all files of the directory record the change: %s", reason);
}

/* A grid that the rest of the case does not go with, such as one that ranks cannot share: the flow stays on its own. */
static int stays(const triad_start *x, int st, const triad_instant *at)
{
  char why[1024];
  if (!at || (st != TRIAD_ERR_CASE && st != TRIAD_ERR_FEATURE)) return st;
  triad_message_reason(why, sizeof why);
  triad_message_clear();
  triad_log_warning(x->session->log, "target: the grid remains unchanged from step %" PRId64 ": %s", at->step, why);
  return TRIAD_OK;
}

int triad_start_regrid(void *who, const int64_t n[3], const char *why, const triad_instant *at,
                       const triad_case **given)
{
  triad_start *x = who;
  char *held = NULL;
  triad_case *is = NULL;
  triad_changes c = {0};
  triad_needs needs = {.brief = x->session->comm.rank > 0};
  int st = load_held(x, &held);
  if (st == TRIAD_OK) st = triad_agree(&x->session->comm, make_case(x, held, n, &is, &c, &needs));
  const int made = st == TRIAD_OK;
  st = made ? has_memory(x, is, &needs) : stays(x, st, at);
  if (made && st == TRIAD_OK) {
    triad_start_take(x, is, given);
    if (at) write_down(x, &c, why, at);
  } else triad_case_destroy(&is);
  triad_changes_free(&c);
  free(held);
  return st;
}
