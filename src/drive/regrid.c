/* Continue a driven run on another grid: create its flow again; users of the old flow's memory retain that. */
#include "drive/drive_internal.h"

int triad_drive_begin_loop(triad_drive *d)
{
  const triad_case *given = d->session.given;
  int done = 0, st = triad_loop_begin(&d->loop, d->session.context, given, &d->options, 1, &done);
  while (st == TRIAD_LOOP_CHANGED) {
    TRIAD_TRY(triad_loop_next(&d->loop, &d->options, &given));
    st = triad_loop_begin(&d->loop, d->session.context, given, &d->options, 1, &done);
  }
  return st;
}

static int ask(triad_drive *d)
{
  TRIAD_HOST_TEXT;
  return d->changes ? d->changes(d->changes_who) : 0;
}

/* What is looked at anywhere stays everywhere: a flow is destroyed by all of its ranks. */
static int keep_what_is_seen(triad_drive *d)
{
  const triad_simulation *sim = triad_drive_simulation(d);
  int seen = ask(d);
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &seen, 1, MPI_INT, MPI_LOR, d->session.comm.mpi)));
  if (!seen) return TRIAD_OK;
  if (sim->solver->wait) TRIAD_TRY(sim->solver->wait(sim->flow));
  triad_loop_keep_flow(d->loop);
  d->kept_before = 1;
  triad_log_warning(d->session.log, "the grid has changed, but arrays of the previous grid are still in use: they keep "
                                    "their contents, and the flow its memory, until the program ends");
  return TRIAD_OK;
}

static int open_again(triad_drive *d)
{
  for (int i = 0; i < d->n_columns; i++) {
    const triad_drive_column *c = &d->columns[i];
    TRIAD_TRY(triad_agree(&d->session.comm,
                          triad_loop_column(d->loop, &(triad_column_info){c->name, c->unit, .formula = c->about})));
  }
  return triad_loop_open(d->loop);
}

int triad_drive_regrid(triad_drive *d)
{
  const triad_simulation *sim = triad_drive_simulation(d);
  const triad_case *given = d->session.given;
  d->last = *sim->solver->instant(sim->flow);
  TRIAD_TRY(keep_what_is_seen(d));
  int st = triad_loop_next(&d->loop, &d->options, &given);
  if (st == TRIAD_OK) st = triad_drive_begin_loop(d);
  if (st == TRIAD_OK) st = open_again(d);
  if (st != TRIAD_OK) (void)triad_loop_end(&d->loop, st);
  return st;
}

int triad_drive_gone(const triad_drive *d)
{
  return d->loop
           ? TRIAD_OK
           : TRIAD_FAIL(
               TRIAD_ERR_USAGE,
               "this run failed while it changed the grid, and has no flow: restart from its checkpoint of step %lld",
               (long long)d->last.step);
}

void triad_drive_on_grid(triad_drive *d, triad_drive_changes *changes, void *who)
{
  d->changes = changes;
  d->changes_who = who;
}
