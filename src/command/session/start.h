/* A start of `triad run` in its directory, at the turns of the run (triad_run_hooks): what is compared before anything
 * is written, what is written and told when it begins, and the account that provenance.json keeps of it. */
#ifndef TRIAD_COMMAND_SESSION_START_H
#define TRIAD_COMMAND_SESSION_START_H

#include "command/session/changes.h"
#include "command/session/provenance.h"
#include "run/run.h"

typedef struct triad_start {
  triad_session *session;
  const triad_arguments *arguments;
  const char *dir;
  int from_start, new_case;
  int begun; /* provenance.json tells of it */
  triad_provenance provenance;
  triad_changes changes; /* on rank 0 */
  triad_case *former;    /* the case before `triad set`, until its flow has gone */
} triad_start;

/* ---- start_change.c ---- */

/* The hook `change`: the request in the directory, made a case, compared, checked, written down and told. What it
 * asks for that cannot be is told as a warning, and nothing changes. */
int triad_start_change(void *start, int saved, const triad_instant *at, const triad_case **given, int *changes);

/* What a change of the case shares with that of the grid. The session's case once more, with what holds of
 * case.set.csv and what is asked, each NULL for none, and with what triad tune and the flow have put into it:
 * TRIAD_ERR_CASE, TRIAD_ERR_MEMORY. The files of the directory tell of it, on rank 0: TRIAD_ERR_IO. It takes the
 * session's place; the flow of the case before the last has gone. Not collective. */
int triad_start_case(const triad_start *start, const char *asked, const char *held, triad_case **is);
int triad_start_write(triad_start *start, const triad_changes *changes, const triad_instant *at);
void triad_start_take(triad_start *start, triad_case *is, const triad_case **given);

/* ---- start_grid.c ---- */

/* The hook `regrid`: the case with another grid, if it can be and the memory is there; written down and told. */
int triad_start_regrid(void *start, const int64_t n[3], const char *why, const triad_instant *at,
                       const triad_case **given);

/* ---- start.c ---- */

/* The hooks of a start. */
triad_run_hooks triad_start_hooks(triad_start *start);

/* In a directory that has been claimed: its log, where what is said from here on goes, errors too; is there the disk
 * for it? The account, of the command argv. Collective. */
int triad_start_open(triad_start *start, const triad_needs *needs, int argc, char **argv);

/* The run is over: close the account. Collective; failures are told only. */
void triad_start_end(triad_start *start, int status);

#endif
