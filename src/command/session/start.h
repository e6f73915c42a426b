/* A start of `triad run` in its directory, as callbacks of the run (triad_run_hooks): comparison with the files there
 * before anything is written, files and messages at the beginning, and the record in provenance.json. */
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
  int begun; /* 1: provenance.json has a record of this session */
  triad_provenance provenance;
  triad_changes changes; /* on rank 0 */
  triad_case *former;    /* the case before `triad set`, until its flow has gone */
} triad_start;

/* ---- start_change.c ---- */

/* The callback `change`: read the request in the directory, make a case, compare, check, record and log it. An
 * impossible request is a warning, and nothing changes. */
int triad_start_change(void *start, int saved, const triad_instant *at, const triad_case **given, int *changes);

/* Shared by changes of the case and of the grid. case: make the session's case again, with the settings `held` of
 * case.set.csv and `asked` (each may be NULL), and with values from triad tune and the flow: TRIAD_ERR_CASE,
 * TRIAD_ERR_MEMORY. write: record it in the directory's files, on rank 0: TRIAD_ERR_IO. It then replaces the session's
 * case; the flow of the case before the last no longer exists. Not collective. */
int triad_start_case(const triad_start *start, const char *asked, const char *held, triad_case **is);
int triad_start_write(triad_start *start, const triad_changes *changes, const triad_instant *at);
void triad_start_take(triad_start *start, triad_case *is, const triad_case **given);

/* ---- start_grid.c ---- */

/* The callback `regrid`: the case with another grid, if it is valid and memory suffices; recorded and logged. */
int triad_start_regrid(void *start, const int64_t n[3], const char *why, const triad_instant *at,
                       const triad_case **given);

/* ---- start.c ---- */

/* The hooks of a start. */
triad_run_hooks triad_start_hooks(triad_start *start);

/* In a directory that has been claimed: open its log, for all messages and errors from here on; check the free disk
 * space; start the record of the command argv. Collective. */
int triad_start_open(triad_start *start, const triad_needs *needs, int argc, char **argv);

/* The run is over: close the record. Collective; failures are only reported. */
void triad_start_end(triad_start *start, int status);

#endif
