/* triad bench --machine (bench.c). */
#ifndef TRIAD_COMMAND_TUNE_MACHINE_H
#define TRIAD_COMMAND_TUNE_MACHINE_H

#include "command/session/session.h"

/* What this node does in a second, to the file `out` (NULL or "-": standard output). lengths: "64,96", or NULL.
 * TRIAD_ERR_USAGE, TRIAD_ERR_IO. Collective. */
int triad_machine_command(triad_session *session, const char *out, const char *lengths);

#endif
