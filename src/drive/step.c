/* Steps of a driven run, its columns, and its texts in checkpoints. */
#include "drive/drive_internal.h"
#include "case/case_write.h"

#include "base/clock.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int triad_drive_settle(triad_drive *d)
{
  if (!d->changed) return TRIAD_OK;
  const triad_simulation *sim = triad_drive_simulation(d);
  d->changed = 0;
  triad_loop_changed(d->loop);
  return sim->solver->outside  ? sim->solver->outside->changed(sim->flow, d->session.log)
         : sim->solver->settle ? sim->solver->settle(sim->flow, NULL, d->session.log)
                               : TRIAD_OK;
}

static const triad_instant *instant(const triad_drive *d)
{
  const triad_simulation *sim = triad_drive_simulation(d);
  return sim->solver->instant(sim->flow);
}

/* The grid may be another before the first step, and after any. */
static int step(triad_drive *d, double land_on)
{
  const int64_t before = instant(d)->step;
  TRIAD_TRY(triad_drive_settle(d));
  if (!d->open) TRIAD_TRY(triad_loop_open(d->loop));
  d->open = 1;
  while (instant(d)->step == before && !triad_loop_finished(d->loop)) {
    int st = triad_loop_step(d->loop, land_on);
    TRIAD_TRY(st == TRIAD_LOOP_CHANGED ? triad_drive_regrid(d) : st);
  }
  return TRIAD_OK;
}

static int steps(triad_drive *d, double to, int64_t most, double seconds)
{
  const double begin = triad_now();
  while (most-- > 0 && instant(d)->t < to * (1 - 1e-12) && !triad_loop_finished(d->loop)) {
    TRIAD_TRY(step(d, to));
    if (triad_now() - begin > seconds) break;
  }
  return TRIAD_OK;
}

int triad_drive_step(triad_drive *d, double land_on) { return triad_drive_steps(d, land_on, 1, 0); }

int triad_drive_steps(triad_drive *d, double to, int64_t most, double seconds)
{
  TRIAD_PLAIN_TEXT;
  triad_drive_begin(d);
  if (d->failed)
    return triad_drive_end(
      d, TRIAD_FAIL(d->failed, "this run has failed: close it, and resume from its newest checkpoint"));
  int st = steps(d, to, most, seconds);
  if (st == TRIAD_STOPPED) {
    d->request = TRIAD_REQUEST_NONE; /* who asked has been heard */
    (void)TRIAD_FAIL(st, "stopped as requested at step %lld, with a checkpoint", (long long)instant(d)->step);
  } else {
    d->failed = st;
  }
  return triad_drive_end(d, st);
}

int triad_drive_save(triad_drive *d)
{
  TRIAD_PLAIN_TEXT;
  triad_drive_begin(d);
  int st = d->failed ? TRIAD_FAIL(d->failed, "this run has failed: its state is not saved") : triad_drive_settle(d);
  if (st == TRIAD_OK) st = triad_loop_save(d->loop);
  d->open |= st == TRIAD_OK;
  return triad_drive_end(d, st);
}

int triad_drive_wait(triad_drive *d)
{
  TRIAD_PLAIN_TEXT;
  if (!d->loop) return TRIAD_OK;
  const triad_simulation *sim = triad_drive_simulation(d);
  if (!sim->solver->wait) return TRIAD_OK;
  triad_drive_begin(d);
  return triad_drive_end(d, sim->solver->wait(sim->flow));
}

void triad_drive_request(triad_drive *d, int what)
{
  int asked = what >= 2 ? TRIAD_REQUEST_STOP : TRIAD_REQUEST_SAVE;
  if (asked > d->request) d->request = asked;
}

int triad_drive_finished(const triad_drive *d) { return d->loop && triad_loop_finished(d->loop); }

void triad_drive_where(const triad_drive *d, triad_drive_instant *out)
{
  const triad_session *s = &d->session;
  const triad_instant *at = d->loop ? instant(d) : &d->last;
  *out = (triad_drive_instant){.step = at->step,
                               .t = at->t,
                               .dt = at->dt,
                               .end = triad_case_real(s->given, "time.end"),
                               .rank = s->comm.rank,
                               .size = s->comm.size,
                               .threads = s->context->threads,
                               .single = triad_case_is(s->given, "precision", "single"),
                               .dir = d->dir,
                               .solver = triad_case_word(s->given, "equations.solver"),
                               .limit = d->loop ? triad_loop_last_step(d->loop)->limit : NULL};
}

const char *triad_drive_case(triad_drive *d)
{
  TRIAD_PLAIN_TEXT;
  size_t size;
  free(d->resolved);
  if (triad_case_resolved(d->session.given, &d->resolved, &size) != TRIAD_OK) triad_message_clear();
  return d->resolved ? d->resolved : "";
}

/* ---- numbers ---- */

int triad_drive_column_at(const triad_drive *d, int i, const char **name, const char **unit, const char **about)
{
  if (!d->loop) return TRIAD_ERR_USAGE;
  const triad_series_info *info = triad_loop_columns(d->loop);
  if (i < 0 || i >= info->n) return TRIAD_ERR_USAGE;
  *name = info->columns[i].name;
  *unit = info->columns[i].unit;
  *about = info->columns[i].formula;
  return TRIAD_OK;
}

int triad_drive_measure(triad_drive *d, double *out)
{
  TRIAD_PLAIN_TEXT;
  triad_drive_begin(d);
  int st = triad_drive_gone(d);
  if (st == TRIAD_OK) st = triad_drive_settle(d);
  if (st != TRIAD_OK) return triad_drive_end(d, st);
  const triad_simulation *sim = triad_drive_simulation(d);
  return triad_drive_end(d, sim->solver->measure(sim->flow, out));
}

static int is_text(const char *text)
{
  for (; *text; text++)
    if (iscntrl((unsigned char)*text)) return 0;
  return 1;
}

static int check_column(const triad_drive *d, const char *name, const char *unit, const char *about)
{
  const triad_series_info *info = triad_loop_columns(d->loop);
  if (d->open)
    return TRIAD_FAIL(TRIAD_ERR_USAGE,
                      "column %.60s: the series has already started: add columns before the first step", name);
  int good = isalpha((unsigned char)name[0]) && strlen(name) < 64;
  for (const char *c = name; *c; c++) good &= isalnum((unsigned char)*c) || *c == '_';
  if (!good)
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "column \"%.60s\": a name must be a letter, then letters, digits and _", name);
  if (!is_text(unit) || !is_text(about) || strpbrk(unit, "[]"))
    return TRIAD_FAIL(TRIAD_ERR_USAGE, "column %.60s: unit and meaning must be one line each, the unit without [ and ]",
                      name);
  int there = strcmp(name, "step") == 0 || strcmp(name, "t") == 0 || strcmp(name, "dt") == 0;
  for (int i = 0; i < info->n; i++) there |= strcmp(name, info->columns[i].name) == 0;
  return there ? TRIAD_FAIL(TRIAD_ERR_USAGE, "column %.60s: the series already has a column of this name", name)
               : TRIAD_OK;
}

static int add_column(triad_drive *d, const triad_drive_column *given)
{
  TRIAD_TRY(check_column(d, given->name, given->unit, given->about));
  triad_drive_column *list = realloc(d->columns, (size_t)(d->n_columns + 1) * sizeof *list);
  if (!list) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a column");
  d->columns = list;
  triad_drive_column *own = &list[d->n_columns];
  *own =
    (triad_drive_column){strdup(given->name), strdup(given->unit), strdup(given->about), given->measure, given->who};
  d->n_columns++;
  if (!own->name || !own->unit || !own->about) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a column");
  return triad_loop_column(d->loop, &(triad_column_info){own->name, own->unit, .formula = own->about});
}

int triad_drive_add_column(triad_drive *d, const char *name, const char *unit, const char *about,
                           triad_drive_measured *measure, void *who)
{
  TRIAD_PLAIN_TEXT;
  const triad_drive_column given = {(char *)(uintptr_t)name, (char *)(uintptr_t)unit, (char *)(uintptr_t)about, measure,
                                    who};
  triad_drive_begin(d);
  return triad_drive_end(d, triad_agree(&d->session.comm, add_column(d, &given)));
}

int triad_drive_keep(triad_drive *d, const char *text)
{
  TRIAD_PLAIN_TEXT;
  char *own = strdup(text);
  triad_drive_begin(d);
  if (!own) return triad_drive_end_local(d, TRIAD_FAIL(TRIAD_ERR_MEMORY, "the values of a checkpoint"));
  free(d->keep);
  d->keep = own;
  if (d->loop) triad_loop_outdated(d->loop);
  return TRIAD_OK;
}

const char *triad_drive_kept(const triad_drive *d) { return d->kept ? d->kept : ""; }
