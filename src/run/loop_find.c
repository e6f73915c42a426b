/* Search for the newest valid checkpoint whose rows of the series exist, and resume from it. */
#include "run/loop_find.h"
#include "run/output_checkpoint.h"
#include "run/loop.h"
#include "run/series.h"

#include "store/checkpoint/find.h"

#include <inttypes.h>
#include <string.h>

/* *good: has series.csv the rows that the checkpoint has seen? On rank 0; *have: how many it has up to there. */
static int has_rows(const triad_loop *r, const triad_manifest *about, int64_t *wanted, int64_t *have, int *good)
{
  *wanted = *have = 0;
  *good = 1;
  if (!triad_outputs_rows_seen(about->notes, wanted)) return TRIAD_OK; /* an earlier version did not note it */
  TRIAD_TRY(triad_series_count(r->options->dir, about->step, have));
  *good = *have >= *wanted;
  return TRIAD_OK;
}

int triad_loop_find(triad_loop *r, char folder[TRIAD_PATH], triad_manifest **about)
{
  const triad_comm *comm = &r->sim.context->comm;
  const char *dir = r->options->dir;
  int64_t newest = INT64_MAX, below = INT64_MAX, wanted = 0, have = 0;
  *about = NULL;
  if (r->options->from_start) return TRIAD_OK;
  for (int good = 0; !good;) {
    triad_manifest_destroy(about);
    TRIAD_TRY(triad_checkpoint_find_below(comm, dir, below, below == INT64_MAX ? triad_checkpoint_warn : NULL, r->log,
                                          folder, about));
    if (!*about) break;
    TRIAD_TRY(triad_agree(comm, comm->rank == 0 ? has_rows(r, *about, &wanted, &have, &good) : TRIAD_OK));
    TRIAD_TRY(TRIAD_MPI(MPI_Bcast(&good, 1, MPI_INT, 0, comm->mpi)));
    if (newest == INT64_MAX) newest = (*about)->step;
    if (!good && below == INT64_MAX)
      triad_log_warning(r->log,
                        "series.csv has only %" PRId64 " of the %" PRId64
                        " rows that existed at checkpoint step-%08" PRId64 ": the others are lost",
                        have, wanted, newest);
    below = (*about)->step;
    if (good && below < newest)
      triad_log_warning(r->log, "resuming from step %" PRId64 ", so that these rows are written again", below);
  }
  if (*about || newest == INT64_MAX) return TRIAD_OK;
  triad_log_warning(
    r->log,
    "no older checkpoint has all of its rows: the series continues with a gap; --from-start computes all rows again");
  return triad_checkpoint_find_below(comm, dir, newest + 1, NULL, NULL, folder, about);
}

int triad_loop_check_found(const triad_loop *r, const char *folder, const triad_manifest *about)
{
  const char *solver = triad_case_word(r->sim.given, "equations.solver");
  double length[3];
  if (strcmp(about->solver, solver) != 0)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s is of solver %s, but the case has %s: use another --dir", folder,
                      about->solver, solver);
  if (about->points) return TRIAD_OK;
  triad_case_reals(r->sim.given, "grid.length", length, 3);
  for (int i = 0; i < 3; i++)
    if (length[i] != about->grid.length[i])
      return TRIAD_FAIL(TRIAD_ERR_CASE,
                        "%s: its box has length %.17g along %c, but the case has %.17g: use another --dir", folder,
                        about->grid.length[i], "xyz"[i], length[i]);
  return TRIAD_OK;
}

int triad_loop_resume(triad_loop *r, const char *folder, const triad_manifest *about)
{
  triad_watchdog_begin(r->sim.context->watch, TRIAD_WATCHDOG_FILES, "reading the checkpoint to resume from");
  TRIAD_TRY(triad_simulation_resume(&r->sim, folder, about, r->log));
  triad_watchdog_end(r->sim.context->watch);
  r->out.saved_step = r->at->step;
  triad_log_info(r->log, "resumed from %s: step %" PRId64 ", t = %g", folder, r->at->step, r->at->t);
  return TRIAD_OK;
}
