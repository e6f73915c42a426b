/* The run directory: made, claimed and described before the first step. */
#ifndef TRIAD_COMMAND_RUNDIR_H
#define TRIAD_COMMAND_RUNDIR_H

#include "command/session.h"

/* Make `dir` with its folders and write case.toml (as given), case.resolved.toml and provenance.json into it. A folder
 * that holds other things than a run is refused with TRIAD_ERR_CASE. Collective. */
int triad_rundir_prepare(triad_session *s, const char *dir, int argc, char **argv);

/* Where a case runs without --dir: its name without .toml, in the working directory. malloc'd; NULL without memory. */
char *triad_rundir_default(const char *case_path);

#endif
