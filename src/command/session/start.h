/* A start of `triad run` in its directory, as callbacks of the run (triad_run_hooks): comparison with the existing
 * files before anything is written, files and messages at the beginning, and the record in provenance.json. */
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

/* ---- start.c ---- */

/* The hooks of a start. */
triad_run_hooks triad_start_hooks(triad_start *start);

/* In a directory that has been claimed: open its log, for all messages and errors from here on; check the free disk
 * space; start the record of the command argv. Collective. */
int triad_start_open(triad_start *start, const triad_needs *needs, int argc, char **argv);

/* The run is over: close the record. Collective; failures are only reported. */
void triad_start_end(triad_start *start, int status);

#endif
